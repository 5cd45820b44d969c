// Posts and terms that exist at a point in time. Scheduled posts come first in publication order, so one ordinal
// divides every list. After an expiry, the visible posts are stored as a list.
import type { PostStatus } from './request.ts'
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

/**
 * Returns a snapshot of the visible posts with a status. Drafts are visible at every time.
 *
 * Cost: O(log posts + posts that expire); O(posts) once one has expired, and for drafts.
 */
export function viewAt(
  snapshot: Snapshot,
  now: number,
  status: PostStatus = 'published',
): Snapshot {
  const { first, expired } = visibilityAt(snapshot, now)
  const { drafts, shown } = snapshot
  const isCurrent = (post: number) => post >= first && !expired.has(post)
  if (status === 'draft') return withPosts(snapshot, (post) => drafts.has(post))
  if (status === 'all') return withPosts(snapshot, (post) => drafts.has(post) || isCurrent(post))
  if (expired.size > 0) return withPosts(snapshot, isCurrent)
  if (first === 0) return snapshot
  const postsOf: Snapshot['postsOf'] = (kind, term) => {
    const posts = snapshot.postsOf(kind, term)
    return posts.subarray(partitionPoint(posts.length, (at) => (posts[at] ?? first) < first))
  }
  return { ...withPosts(snapshot, isCurrent, shown.subarray(first)), postsOf }
}

/** Returns a snapshot in which only certain posts are visible. */
export function withPosts(
  snapshot: Snapshot,
  isShown: (post: number) => boolean,
  shown: Uint32Array = snapshot.shown.filter(isShown),
): Snapshot {
  return {
    ...snapshot,
    shown,
    isShown,
    findPost: (identifier) => {
      const post = snapshot.findPost(identifier)
      return isShown(post) ? post : -1
    },
    postsOf: (kind, term) => snapshot.postsOf(kind, term).filter(isShown),
    select: (filter, by) => snapshot.select(filter, by, shown),
    related: (post, most) => snapshot.related(post, most, shown),
  }
}

/** A term without a file exists while a visible post names it, so that its name reveals no other post. */
export function isVisibleTerm(kind: TermKind, term: number, view: Snapshot): boolean {
  return isUnfiltered(view) || !view.isCreated(kind, term) || view.postsOf(kind, term).length > 0
}

function isUnfiltered({ shown, postCount }: Snapshot): boolean {
  return shown.length === postCount
}

/** Returns ordinals in name order. Cost: O(terms). */
export function visibleTerms(kind: TermKind, view: Snapshot): Uint32Array {
  const all = new Uint32Array(view.termCount(kind)).map((_, term) => term)
  return isUnfiltered(view) ? all : all.filter((term) => isVisibleTerm(kind, term, view))
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
