// The index of one workspace: publication times, identifiers and posting lists, and filters over them.
// Knows ids and ordinals, nothing of posts; text search is handed in.
import { whenReady } from '../api/awaitable.ts'
import type { TermKind } from '../api/resources.ts'
import type { Awaitable, Ordinals, PostFilter } from '../api/snapshot.ts'
import { postsFrom } from '../api/visibility.ts'
import { keepAll } from './bitmaps.ts'
import { fold } from './fold.ts'
import { findIdentifier, type IdentifierTable } from './identifiers.ts'
import { type BitmapCache, ListBitmaps, type NamedList } from './list-bitmaps.ts'
import { OrdinalSet } from './ordinal-set.ts'
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
  /** Terms that no file states: ascending ordinals. */
  readonly created: Uint32Array
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
  /**
   * @param query folded, not empty
   * @param first posts before this ordinal are left out before any text is read; 0 without it
   * @returns ascending and unique
   */
  search(query: string, first?: number): Awaitable<Uint32Array | OrdinalSet>
}

/**
 * Posts that pass a filter, in publication order, from an ordinal on.
 *
 * @param first scheduled posts are before it: they are left out before any text is read
 * @param known of the same index
 * @returns maybe one of the index's own lists, so never to be written to
 *
 * Cost: without text O(posts / 32) where all lists that it keeps posts of are long, O(shorter × log gap) for each list
 * where one is short.
 */
export function selectPosts(
  filter: PostFilter,
  index: PostIndex,
  text: TextSearch,
  { first = 0, known }: { readonly first?: number; readonly known?: BitmapCache } = {},
): Awaitable<Ordinals> {
  const all = selectByTerms(filter, index, known)
  const selected = postsFrom(all, first)
  const query = fold(filter.query)
  if (query === '' || selected.length === 0) return selected
  const found = text.search(query, first)
  if (all === index.all) return found
  return whenReady(found, (posts) => {
    if (posts instanceof OrdinalSet) return posts.among(selected.slice(0, selected.length))
    return selected instanceof OrdinalSet ? selected.among(posts) : intersect(selected, posts)
  })
}

function selectByTerms(
  filter: PostFilter,
  index: PostIndex,
  known: BitmapCache | undefined,
): Uint32Array | OrdinalSet {
  const { all, featured } = index
  const isFeatured: readonly NamedList[] = [{ name: 'featured', posts: featured }]
  const kept = filter.featured === true ? [isFeatured] : []
  for (const kind of ['categories', 'tags'] as const) {
    if (filter[kind].length > 0) kept.push(listsOf(index, kind, filter[kind]))
  }
  const dropped = [
    ...(filter.featured === false ? isFeatured : []),
    ...listsOf(index, 'categories', filter.excludeCategories),
    ...listsOf(index, 'tags', filter.excludeTags),
  ]
  const [first = [{ name: 'all', posts: all }], ...more] = kept
  const bitmaps = new ListBitmaps(all.length, known)
  const isOneList = first.length + more.length + dropped.length === 1
  if (!isOneList && [first, ...more].every((lists) => bitmaps.areDense(lists))) {
    const bits = bitmaps.of(first).slice()
    for (const lists of more) keepAll(bits, bitmaps.of(lists))
    return new OrdinalSet(dropped.length === 0 ? bits : keepAll(bits, bitmaps.of(dropped), -1))
  }
  const unionOf = (lists: readonly NamedList[]) =>
    unite(
      lists.map(({ posts }) => posts),
      all.length,
    )
  const selected = more.reduce((posts, lists) => intersect(posts, unionOf(lists)), unionOf(first))
  return dropped.length === 0 ? selected : subtract(selected, unionOf(dropped))
}

/** An unknown slug has no list. */
function listsOf(index: PostIndex, kind: TermKind, slugs: readonly string[]): NamedList[] {
  const { slugs: table, postings } = index.terms[kind]
  return slugs.flatMap((slug) => {
    const term = findIdentifier(table, slug)
    return term === -1 ? [] : { name: `${kind} ${term}`, posts: listAt(postings, term) }
  })
}
