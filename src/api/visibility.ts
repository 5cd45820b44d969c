// Posts and terms that exist at a point in time. Scheduled posts come first in publication order, so one ordinal
// divides every list. Once a post has expired, the others are listed.
import type { TermKind } from './resources.ts'
import type { Snapshot } from './snapshot.ts'

/** A workspace at a point in time, and the period in which it does not change without a build. */
export interface Visibility {
  /** Ordinal of the latest published post; all posts before it are scheduled. */
  readonly first: number
  /** The last publication or expiry, milliseconds since 1970; `-Infinity` for none. */
  readonly validFrom: number
  /** The next publication or expiry, milliseconds since 1970; `Infinity` for none. */
  readonly validUntil: number
  /** Posts that have expired. */
  readonly expired: ReadonlySet<number>
}

/** Depends only on the workspace and the clock, never on the request. Cost: O(log posts + posts that expire). */
export function visibilityAt(snapshot: Snapshot, now: number): Visibility {
  const { postCount } = snapshot
  const first = partitionPoint(postCount, (post) => snapshot.publishedAt(post) > now)
  let validFrom = first === postCount ? Number.NEGATIVE_INFINITY : snapshot.publishedAt(first)
  let validUntil = first === 0 ? Number.POSITIVE_INFINITY : snapshot.publishedAt(first - 1)
  const expired = new Set<number>()
  for (const [post, at] of snapshot.expiries) {
    if (at > now) validUntil = Math.min(validUntil, at)
    else {
      expired.add(post)
      validFrom = Math.max(validFrom, at)
    }
  }
  return { first, validFrom, validUntil, expired }
}

/** Returns a snapshot without expired posts, and then without scheduled ones. Cost: O(posts) once one has expired. */
export function currentPosts(snapshot: Snapshot, now: number): Snapshot {
  const { first, expired } = visibilityAt(snapshot, now)
  return expired.size === 0
    ? snapshot
    : withPosts(snapshot, (post) => post >= first && !expired.has(post))
}

/** Returns a snapshot in which exactly some posts are visible, whatever their dates. */
export function withPosts(snapshot: Snapshot, isShown: (post: number) => boolean): Snapshot {
  const shown = new Uint32Array(snapshot.postCount).map((_, post) => post).filter(isShown)
  return {
    ...snapshot,
    shown,
    expiries: [],
    publishedAt: () => Number.NEGATIVE_INFINITY,
    findPost: (identifier) => {
      const post = snapshot.findPost(identifier)
      return isShown(post) ? post : -1
    },
    postsOf: (kind, term) => snapshot.postsOf(kind, term).filter(isShown),
    aliases: () => snapshot.aliases().filter(({ post }) => isShown(post)),
    select: (filter, first, by) => snapshot.select(filter, first, by, shown),
    related: (post, first, most) => snapshot.related(post, first, most, shown),
  }
}

/** Returns the posts of an ascending list from an ordinal on. Cost: O(log posts). */
export function postsFrom(posts: Uint32Array, first: number): Uint32Array {
  return posts.subarray(partitionPoint(posts.length, (at) => (posts[at] ?? first) < first))
}

/** A term without a file exists while a visible post names it, so that its name reveals no other post. */
export function isVisibleTerm(
  kind: TermKind,
  term: number,
  snapshot: Snapshot,
  first: number,
): boolean {
  const isWhole = first === 0 && snapshot.shown === undefined
  if (isWhole || !snapshot.isCreated(kind, term)) return true
  return (snapshot.postsOf(kind, term).at(-1) ?? -1) >= first
}

/** Returns ordinals in name order. Cost: O(terms). */
export function visibleTerms(kind: TermKind, snapshot: Snapshot, first: number): Uint32Array {
  const all = new Uint32Array(snapshot.termCount(kind)).map((_, term) => term)
  return all.filter((term) => isVisibleTerm(kind, term, snapshot, first))
}

/** Returns the number of leading indexes for which a predicate holds, which must be true, then false. */
export function partitionPoint(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
