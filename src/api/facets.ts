// Facets of a list: the number of its posts per category, tag and author.

import { whenAllReady } from './awaitable.ts'
import { type TermKind, termKinds } from './resources.ts'
import type { Awaitable, PostSelection, Snapshot } from './snapshot.ts'

/** Returns the facets of a selection as JSON, by count and then by name. */
export function facetsJson(selection: PostSelection, snapshot: Snapshot): Awaitable<string> {
  return whenAllReady(
    termKinds.map((kind) => selection.countsOf(kind)),
    (counts) => {
      const parts = termKinds.map(
        (kind, at) => `"${kind}":[${entries(kind, counts[at] ?? new Uint32Array(0), snapshot)}]`,
      )
      return `{${parts.join(',')}}`
    },
  )
}

/** Formats one facet. Terms are in name order, so ties keep that order. */
function entries(kind: TermKind, counts: Uint32Array, snapshot: Snapshot): string {
  const terms = counts.length
  const most = counts.reduce((a, b) => Math.max(a, b), 0)
  // One number per term holds count and term: sorting numbers takes a third of the time of a comparator (2026-11).
  const keys = Float64Array.from(counts, (count, term) => (most - count) * terms + term).sort()
  const parts: string[] = []
  for (const key of keys) {
    const term = key % terms
    const count = counts[term] ?? 0
    if (count === 0) break
    parts.push(`${snapshot.facetHead(kind, term)}${count}}`)
  }
  return parts.join()
}

/**
 * Returns the `facetHead` of a snapshot, memoized per term.
 *
 * @param read returns the JSON of a term, without its closing brace
 */
export function facetHeadOf(
  read: (kind: TermKind, term: number) => Uint8Array,
): Snapshot['facetHead'] {
  const heads = { categories: [] as string[], tags: [] as string[], authors: [] as string[] }
  return (kind, term) => (heads[kind][term] ??= headOf(read(kind, term)))
}

function headOf(json: Uint8Array): string {
  const { slug, name } = JSON.parse(`${new TextDecoder().decode(json)}}`)
  return `${JSON.stringify({ slug, name }).slice(0, -1)},"count":`
}
