// Runs a command, and maps its errors to a message and an exit code.
import { hideClearKeys } from '../api/clear-key.ts'
import { explainFailure } from './failures.ts'
import { createProgram } from './program.ts'
import { terminalOf } from './terminal.ts'

/**
 * Runs a command until it ends, and sets `process.exitCode` after an error.
 *
 * @param argv as `process.argv`
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const terminal = terminalOf(process.env, process.stderr)
  try {
    await createProgram().parseAsync(argv)
  } catch (error) {
    const { text, exitCode } = explainFailure(error, terminal)
    if (text !== '') process.stderr.write(`${hideClearKeys(text)}\n`)
    process.exitCode = exitCode
  }
}
