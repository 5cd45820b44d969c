// A problem of a body: located relative to the body, then in its file.
import type { Nodes } from 'mdast'
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticAt,
  type Problem as PlainProblem,
  type Position,
  type Severity,
  sortDiagnostics,
} from '../diagnostics.ts'

/** A problem in a body: `line` and `column` count from 1 at the body's first character. */
export interface Problem extends PlainProblem, Position {
  readonly severity: Severity
  readonly hint: string
}

/** A body and its place in the content. */
export interface PlacedText {
  /** Path relative to the content folder, with `/`. */
  readonly file: string
  /** Markdown without front matter. */
  readonly body: string
  /** The first line of `body` in the file, from 1. */
  readonly bodyLine: number
}

/** Maximum number of problems of one kind per body: a body of one mebibyte could contain 100,000. */
export const problemsMax = 20

/** The position of problems that concern a body as a whole. */
export const bodyStart: Position = { line: 1, column: 1 }

/**
 * Limits problems of one kind to `problemsMax`.
 *
 * @returns the first ones; the last of them states how many more there are
 */
export function limitProblems(problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - problemsMax
  const last = problems[problemsMax - 1]
  if (more <= 0 || last === undefined) return problems
  const message = `${last.message} There are ${more} more of this kind.`
  return [...problems.slice(0, problemsMax - 1), { ...last, message }]
}

/** The position of a node, or the body's start when it has none. */
export function placeOf(node: {
  readonly position?: { readonly start: Position } | undefined
}): Position {
  const { line, column } = node.position?.start ?? bodyStart
  return { line, column }
}

/** The offsets of the start and the end of a node in its body. */
export function rangeOf({ position }: Nodes): readonly [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0]
}

/** A warning. */
export function warning(
  code: DiagnosticCode,
  { line, column }: Position,
  message: string,
  hint: string,
): Problem {
  return { line, column, code, severity: 'warning', message, hint }
}

/** An error of a body as a whole. */
export function failure(code: DiagnosticCode, message: string, hint: string): Problem {
  return { ...bodyStart, code, severity: 'error', message, hint }
}

/** Diagnostics of a body in its file, sorted. */
export function diagnose(
  { file, body, bodyLine }: PlacedText,
  problems: readonly Problem[],
): readonly Diagnostic[] {
  if (problems.length === 0) return []
  const lines = body.split(/\r\n|\n|\r/)
  const diagnostics = problems.map((problem) => {
    const place = { line: bodyLine + problem.line - 1, column: problem.column }
    return { ...problem, ...diagnosticAt(file, place, problem, lines[problem.line - 1] ?? '') }
  })
  return sortDiagnostics(diagnostics)
}

/** The error of a body whose rendering threw: a fault of the renderer, reported by its first line. */
export function failedProblem(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n', 1)
  return failure('render-failed', `The Markdown could not be rendered: ${line}`, hint)
}

/** The error of a body that exceeded its time budget. */
export function timeoutProblem(seconds: number): Problem {
  const budget = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return failure('render-timeout', `The Markdown was not rendered within ${budget}.`, hint)
}

/** The error of a body that exceeded its memory budget. */
export function memoryProblem(heapLimitMb: number): Problem {
  return failure(
    'render-out-of-memory',
    `Rendering the Markdown took more than ${heapLimitMb} MB.`,
    hint,
  )
}

const hint = 'Split the body, or look for thousands of brackets, asterisks or table cells in a row.'
