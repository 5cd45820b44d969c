// The requests for posts that the index of a workspace serves.
import { whenReady } from '../api/awaitable.ts'
import type {
  Awaitable,
  Ordinals,
  PostFilter,
  PostSelection,
  Snapshot,
  StoredOrder,
} from '../api/snapshot.ts'
import { findIdentifier } from './identifiers.ts'
import type { BitmapCache } from './list-bitmaps.ts'
import { OrderedPosts } from './ordered-posts.ts'
import { listAt } from './packed-lists.ts'
import type { PostIndex, TextSearch } from './post-index.ts'
import { selectPosts } from './select-posts.ts'

/** The members of a snapshot that its index has. */
export type IndexedMembers = Pick<
  Snapshot,
  'postCount' | 'publishedAt' | 'findPost' | 'findTerm' | 'postsOf' | 'createdTerms' | 'select'
>

/** The members of a snapshot over an index. @param known of the same index */
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
  const selectionOf = (posts: Ordinals, first: number): PostSelection => ({
    posts,
    inOrder: (by) => {
      if (by === 'publishedAt') return posts
      return new OrderedPosts(
        posts,
        { order: index.orders[by], placeOf: () => placesIn(by) },
        first,
      )
    },
  })
  return {
    postCount: index.publishedAt.length,
    publishedAt: (post) => index.publishedAt[post] ?? Number.NaN,
    findPost: (identifier) => findIdentifier(index.names.identifiers, identifier),
    findTerm: (kind, identifier) => findIdentifier(index.terms[kind].identifiers, identifier),
    postsOf: (kind, term) => listAt(index.terms[kind].postings, term),
    createdTerms: (kind) => index.terms[kind].created,
    select: (filter: PostFilter, first: number): Awaitable<PostSelection> =>
      whenReady(selectPosts(filter, index, text, { first, known }), (posts) =>
        selectionOf(posts, first),
      ),
  }
}

function inverseOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length)
  for (const [place, ordinal] of order.entries()) places[ordinal] = place
  return places
}
