// A text with its places: from an offset to line and column, and from there to a diagnostic.
import type { Diagnostic, DiagnosticCode, Position, Severity } from '../diagnostics.ts'

/** A file's text, or a run of whole lines of it. */
export interface Source {
  /** Path below the content folder, with `/`. */
  readonly file: string
  readonly text: string
  /** Line of the file on which `text` begins, from 1. */
  readonly firstLine: number
  /** Offsets at which the lines of `text` begin: ascending, the first is 0. */
  readonly lineStarts: readonly number[]
}

/** A problem without its place. */
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

/** Where a problem of a whole file is shown. */
export const FILE_START: Position = { line: 1, column: 1 }

// Longer lines make no code frame that anybody could read.
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

/** The place of an offset; offsets beyond the text count as its end. Cost: O(log lines). */
export function positionAt(source: Source, offset: number): Position {
  const place = Math.min(offset, source.text.length)
  const index = lineIndexAt(source.lineStarts, place)
  const start = source.lineStarts[index] ?? 0
  return { line: source.firstLine + index, column: place - start + 1 }
}

/** A finding as a diagnostic, with the text of its line unless that is over 500 characters long. */
export function diagnose(source: Source, finding: Finding): Diagnostic {
  const at = positionAt(source, finding.offset)
  const diagnostic = diagnoseAt(source.file, at, finding)
  const lineText = lineTextAt(source, at.line - source.firstLine)
  return lineText.length > MAX_LINE_TEXT ? diagnostic : { ...diagnostic, lineText }
}

/** A problem at a known place, without the text of its line. */
export function diagnoseAt(file: string, at: Position, problem: Problem): Diagnostic {
  const { code, message, hint, severity = 'error' } = problem
  const place = { file, line: at.line, column: at.column }
  return { code, severity, ...place, message, ...(hint === undefined ? {} : { hint }) }
}

/**
 * The text of a file as all machines have it: without the U+FEFF that some editors begin a file with, and with LF where
 * a checkout on Windows has CRLF. Lines and columns stay the same.
 */
export function plainText(text: string): string {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text
  return marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked
}

/** Text in quotes for a message: on one line, at most 40 characters of it. */
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
