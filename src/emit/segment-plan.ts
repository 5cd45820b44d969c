// Which posts are in which search segment and shard.
// Knows nothing of what they hold.
import { type ChunkSizes, cutChunks } from './blocks.ts'

/** What a segment is like. */
export interface SegmentKind {
  /** False for scheduled posts: nothing of them is in an index, so that no search reads anything for their sake. */
  readonly isIndexed: boolean
  /** Keeps neighbours of common words, so that few texts are read for a phrase of them. */
  readonly hasPairs: boolean
}

/** A search segment of a workspace: neighbours in publication order that are searched together. */
export interface SegmentPlan extends SegmentKind {
  /** What it is made from, the latest posts first. */
  readonly shards: readonly ShardRange[]
}

/** Posts from an ordinal up to, but not including, another. */
export interface ShardRange {
  readonly start: number
  readonly end: number
}

/**
 * The segments of a workspace, the latest posts first: scheduled posts, where there are any, and published ones.
 *
 * @param ids of all posts, latest first
 * @param scheduled how many of them are not published yet
 */
export function planSegments(ids: readonly string[], scheduled: number): readonly SegmentPlan[] {
  const published = ids.length - scheduled
  const segments: SegmentPlan[] = [
    { isIndexed: false, hasPairs: false, shards: cutShards(ids, 0, scheduled) },
    {
      isIndexed: true,
      hasPairs: published >= pairsPostsMin,
      shards: cutShards(ids, scheduled, ids.length),
    },
  ]
  return segments.filter(({ shards }) => shards.length > 0)
}

/** Posts of a workspace from which on pairs are kept: the texts of fewer are looked through in a few milliseconds. */
const pairsPostsMin = 1024

/** Posts of a shard: an edit joins one again, and the index is made from all of them. */
const shardSizes: ChunkSizes = { min: 192, mean: 256, max: 384 }

function cutShards(ids: readonly string[], start: number, end: number): readonly ShardRange[] {
  return cutChunks(ids.slice(start, end), shardSizes)
    .map((ordinals) => {
      const first = start + (ordinals[0] ?? 0)
      return { start: first, end: first + ordinals.length }
    })
    .reverse()
}
