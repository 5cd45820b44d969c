// What a moment in time shows of a list of posts.
// Knows only ordinals and publication times.
import type { Ordinals, Snapshot } from './snapshot.ts'

/** The published part of a list of posts. */
export interface Published<List extends Ordinals> {
  readonly posts: List
  /** When the next post of the list is published, in milliseconds since 1970; null for never. */
  readonly validUntil: number | null
}

/**
 * The posts of a list that are published at a moment.
 *
 * @param posts ascending ordinals, so that scheduled posts come first
 *
 * Cost: O(log posts).
 */
export function published<List extends Ordinals>(
  posts: List,
  snapshot: Pick<Snapshot, 'publishedAt'>,
  now: number,
): Published<List> {
  let low = 0
  let high = posts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (snapshot.publishedAt(posts.at(middle) ?? 0) > now) low = middle + 1
    else high = middle
  }
  const next = low === 0 ? undefined : posts.at(low - 1)
  return {
    posts: posts.subarray(low) as List,
    validUntil: next === undefined ? null : snapshot.publishedAt(next),
  }
}
