// What `quarry init` asks on a terminal, and only what it cannot guess.
// Knows nothing of what is done with the answers.
import { createInterface } from 'node:readline/promises'
import { UseError } from '../../config.ts'
import { didYouMean } from '../../model/problems.ts'
import { type TemplateName, templateNames, templates } from './templates.ts'

/** Asks one question; an empty answer is the one in brackets. */
export type Ask = (question: string, fallback: string) => Promise<string>

/**
 * Asks on a terminal, and closes it behind itself.
 *
 * @throws UseError when the questions are left with Ctrl+C or Ctrl+D
 */
export async function withQuestions<T>(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  use: (ask: Ask) => Promise<T>,
): Promise<T> {
  const terminal = createInterface({ input, output })
  const left = new AbortController()
  terminal.once('close', () => left.abort())
  terminal.once('SIGINT', () => left.abort())
  try {
    return await use(async (question, fallback) => {
      const answer = await terminal.question(`${question} (${fallback}) `, { signal: left.signal })
      return answer.trim() || fallback
    })
  } catch (error) {
    if (!left.signal.aborted) throw error
    output.write('\n')
    throw new UseError('Stopped. Nothing was made.')
  } finally {
    terminal.close()
  }
}

/** Asks for a template until it is one. */
export async function askTemplate(ask: Ask, write: (text: string) => void): Promise<TemplateName> {
  for (const name of templateNames) write(`  ${name.padEnd(11)}${templates[name].purpose}\n`)
  for (;;) {
    const answer = (await ask('Template', templateNames[0])).toLowerCase()
    // The first letter is enough; no two begin with the same one.
    const found = templateNames.find((name) => name === answer || name.charAt(0) === answer)
    if (found !== undefined) return found
    const hint = didYouMean(answer, templateNames) ?? `There are ${templateNames.join(', ')}.`
    write(`There is no such template. ${hint}\n`)
  }
}
