// The assignment of posts to search segments, shards and blocks.
import { type ChunkSizes, cutChunks } from './blocks.ts'

/** Properties of a segment. */
export interface SegmentKind {
  /** False for scheduled posts, which are in no index: a search reads nothing because of them. */
  readonly isIndexed: boolean
  /** True with common grams, so that a phrase of common words reads few texts. */
  readonly hasGrams: boolean
}

/** A search segment of a workspace: adjacent posts in publication order that are searched together. */
export interface SegmentPlan extends SegmentKind {
  /** Its posts, latest first. */
  readonly shards: readonly ShardPlan[]
}

/** The blocks of a shard, latest posts first. */
export type ShardPlan = readonly PostRange[]

/** Posts from `start` to `end`, exclusive. */
export interface PostRange {
  readonly start: number
  readonly end: number
}

/** The properties of a post that decide its block. */
export interface PlannedPost {
  readonly id: string
  /** Approximate size of its text. */
  readonly bytes: number
}

/**
 * Plans the segments of a workspace, latest posts first: scheduled posts, if any, and published posts.
 *
 * @param posts latest first
 * @param scheduled number of scheduled posts
 */
export function planSegments(
  posts: readonly PlannedPost[],
  scheduled: number,
): readonly SegmentPlan[] {
  const published = posts.length - scheduled
  const segments: SegmentPlan[] = [
    { isIndexed: false, hasGrams: false, shards: cutShards(posts, 0, scheduled) },
    {
      isIndexed: true,
      hasGrams: published >= gramPostsMin,
      shards: cutShards(posts, scheduled, posts.length),
    },
  ]
  return segments.filter(({ shards }) => shards.length > 0)
}

/** Minimum number of posts for common grams: the texts of fewer posts are scanned in a few milliseconds. */
const gramPostsMin = 1024

/** Bytes per block, whose texts are one file: a change writes one file, and a host fetches few. */
const blockSizes: ChunkSizes = { min: 512 * 1024, mean: 768 * 1024, max: 2048 * 1024 }

/** Base weight of a post in bytes. Without it, a change would join thousands of short posts again. */
const postBytes = 1024

/** Blocks per shard. */
const shardSizes: ChunkSizes = { min: 2, mean: 4, max: 8 }

function cutShards(
  posts: readonly PlannedPost[],
  start: number,
  end: number,
): readonly ShardPlan[] {
  const own = posts.slice(start, end)
  const weightOf = (ordinal: number) => (own[ordinal]?.bytes ?? 0) + postBytes
  const blocks = cutChunks(
    own.map(({ id }) => id),
    blockSizes,
    weightOf,
  )
    .map((ordinals): PostRange => {
      const first = start + (ordinals[0] ?? 0)
      return { start: first, end: first + ordinals.length }
    })
    .reverse()
  // Prefixed, so that shards do not end by the same hash as blocks.
  const names = blocks.map(({ end }) => `shard ${posts[end - 1]?.id}`)
  const shards = cutChunks(names, shardSizes)
    .map((ordinals) => ordinals.flatMap((block) => blocks[block] ?? []))
    .reverse()
  const [latest = [], next, ...others] = shards
  // The common words of a few posts are not representative.
  const isSmall = next !== undefined && latest.length < shardSizes.min
  return isSmall ? [[...latest, ...next], ...others] : shards
}
