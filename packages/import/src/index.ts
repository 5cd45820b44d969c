// Runs the command line: `quarry-import jekyll ../old-blog`, or `quarry import jekyll ../old-blog`.
import { explainFailure, terminalOf } from 'quarry/authoring'
import { importCommand } from './command.ts'

/**
 * Runs an import until it ends, and sets `process.exitCode`.
 *
 * @param words after the name of the command
 * @param name of the command, for its help. @default 'quarry-import'
 */
export async function runImports(words: readonly string[], name = 'quarry-import'): Promise<void> {
  try {
    await importCommand(name).parseAsync([...words], { from: 'user' })
  } catch (error) {
    const { text, exitCode } = explainFailure(error, terminalOf(process.env, process.stderr))
    if (text !== '') process.stderr.write(`${text}\n`)
    process.exitCode = exitCode
  }
}
