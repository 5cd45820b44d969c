// Filters over the index of a workspace; the text search is a parameter.
import { whenReady } from '../api/awaitable.ts'
import type { FieldFilter } from '../api/field-parameters.ts'
import type { TermKind } from '../api/resources.ts'
import type { Awaitable, Ordinals, PostFilter } from '../api/snapshot.ts'
import { partitionPoint, postsFrom } from '../api/visibility.ts'
import { keepAll, keepBelow, keepFrom } from './bitmaps.ts'
import { fieldLists } from './field-index.ts'
import { fold } from './fold.ts'
import { findIdentifier } from './identifiers.ts'
import { type BitmapCache, ListBitmaps, type NamedList } from './list-bitmaps.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { listAt } from './packed-lists.ts'
import type { PostIndex, TextSearch } from './post-index.ts'
import { findPosts } from './post-names.ts'
import { intersect, subtract, unite } from './posting-lists.ts'

/** Options of `selectPosts`. */
export interface SelectOptions {
  /** Ordinal of the first visible post. @default 0 */
  readonly first?: number
  /** Bitmaps of the same index. */
  readonly known?: BitmapCache | undefined
  /** Returns many posts as a set, even when a single list contains them all. @default false */
  readonly isSet?: boolean
  /** Ascending; other posts are excluded. @default all posts */
  readonly among?: Uint32Array | undefined
}

/**
 * Selects the posts that pass a filter, in publication order, from an ordinal on.
 *
 * @param first excludes scheduled posts, which precede it, before any text is read
 * @param known bitmaps of the same index
 * @returns possibly a list of the index itself: read-only
 *
 * Cost without text: O(posts / 32) when all included lists are long, O(shorter × log gap) per list when one is short;
 * plus O(posts updated between two times).
 */
export function selectPosts(
  filter: PostFilter,
  index: PostIndex,
  text: TextSearch,
  options: SelectOptions = {},
): Awaitable<Ordinals> {
  const { first = 0 } = options
  const all = selectByLists(filter, index, options)
  const selected = postsFrom(all, first)
  const query = fold(filter.query)
  if (query === '' || selected.length === 0) return selected
  const found = text.search(query, first)
  if (all === index.all) return found
  return whenReady(found, (posts) => combine(selected, posts))
}

/** The posts in both sets. */
function combine(selected: Uint32Array | OrdinalSet, found: Uint32Array | OrdinalSet): Uint32Array {
  if (found instanceof OrdinalSet) return found.among(selected.slice(0, selected.length))
  return selected instanceof OrdinalSet ? selected.among(found) : intersect(selected, found)
}

function selectByLists(
  filter: PostFilter,
  index: PostIndex,
  { known, isSet = false, among }: SelectOptions,
): Uint32Array | OrdinalSet {
  const { all } = index
  const kept = keptLists(filter, index)
  if (among !== undefined) kept.push([{ name: null, posts: among }])
  const dropped = droppedLists(filter, index)
  const [from, to] = publishedRange(filter, index)
  const [first = [{ name: 'all', posts: all }], ...more] = kept
  const bitmaps = new ListBitmaps(all.length, known)
  if (kept.length + dropped.length === 0) return between(all, from, to)
  const isOneList = !isSet && first.length + more.length + dropped.length === 1
  if (!isOneList && [first, ...more].every((lists) => bitmaps.areDense(lists))) {
    const bits = bitmaps.of(first).slice()
    for (const lists of more) keepAll(bits, bitmaps.of(lists))
    if (dropped.length > 0) keepAll(bits, bitmaps.of(dropped), -1)
    return new OrdinalSet(keepFrom(keepBelow(bits, to), from))
  }
  const unionOf = (lists: readonly NamedList[]) =>
    unite(
      lists.map(({ posts }) => posts),
      all.length,
    )
  const united = more.reduce((posts, lists) => intersect(posts, unionOf(lists)), unionOf(first))
  const selected = between(united, from, to)
  return dropped.length === 0 ? selected : subtract(selected, unionOf(dropped))
}

