// Groups equal warnings, so that a thousand files with the same one take one line.
import { type Diagnostic, isError, type Severity } from '../diagnostics.ts'

/** Equal diagnostics, represented by the first. */
export interface DiagnosticGroup {
  readonly first: Diagnostic
  readonly count: number
  /** Number of files with it. */
  readonly files: number
}

/** The printed part of many diagnostics. */
export interface ShownDiagnostics {
  readonly groups: readonly DiagnosticGroup[]
  /** Numbers of the others, by code and severity: `broken-link error`. */
  readonly hidden: ReadonlyMap<string, number>
}

/** Limits of printed groups per code, by severity. */
export type ShownMax = Readonly<Record<Severity, number>>

/**
 * Groups warnings with the same code and message; each error is its own group. Groups beyond the limit are counted.
 *
 * @param diagnostics those of each file are consecutive
 */
export function groupDiagnostics(
  diagnostics: readonly Diagnostic[],
  shownMax: ShownMax,
): ShownDiagnostics {
  const groups: DiagnosticGroup[] = []
  const hidden = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const group of alike(diagnostics)) {
    const kind = `${group.first.code} ${group.first.severity}`
    const number = (seen.get(kind) ?? 0) + 1
    seen.set(kind, number)
    if (number <= shownMax[group.first.severity]) groups.push(group)
    else hidden.set(kind, (hidden.get(kind) ?? 0) + group.count)
  }
  return { groups, hidden }
}

interface GrowingGroup extends DiagnosticGroup {
  count: number
  files: number
  lastFile: string
}

/** In the order of their first diagnostics. */
function alike(diagnostics: readonly Diagnostic[]): readonly DiagnosticGroup[] {
  const groups: GrowingGroup[] = []
  const byWords = new Map<string, GrowingGroup>()
  for (const first of diagnostics) {
    const words = `${first.code} ${first.message} ${first.hint ?? ''}`
    const existing = isError(first) ? undefined : byWords.get(words)
    if (existing === undefined) {
      const group = { first, count: 1, files: 1, lastFile: first.file }
      groups.push(group)
      if (!isError(first)) byWords.set(words, group)
      continue
    }
    existing.count += 1
    if (existing.lastFile !== first.file) existing.files += 1
    existing.lastFile = first.file
  }
  return groups
}
