// The members of a snapshot that the index of a workspace implements.
import { whenReady } from '../api/awaitable.ts'
import { noFilter } from '../api/request.ts'
import type { TermKind } from '../api/resources.ts'
import type {
  Awaitable,
  OrderBy,
  Ordinals,
  PostFilter,
  PostSelection,
  Snapshot,
  StoredOrder,
} from '../api/snapshot.ts'
import { fold } from './fold.ts'
import { findIdentifier } from './identifiers.ts'
import type { BitmapCache } from './list-bitmaps.ts'
import { matchesIn } from './matches.ts'
import { OrderedPosts } from './ordered-posts.ts'
import { listAt } from './packed-lists.ts'
import type { PostIndex, TextSearch } from './post-index.ts'
import { PostTermsTable } from './post-terms-table.ts'
import { selectPosts } from './select-posts.ts'
import { visibleText } from './visible-text.ts'

export type IndexedMembers = Pick<
  Snapshot,
  | 'postCount'
  | 'drafts'
  | 'publishedAt'
  | 'findPost'
  | 'findTerm'
  | 'postsOf'
  | 'createdTerms'
  | 'select'
  | 'related'
>

/** Implements these members with an index. @param known bitmaps of the same index */
export function indexedMembers(
  index: PostIndex,
  text: TextSearch,
  known?: BitmapCache,
): IndexedMembers {
  const places = new Map<StoredOrder, Uint32Array>()
  const placesIn = (by: StoredOrder) => {
    const made = places.get(by) ?? inverseOf(index.orders[by])
    places.set(by, made)
    return made
  }
  const table = new PostTermsTable(index, known)
  const inOrder = (posts: Ordinals, by: OrderBy, first: number): Ordinals => {
    if (by === 'publishedAt') return posts
    return new OrderedPosts(posts, { order: index.orders[by], placeOf: () => placesIn(by) }, first)
  }
  return {
    postCount: index.publishedAt.length,
    drafts: new Set(index.drafts),
    publishedAt: (post) => index.publishedAt[post] ?? Number.NaN,
    findPost: (identifier) => findIdentifier(index.names.identifiers, identifier),
    findTerm: (kind, identifier) => findIdentifier(index.terms[kind].identifiers, identifier),
    postsOf: (kind, term) => listAt(index.terms[kind].postings, term),
    createdTerms: (kind) => index.terms[kind].created,
    related: (...of) => table.related(...of),
    select: (filter, first, by, among) => {
      const once = searchedOnce(text)
      const options = { first, known, among }
      // Counts among given posts are not cached: they depend on the moment.
      const kept = among === undefined ? known : undefined
      const isSet = by !== 'publishedAt'
      const sets = new Map<PostFilter, Awaitable<Ordinals>>()
      /** As a set: a set is counted faster than a list. */
      const setOf = (counted: PostFilter) => {
        const set =
          sets.get(counted) ?? selectPosts(counted, index, once, { ...options, isSet: true })
        sets.set(counted, set)
        return set
      }
      return whenReady(
        selectPosts(filter, index, once, { ...options, isSet }),
        (posts): PostSelection => ({
          posts: inOrder(posts, by, first),
          matchesIn: (title, html) => {
            const query = fold(filter.query)
            return query === '' ? null : matchesIn(query, title, visibleText(html))
          },
          countsOf: (kind) => {
            const counted = withoutKind(filter, kind)
            const name = `counts ${kind} ${first} ${keyOf(counted)}`
            return (
              kept?.get(name) ??
              whenReady(setOf(counted), (set) => {
                const counts = table.countsOf(kind, set, first)
                kept?.set(name, counts, counts.byteLength)
                return counts
              })
            )
          },
        }),
      )
    },
  }
}

/** Equal for filters that select the same posts. */
function keyOf(filter: PostFilter): string {
  const names = Object.keys(noFilter) as (keyof PostFilter)[]
  return JSON.stringify(names.map((name) => filter[name]))
}

/** Returns the filter without its conditions on a kind of terms; the same object when it has none. */
function withoutKind(filter: PostFilter, kind: TermKind): PostFilter {
  const excluded = {
    categories: 'excludeCategories',
    tags: 'excludeTags',
    authors: 'excludeAuthors',
  } as const
  const isFiltered = filter[kind].length + filter[excluded[kind]].length > 0
  return isFiltered ? { ...filter, [kind]: [], [excluded[kind]]: [] } : filter
}

/** Caches the search of one request: the text is searched once, however many counts need its matches. */
function searchedOnce(text: TextSearch): TextSearch {
  let found: ReturnType<TextSearch['search']> | undefined
  return { search: (query, first) => (found ??= text.search(query, first)) }
}

function inverseOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length)
  for (const [place, ordinal] of order.entries()) places[ordinal] = place
  return places
}
