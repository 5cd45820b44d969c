// The place of a syntax error in a configuration, from the error of the parser.
import type { ErrorLine } from './use-error.ts'

/** A syntax error with its place. */
export interface SyntaxErrorPlace extends ErrorLine {
  readonly message: string
}

/**
 * The place of a syntax error, from what `JSON.parse` or jiti threw.
 *
 * @param text of the file
 * @returns null for other errors, and for an error without a place
 *
 * Cost: O(length × log length).
 */
export function syntaxErrorIn(text: string, error: unknown): SyntaxErrorPlace | null {
  if (!(error instanceof Error)) return null
  const lines = text.split('\n')
  const placed = (message: string, line: number, column: number) => {
    const lineText = (lines[line - 1] ?? '').replace(/\r$/, '')
    return { message: `${message}.`, line, column, lineText }
  }
  // jiti: the message, then the path with the line, from 1, and the column, from 0.
  const [first = '', ...others] = error.message.trimEnd().split('\n')
  const [, reason] = /^ParseError:(.*)$/s.exec(first.trimEnd().replace(/\.$/, '')) ?? []
  const [, line, column] = /:(\d+):(\d+)$/.exec(others.at(-1) ?? '') ?? []
  if (reason !== undefined && line !== undefined)
    return placed(reason.trimStart(), Number(line), Number(column) + 1)
  if (!(error instanceof SyntaxError) || !error.message.includes('JSON')) return null
  const offset = jsonOffset(text, error.message)
  const before = text.slice(0, offset).split('\n')
  return placed(jsonReason(error.message), before.length, (before.at(-1) ?? '').length + 1)
}

/** The offset of the first character that no JSON text could have there; the end of the text if it lacks something. */
function jsonOffset(text: string, message: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  if (!isToken(message)) return text.trimEnd().length
  // V8 does not say where an unexpected token is. Texts that end before it are refused for other reasons.
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isToken(messageOf(text.slice(0, middle + 1)))) high = middle
    else low = middle + 1
  }
  return low
}

function isToken(message: string): boolean {
  return message.startsWith('Unexpected token')
}

function messageOf(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** Without the text around the place: the frame shows it. */
function jsonReason(message: string): string {
  return message
    .replace(/, (?:\.\.\.)?".*$/s, '')
    .replace(/ (?:in JSON )?at position .*$/s, '')
    .replace(/ of JSON input$/, ' of the file')
}
