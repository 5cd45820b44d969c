// Text with positions: from offsets to lines and columns, and to diagnostics.
import type { Diagnostic, DiagnosticCode, Position, Severity } from '../diagnostics.ts'

/** A file's text, or some whole lines of it. */
export interface Source {
  /** Path below the content folder, with `/`. */
  readonly file: string
  readonly text: string
  /** Line of the file on which `text` begins, from 1. */
  readonly firstLine: number
  /** Offsets of line starts in `text`: ascending, the first is 0. */
  readonly lineStarts: readonly number[]
}

/** A problem without its position. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string
  /** Default `error`. */
  readonly severity?: Severity
}

/** A problem at an offset of a text, in UTF-16 code units. */
export interface Finding extends Problem {
  readonly offset: number
}

/** Position of problems that concern a whole file. */
export const FILE_START: Position = { line: 1, column: 1 }

// Longer lines are unreadable in a code frame.
const MAX_LINE_TEXT = 500
const MAX_EXCERPT = 40

/** @param firstLine line of the file on which `text` begins, default 1 */
export function createSource(file: string, text: string, firstLine = 1): Source {
  const lineStarts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    lineStarts.push(end + 1)
  }
  return { file, text, firstLine, lineStarts }
}

/** Returns the position of an offset, clamped to the text. Cost: O(log lines). */
export function positionAt(source: Source, offset: number): Position {
  const place = Math.min(offset, source.text.length)
  const index = lineIndexAt(source.lineStarts, place)
  const start = source.lineStarts[index] ?? 0
  return { line: source.firstLine + index, column: place - start + 1 }
}

/** Converts a finding to a diagnostic, with its source line unless that exceeds 500 characters. */
export function diagnose(source: Source, finding: Finding): Diagnostic {
  const at = positionAt(source, finding.offset)
  const diagnostic = diagnoseAt(source.file, at, finding)
  const lineText = lineTextAt(source, at.line - source.firstLine)
  return lineText.length > MAX_LINE_TEXT ? diagnostic : { ...diagnostic, lineText }
}

/** Converts a problem at a position to a diagnostic without a source line. */
export function diagnoseAt(file: string, at: Position, problem: Problem): Diagnostic {
  const { code, message, hint, severity = 'error' } = problem
  const place = { file, line: at.line, column: at.column }
  return { code, severity, ...place, message, ...(hint === undefined ? {} : { hint }) }
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
  return JSON.stringify(text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text)
}

function lineIndexAt(lineStarts: readonly number[], offset: number): number {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function lineTextAt({ text, lineStarts }: Source, index: number): string {
  const start = lineStarts[index] ?? 0
  const next = lineStarts[index + 1]
  return next === undefined ? text.slice(start) : text.slice(start, next - 1)
}
