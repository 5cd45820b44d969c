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
  const countOf = (term: number) => counts[term] ?? 0
  const terms = Array.from(counts.keys()).filter((term) => countOf(term) > 0)
  return terms
    .sort((a, b) => countOf(b) - countOf(a))
    .map((term) => `{${snapshot.termNames(kind, term)},"count":${countOf(term)}}`)
    .join()
}

/**
 * Makes `termNames` of a snapshot; a text is made once for each term.
 *
 * @param read the JSON of a term, without its closing brace
 */
export function termNamesOf(
  read: (kind: TermKind, term: number) => Uint8Array,
): Snapshot['termNames'] {
  const known = { categories: [] as string[], tags: [] as string[], authors: [] as string[] }
  return (kind, term) => (known[kind][term] ??= namesIn(read(kind, term)))
}

function namesIn(json: Uint8Array): string {
  const { slug, name } = JSON.parse(`${new TextDecoder().decode(json)}}`)
  return JSON.stringify({ slug, name }).slice(1, -1)
}
