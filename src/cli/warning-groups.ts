// Warnings of one kind put together, so that a thousand files with the same one are one line.
// Knows nothing of terminals.
import { type Diagnostic, isError } from '../diagnostics.ts'

/** Diagnostics that say the same: the first of them stands for all. */
export interface DiagnosticGroup {
  readonly first: Diagnostic
  readonly count: number
  /** How many files they are in. */
  readonly files: number
}

/** What is printed of many diagnostics. */
export interface ShownDiagnostics {
  readonly groups: readonly DiagnosticGroup[]
  /** Warnings beyond those, by code. */
  readonly hidden: ReadonlyMap<string, number>
}

/**
 * Every error by itself, and warnings of the same code and words as one.
 *
 * @param shownMax groups of warnings of one code; the warnings of others are counted
 */
export function groupDiagnostics(
  diagnostics: readonly Diagnostic[],
  shownMax: number,
): ShownDiagnostics {
  const groups: DiagnosticGroup[] = []
  const hidden = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const [first, ...others] of alike(diagnostics)) {
    if (first === undefined) continue
    const count = others.length + 1
    const number = (seen.get(first.code) ?? 0) + 1
    if (!isError(first)) seen.set(first.code, number)
    if (isError(first) || number <= shownMax) {
      const files = new Set([first, ...others].map(({ file }) => file)).size
      groups.push({ first, count, files })
    } else hidden.set(first.code, (hidden.get(first.code) ?? 0) + count)
  }
  return { groups, hidden }
}

/** In the order of the first of each. */
function alike(diagnostics: readonly Diagnostic[]): Iterable<readonly Diagnostic[]> {
  const lists = new Map<string, Diagnostic[]>()
  for (const [index, diagnostic] of diagnostics.entries()) {
    const { code, message, hint = '' } = diagnostic
    const key = isError(diagnostic) ? String(index) : JSON.stringify([code, message, hint])
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [diagnostic])
    else list.push(diagnostic)
  }
  return lists.values()
}
