// A problem of a body, located relative to the body.
import type { DiagnosticCode, Position, Severity } from '../diagnostics.ts'

/** A problem in a body: `line` and `column` count from 1 at the body's first character. */
export interface Problem extends Position {
  /** Stable kebab-case name of the kind of problem: `raw-html`. */
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** One sentence: the problem. */
  readonly message: string
  /** One sentence: the fix. */
  readonly hint: string
}

/** Maximum number of problems of one kind per body: a body of one mebibyte could contain 100,000. */
export const problemsMax = 20

/** The position of problems that concern a body as a whole. */
export const bodyStart: Position = { line: 1, column: 1 }

/**
 * Limits problems of one kind to `problemsMax`.
 *
 * @param problems of one kind, in order
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
