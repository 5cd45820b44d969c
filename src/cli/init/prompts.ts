// Prompts of `quarry init` on a terminal.
import { createInterface } from 'node:readline/promises'
import { didYouMean } from '../../model/problems.ts'
import { StoppedError } from '../failures.ts'
import { type TemplateName, templateNames, templates } from './templates.ts'

/** Prompts for a line. An empty line selects the fallback, which is shown in brackets. */
export type Prompt = (text: string, fallback: string) => Promise<string>

/**
 * Calls `use` with a prompt on a terminal, and closes the terminal afterwards.
 *
 * @throws StoppedError if a prompt is left with Ctrl+C or Ctrl+D
 */
export async function withPrompts<T>(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  use: (prompt: Prompt) => Promise<T>,
): Promise<T> {
  const terminal = createInterface({ input, output })
  const left = new AbortController()
  terminal.once('close', () => left.abort())
  terminal.once('SIGINT', () => left.abort())
  try {
    return await use(async (text, fallback) => {
      const response = await terminal.question(`${text} (${fallback}) `, { signal: left.signal })
      return response.trim() || fallback
    })
  } catch (error) {
    if (!left.signal.aborted) throw error
    output.write('\n')
    throw new StoppedError('Stopped. Nothing was created.')
  } finally {
    terminal.close()
  }
}

/** Prompts for a template until the input names one. */
export async function promptForTemplate(
  prompt: Prompt,
  write: (text: string) => void,
): Promise<TemplateName> {
  for (const name of templateNames) write(`  ${name.padEnd(11)}${templates[name].purpose}\n`)
  for (;;) {
    const response = (await prompt('Template', templateNames[0])).toLowerCase()
    // The first letter is enough; no two names share it.
    const found = templateNames.find((name) => name === response || name.charAt(0) === response)
    if (found !== undefined) return found
    const hint = didYouMean(response, templateNames) ?? `There are ${templateNames.join(', ')}.`
    write(`There is no such template. ${hint}\n`)
  }
}
