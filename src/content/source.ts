// Positions of problems in a text, the normal form of a text, the nearest known name, and kinds of paths.
import { distance } from 'fastest-levenshtein'
import { type Diagnostic, diagnosticAt, type Position, type Problem } from '../diagnostics.ts'

/** A problem at an offset of a text, in UTF-16 code units. */
export interface Finding extends Problem {
  readonly offset: number
}

/** Returns the position of an offset, clamped to the text. Cost: O(offset). */
export function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}

/** Places a finding in its file. @param firstLine line of the file on which `text` begins */
export function diagnose(file: string, text: string, finding: Finding, firstLine = 1): Diagnostic {
  const { line, column } = positionIn(text, finding.offset)
  const at = { line: line + firstLine - 1, column }
  return diagnosticAt(file, at, finding, text.split('\n', line).at(-1))
}

/** A problem and its position in a file. */
export type PlacedProblem = readonly [problem: Problem, at: Position]

/** Places the first 100 problems of a file, in the order of the file. */
export function diagnoseAll(
  file: string,
  text: string,
  problems: readonly PlacedProblem[],
): readonly Diagnostic[] {
  const lines = text.split('\n')
  return problems
    .toSorted(([, a], [, b]) => a.line - b.line || a.column - b.column)
    .slice(0, 100)
    .map(([problem, at]) => diagnosticAt(file, at, problem, lines[at.line - 1]))
}

/** Removes a byte order mark, and replaces CRLF and CR by LF. Lines and columns stay the same. */
export function normalizeText(text: string): string {
  const withoutBom = text.startsWith('\uFEFF') ? text.slice(1) : text
  return withoutBom.includes('\r') ? withoutBom.replace(/\r\n?/g, '\n') : withoutBom
}

/** Returns the known name at the smallest distance, at most a third of the length. Ties are broken by code units. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const isOfLength = (one: string) => Math.abs(one.length - name.length) <= limit
  const near = [...known].filter(isOfLength).map((one) => [editDistance(name, one), one] as const)
  const [best] = near
    .filter(([edits]) => edits <= limit)
    .sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1))
  return best?.[1]
}

/** Returns the edit distance of two names; two swapped letters count as one edit. */
export function editDistance(a: string, b: string): number {
  const edits = distance(a, b)
  return edits === 2 && [...a].sort().join() === [...b].sort().join() ? 1 : edits
}

/** Reports whether a URL is a relative path: not from the root, not only a fragment or query, and without a scheme. */
export function isRelativePath(url: string): boolean {
  return url !== '' && !/^[/\\#?]/.test(url) && !/^[a-z][a-z0-9+.-]*:/iu.test(url)
}

/** Reports whether a URL is a path from the root of a site, `/img/a.png`, or of a project, `@site/static/img/a.png`. */
export function isRootPath(url: string): boolean {
  return /^(?:\/(?![/\\])|@site\/)/.test(url)
}
