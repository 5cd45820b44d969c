// Posts and terms that exist at a point in time. Scheduled posts come first in publication order, so one ordinal
// divides every list.
import type { TermKind } from './resources.ts'
import type { Ordinals, Snapshot } from './snapshot.ts'

/** A workspace at a point in time, and the period in which it does not change without a build. */
export interface Visibility {
  /** Ordinal of the latest published post; all posts before it are scheduled. */
  readonly first: number
  /** Publication date of the latest published post, milliseconds since 1970; `-Infinity` for none. */
  readonly validFrom: number
  /** Publication date of the next scheduled post, milliseconds since 1970; `Infinity` for none. */
  readonly validUntil: number
}

/**
 * Returns the visible part of a workspace at a point in time. It depends only on the workspace and the clock, never on
 * the request.
 *
 * @param now milliseconds since 1970
 *
 * Cost: O(log posts).
 */
export function visibilityAt(
  snapshot: Pick<Snapshot, 'postCount' | 'publishedAt'>,
  now: number,
): Visibility {
  const { postCount } = snapshot
  const first = partitionPoint(postCount, (post) => snapshot.publishedAt(post) > now)
  return {
    first,
    validFrom: first === postCount ? Number.NEGATIVE_INFINITY : snapshot.publishedAt(first),
    validUntil: first === 0 ? Number.POSITIVE_INFINITY : snapshot.publishedAt(first - 1),
  }
}

/**
 * Returns the posts of a list from an ordinal on.
 *
 * @param posts ascending
 *
 * Cost: O(log posts).
 */
export function postsFrom<List extends Ordinals>(posts: List, first: number): List {
  if (first === 0) return posts
  const scheduled = partitionPoint(posts.length, (index) => (posts.at(index) ?? first) < first)
  return posts.subarray(scheduled) as List
}

/**
 * Reports whether a term is visible. A term without a file exists from the publication of the first post that names it,
 * so that its name reveals no scheduled post.
 */
export function isVisibleTerm(
  kind: TermKind,
  term: number,
  snapshot: Pick<Snapshot, 'createdTerms' | 'postsOf'>,
  first: number,
): boolean {
  if (first === 0 || !snapshot.createdTerms(kind).includes(term)) return true
  return !isFuture(kind, term, snapshot, first)
}

/** Ordinals of terms, ascending. */
export type TermOrdinals = Pick<readonly number[], 'length' | 'slice'>

/**
 * Returns the visible terms, as ordinals in name order.
 *
 * Cost: O(1), and O(items) per slice. With scheduled posts O(terms without a file), and O(terms) if one of these is
 * hidden.
 */
export function visibleTerms(
  kind: TermKind,
  snapshot: Pick<Snapshot, 'createdTerms' | 'postsOf' | 'termCount'>,
  first: number,
): TermOrdinals {
  const length = snapshot.termCount(kind)
  const slice = (start = 0, end = length) =>
    Array.from({ length: Math.max(0, Math.min(end, length) - start) }, (_, index) => start + index)
  if (first === 0) return { length, slice }
  const created = [...snapshot.createdTerms(kind)]
  const hidden = new Set(created.filter((term) => isFuture(kind, term, snapshot, first)))
  return hidden.size === 0 ? { length, slice } : slice().filter((term) => !hidden.has(term))
}

/** Reports whether only scheduled posts name a term. */
function isFuture(
  kind: TermKind,
  term: number,
  snapshot: Pick<Snapshot, 'postsOf'>,
  first: number,
): boolean {
  return (snapshot.postsOf(kind, term).at(-1) ?? -1) < first
}

/**
 * Returns the number of leading indexes for which a predicate holds. The predicate must be monotonic: true, then false.
 */
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
