// Problems at an offset of a text, and the normal form of the text of a file.
import { type Diagnostic, diagnosticAt, type Position, type Problem } from '../diagnostics.ts'

/** A problem at an offset of a text, in UTF-16 code units. */
export interface Finding extends Problem {
  readonly offset: number
}

/** Returns the position of an offset, clamped to the text. Cost: O(offset). */
export function positionIn(text: string, offset: number, firstLine = 1): Position {
  const before = text.slice(0, offset)
  const line = firstLine + before.split('\n').length - 1
  return { line, column: before.length - before.lastIndexOf('\n') }
}

/**
 * Places a finding in its file, with its source line.
 *
 * @param firstLine line of the file on which `text` begins
 */
export function diagnose(file: string, text: string, finding: Finding, firstLine = 1): Diagnostic {
  const at = positionIn(text, finding.offset, firstLine)
  const lineText = text.split('\n', at.line - firstLine + 1).at(-1)
  return diagnosticAt(file, at, finding, lineText)
}

/**
 * Normalizes the text of a file: removes U+FEFF from its start, and converts the CRLF of a Windows checkout to LF.
 * Lines and columns stay the same.
 */
export function plainText(text: string): string {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text
  return marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked
}

/** Quotes text for a message: one line, at most 40 characters. */
export function quoteExcerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
