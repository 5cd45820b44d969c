// A problem of a body, placed relative to the body itself.
import type { DiagnosticCode, Position, Severity } from '../diagnostics.ts'

/** One problem in a body: `line` and `column` count from 1 at the body's first character. */
export interface Problem extends Position {
  /** Stable kebab-case name of the kind of problem: `raw-html`. */
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** One sentence: what is wrong. */
  readonly message: string
  /** One sentence: what to do about it. */
  readonly hint: string
}

/** The most problems of one kind that one body reports: a body of a mebibyte could hold 100,000. */
export const problemsMax = 20

/** Where a problem is placed that belongs to a body as a whole. */
export const bodyStart: Position = { line: 1, column: 1 }

/**
 * At most `problemsMax` problems of one kind.
 *
 * @param problems of one kind, in order
 * @returns the first of them; the last kept one tells how many more there are
 */
export function limitProblems(problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - problemsMax
  const last = problems[problemsMax - 1]
  if (more <= 0 || last === undefined) return problems
  const message = `${last.message} There are ${more} more of this kind.`
  return [...problems.slice(0, problemsMax - 1), { ...last, message }]
}

/** The place of a node, or the body's start for one that the parser did not place. */
export function placeOf(node: {
  readonly position?: { readonly start: Position } | undefined
}): Position {
  const { line, column } = node.position?.start ?? bodyStart
  return { line, column }
}