/** Unions of lists; a post must be in each union. */
function keptLists(filter: PostFilter, index: PostIndex): NamedList[][] {
  const kept: NamedList[][] = filter.featured === true ? [[featuredOf(index)]] : []
  for (const kind of ['categories', 'tags', 'authors'] as const) {
    if (filter[kind].length > 0) kept.push(listsOf(index, kind, filter[kind]))
  }
  for (const kind of ['slugs', 'ids'] as const) {
    if (filter[kind].length === 0) continue
    kept.push([{ name: null, posts: findPosts(index.names, kind, filter[kind]) }])
  }
  if (filter.updatedAfter !== null || filter.updatedBefore !== null)
    kept.push([{ name: null, posts: updatedBetween(filter, index) }])
  for (const each of filter.fields) {
    if (each.operator !== 'ne') kept.push(listsOfField(index, each))
  }
  return kept
}

/** Lists that exclude their posts. */
function droppedLists(filter: PostFilter, index: PostIndex): NamedList[] {
  return [
    ...(filter.featured === false ? [featuredOf(index)] : []),
    ...listsOf(index, 'categories', filter.excludeCategories),
    ...listsOf(index, 'tags', filter.excludeTags),
    ...listsOf(index, 'authors', filter.excludeAuthors),
    ...filter.fields.flatMap((each) => (each.operator === 'ne' ? listsOfField(index, each) : [])),
  ]
}

function featuredOf({ featured }: PostIndex): NamedList {
  return { name: 'featured', posts: featured }
}

function listsOfField({ fields, all }: PostIndex, filter: FieldFilter): NamedList[] {
  const field = fields?.[filter.name]
  return field === undefined ? [] : [...fieldLists(field, filter, all.length)]
}

/** Unknown slugs have no list. */
function listsOf(index: PostIndex, kind: TermKind, slugs: readonly string[]): NamedList[] {
  const { slugs: table, postings } = index.terms[kind]
  return slugs.flatMap((slug) => {
    const term = findIdentifier(table, slug)
    return term === -1 ? [] : { name: `${kind} ${term}`, posts: listAt(postings, term) }
  })
}

/** The ordinals of posts published between the times of a filter, half-open. */
function publishedRange(
  { publishedAfter, publishedBefore }: PostFilter,
  { publishedAt }: PostIndex,
): readonly [from: number, to: number] {
  const from =
    publishedBefore === null
      ? 0
      : placeBefore(publishedAt.length, publishedBefore, (post) => publishedAt[post])
  const to =
    publishedAfter === null
      ? publishedAt.length
      : placeBefore(publishedAt.length, publishedAfter, (post) => publishedAt[post])
  return [from, Math.max(from, to)]
}

/** Ascending. */
function updatedBetween(
  { updatedAfter, updatedBefore }: PostFilter,
  { updatedAt, orders }: PostIndex,
): Uint32Array {
  const order = orders.updatedAt
  const timeOf = (place: number) => updatedAt[order[place] ?? -1]
  const from = updatedBefore === null ? 0 : placeBefore(order.length, updatedBefore, timeOf)
  const to = updatedAfter === null ? order.length : placeBefore(order.length, updatedAfter, timeOf)
  return order.slice(from, Math.max(from, to)).sort()
}

/** The first index with an earlier time. @param timeOf non-increasing */
function placeBefore(
  length: number,
  time: number,
  timeOf: (place: number) => number | undefined,
): number {
  return partitionPoint(length, (place) => (timeOf(place) ?? 0) >= time)
}

/** The ordinals from one bound on and below the other. */
function between(posts: Uint32Array, from: number, to: number): Uint32Array {
  const placeOf = (bound: number) =>
    partitionPoint(posts.length, (place) => (posts[place] ?? bound) < bound)
  return from === 0 && to >= (posts.at(-1) ?? 0) + 1
    ? posts
    : posts.subarray(placeOf(from), placeOf(to))
}
