// Prints the closing line of a test run, `N passed, N failed`, from vitest's JSON report.
// Ends with the status it was given, or 1 where tests failed or none ran.
import { existsSync, readFileSync } from 'node:fs'

const [report = '', status = '1'] = process.argv.slice(2)
const { numPassedTests = 0, numFailedTests = 0 } = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : {}
const hasFailed = status !== '0' || numFailedTests > 0 || numPassedTests === 0
process.stdout.write(
  `${numPassedTests} passed, ${Math.max(numFailedTests, hasFailed ? 1 : 0)} failed\n`,
)
process.exitCode = hasFailed ? 1 : 0
