// Prints the closing line of a test run, `N passed, N failed`, from vitest's JSON reports.
// Ends with 1 where the status it was given is not 0, tests failed, or a report is missing or without tests.
import { existsSync, readFileSync } from 'node:fs'

const [status = '1', ...files] = process.argv.slice(2)
const reports = files.map((file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {},
)
const passed = reports.map(({ numPassedTests = 0 }) => numPassedTests)
const failed = sum(reports.map(({ numFailedTests = 0 }) => numFailedTests))
const hasFailed = status !== '0' || failed > 0 || passed.includes(0)
process.stdout.write(`${sum(passed)} passed, ${Math.max(failed, hasFailed ? 1 : 0)} failed\n`)
process.exitCode = hasFailed ? 1 : 0

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
