// The facets of a list: how many of its posts have each category, tag and author.

import { whenAllReady } from './awaitable.ts'
import { type TermKind, termKinds } from './resources.ts'
import type { Awaitable, PostSelection, Snapshot } from './snapshot.ts'

/** The facets of a selection as JSON: ordered by count, then by name. */
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

/** Terms are in name order, so that a stable sort by count leaves ties in it. */
function entries(kind: TermKind, counts: Uint32Array, snapshot: Snapshot): string {
  const terms = counts.length
  const most = counts.reduce((a, b) => Math.max(a, b), 0)
  // A number for each term, as a sort of numbers takes a third of the time of one that compares (2026-11).
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
 * Makes `facetHead` of a snapshot; a text is made once for each term.
 *
 * @param read the JSON of a term, without its closing brace
 */
export function facetHeadOf(
  read: (kind: TermKind, term: number) => Uint8Array,
): Snapshot['facetHead'] {
  const known = { categories: [] as string[], tags: [] as string[], authors: [] as string[] }
  return (kind, term) => (known[kind][term] ??= headOf(read(kind, term)))
}

function headOf(json: Uint8Array): string {
  const { slug, name } = JSON.parse(`${new TextDecoder().decode(json)}}`)
  return `${JSON.stringify({ slug, name }).slice(0, -1)},"count":`
}
