// Which posts are in which search segment, shard and block.
import { type ChunkSizes, cutChunks } from './blocks.ts'

/** The properties of a segment. */
export interface SegmentKind {
  /** False for scheduled posts: nothing of them is in an index, so that no search reads anything for their sake. */
  readonly isIndexed: boolean
  /** Has common grams, so that few texts are read for a phrase of common words. */
  readonly hasGrams: boolean
}

/** A search segment of a workspace: neighbours in publication order that are searched together. */
export interface SegmentPlan extends SegmentKind {
  /** Its posts, the latest first. */
  readonly shards: readonly ShardPlan[]
}

/** The blocks of a shard, the latest posts first. */
export type ShardPlan = readonly PostRange[]

/** Posts from an ordinal up to, but not including, another. */
export interface PostRange {
  readonly start: number
  readonly end: number
}

/** A post as far as it matters in which block it is. */
export interface PlannedPost {
  readonly id: string
  /** About as many as its text has. */
  readonly bytes: number
}

/**
 * The segments of a workspace, the latest posts first: scheduled posts, where there are any, and published ones.
 *
 * @param posts latest first
 * @param scheduled how many of them are not published yet
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

/** Posts of a workspace from which on it has common grams: the texts of fewer are looked through in a few milliseconds. */
const gramPostsMin = 1024

/** Bytes of a block, whose texts are one file: a change writes one, and a host fetches few. */
const blockSizes: ChunkSizes = { min: 512 * 1024, mean: 768 * 1024, max: 2048 * 1024 }

/** The weight of a post next to its text: thousands of short ones would be joined again for one that changes. */
const postBytes = 1024

/** Blocks of a shard. */
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
  // Another hash than that by which blocks end.
  const names = blocks.map(({ end }) => `shard ${posts[end - 1]?.id}`)
  const shards = cutChunks(names, shardSizes)
    .map((ordinals) => ordinals.flatMap((block) => blocks[block] ?? []))
    .reverse()
  const [latest = [], next, ...others] = shards
  // Common words of a few posts say nothing about the others.
  const isSmall = next !== undefined && latest.length < shardSizes.min
  return isSmall ? [[...latest, ...next], ...others] : shards
}
