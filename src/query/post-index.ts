// The index of one workspace: publication times, identifiers and posting lists, and filters over them.
// Knows ids and ordinals, nothing of posts; text search is handed in.
import type { TermKind } from '../api/resources.ts'
import type { Awaitable, PostFilter } from '../api/snapshot.ts'
import { fold } from './fold.ts'
import { findIdentifier, type IdentifierTable } from './identifiers.ts'
import { listAt, type PackedLists } from './packed-lists.ts'
import { intersect, subtract, unite } from './posting-lists.ts'

/** Terms of one kind: ordinals in name order. */
export interface TermIndex {
  /** Slugs and ids. */
  readonly identifiers: IdentifierTable
  /** Slugs alone: what a filter names. */
  readonly slugs: IdentifierTable
  /** Posts of each term. */
  readonly postings: PackedLists
}

/** Posts of one workspace: ordinals in publication order, latest first. */
export interface PostIndex {
  /** Milliseconds since 1970, never rising. */
  readonly publishedAt: Float64Array
  readonly identifiers: IdentifierTable
  /** Every ordinal. */
  readonly all: Uint32Array
  readonly featured: Uint32Array
  readonly terms: Readonly<Record<TermKind, TermIndex>>
}

/** Finds posts by text. */
export interface TextSearch {
  /** @param needle folded, not empty @returns ascending and unique */
  search(needle: string): Awaitable<Uint32Array>
}

/**
 * Posts that pass a filter, in publication order.
 *
 * @returns ascending and unique; maybe one of the index's own lists, so never to be written to
 *
 * Cost: O(Σ lengths of the lists named), without text.
 */
export function selectPosts(
  filter: PostFilter,
  index: PostIndex,
  text: TextSearch,
): Awaitable<Uint32Array> {
  const selected = selectByTerms(filter, index)
  const needle = fold(filter.query)
  if (needle === '' || selected.length === 0) return selected
  const found = text.search(needle)
  if (selected === index.all) return found
  return found instanceof Uint32Array
    ? intersect(selected, found)
    : found.then((ordinals) => intersect(selected, ordinals))
}

function selectByTerms(filter: PostFilter, index: PostIndex): Uint32Array {
  const { all, featured, terms } = index
  const united = (kind: TermKind, slugs: readonly string[]) =>
    unite(listsOf(terms[kind], slugs), all.length)
  let selected = all
  if (filter.featured === true) selected = featured
  if (filter.featured === false) selected = subtract(all, featured)
  for (const kind of ['categories', 'tags'] as const) {
    if (filter[kind].length === 0) continue
    const named = united(kind, filter[kind])
    selected = selected === all ? named : intersect(selected, named)
  }
  if (filter.excludeCategories.length > 0) {
    selected = subtract(selected, united('categories', filter.excludeCategories))
  }
  if (filter.excludeTags.length > 0)
    selected = subtract(selected, united('tags', filter.excludeTags))
  return selected
}

/** An unknown slug has no list. */
function listsOf(terms: TermIndex, slugs: readonly string[]): readonly Uint32Array[] {
  return slugs
    .map((slug) => findIdentifier(terms.slugs, slug))
    .filter((term) => term !== -1)
    .map((term) => listAt(terms.postings, term))
}
