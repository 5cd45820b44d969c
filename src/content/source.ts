// Positions of problems in a text, the normal form of a text, the nearest known name, and kinds of paths.
import { distance } from 'fastest-levenshtein'
import { partitionPoint } from '../api/visibility.ts'
import { type Diagnostic, diagnosticAt, type Position, type Problem } from '../diagnostics.ts'

/** A problem at an offset of a text, in UTF-16 code units. */
export interface Finding extends Problem {
  readonly offset: number
}

/** Returns the function from an offset, clamped to the text, to its position. Cost: O(length), then O(log lines) per offset. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  return (offset) => {
    const at = Math.min(offset, text.length)
    const line = partitionPoint(starts.length, (index) => (starts[index] ?? 0) <= at)
    return { line, column: at - (starts[line - 1] ?? 0) + 1 }
  }
}

/** Places findings in their file, in its order. */
export function diagnose(file: string, text: string, found: readonly Finding[]): Diagnostic[] {
  const positionOf = positionsIn(text)
  const placed = found.map((finding) => [finding, positionOf(finding.offset)] as const)
  return diagnoseAll(file, text, placed)
}

/** A problem and its position in a file. */
export type PlacedProblem = readonly [problem: Problem, at: Position]

/** Places the problems of a file, in the order of the file. */
export function diagnoseAll(
  file: string,
  text: string,
  problems: readonly PlacedProblem[],
): Diagnostic[] {
  const lines = text.split('\n')
  return problems
    .toSorted(([, a], [, b]) => a.line - b.line || a.column - b.column)
    .map(([problem, at]) => diagnosticAt(file, at, problem, lines[at.line - 1]))
}

/** Removes a byte order mark, and replaces CRLF and CR by LF. Lines and columns stay the same. */
export function normalizeText(text: string): string {
  const withoutBom = text.startsWith('\uFEFF') ? text.slice(1) : text
  return withoutBom.includes('\r') ? withoutBom.replace(/\r\n?/g, '\n') : withoutBom
}

/** Returns the known name at the smallest distance, at most a third of the length; never another letter. Ties are broken by code units. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const isOfLength = (one: string) => Math.abs(one.length - name.length) <= limit
  const near = [...known].filter(isOfLength).map((one) => [editDistance(name, one), one] as const)
  const [best] = near
    .filter(([edits, one]) => edits <= limit && edits < Math.max(name.length, one.length))
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
