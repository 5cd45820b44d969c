// The posts of many shards put together: which distinct terms there are, and which posts have each.
// Knows nothing of how lists are stored nor of how they are searched.
import { lastAtOrBefore } from './posting-lists.ts'
import { type Shard, startsOf } from './shard.ts'
import { firstRun } from './term-cutter.ts'
import { type SortedTerms, TermTable } from './term-table.ts'
import { VarintReader } from './varint-reader.ts'

/** All posts' terms. Posts are numbered from the oldest one, which is 0. */
export interface JoinedPosts {
  readonly postCount: number
  readonly lexicons: SortedTerms['lexicons']
  /** By term, through the three lexicons: hashes, and where its posts begin in `posts`. */
  readonly hashes: Uint32Array
  readonly starts: Uint32Array
  /** Ascending for each term. */
  readonly posts: Uint32Array
  /** Bytes of all folded texts. */
  readonly textBytes: number
  /**
   * The runs of a post in their order: as `postTerms` has them, but terms of all posts.
   *
   * @param post as it is numbered here @returns a view, true until the next one is asked for
   */
  runsOf(post: number): Int32Array
}

/**
 * Puts shards together: the same as one shard of all their posts.
 *
 * Cost: O(distinct terms of each shard + posts of all terms), and a sort of the distinct terms of all.
 */
export function joinShards(oldestFirst: readonly Shard[]): JoinedPosts {
  const table = new TermTable()
  const numbers = oldestFirst.map((shard) => table.addTerms(shard))
  const counts = new Uint32Array(table.size)
  for (const [at, { starts }] of oldestFirst.entries()) {
    const ofShard = numbers[at] ?? none
    for (let term = 0; term < ofShard.length; term++) {
      const number = ofShard[term] ?? 0
      counts[number] = (counts[number] ?? 0) + (starts[term + 1] ?? 0) - (starts[term] ?? 0)
    }
  }
  const { lexicons, hashes, ranks } = table.sorted(counts)
  const starts = startsOf(counts, ranks)
  const shards = placeShards(oldestFirst, numbers, ranks)
  return {
    postCount: oldestFirst.reduce((sum, { postCount }) => sum + postCount, 0),
    textBytes: oldestFirst.reduce((sum, { textBytes }) => sum + textBytes, 0),
    lexicons,
    hashes,
    starts,
    posts: joinLists(shards, starts),
    runsOf: runsReader(shards),
  }
}

/** A shard among others. */
interface ShardPlacement {
  readonly shard: Shard
  /** The number of its oldest post. */
  readonly first: number
  /** The terms of all by those of the shard. */
  readonly ranks: Uint32Array
}

function placeShards(
  shards: readonly Shard[],
  numbers: readonly Uint32Array[],
  ranks: Uint32Array,
): readonly ShardPlacement[] {
  let first = 0
  return shards.map((shard, at) => {
    const own = (numbers[at] ?? none).map((number) => ranks[number] ?? 0)
    const placed = { shard, first, ranks: own }
    first += shard.postCount
    return placed
  })
}

/** The posts of each term, shard after shard. */
function joinLists(shards: readonly ShardPlacement[], starts: Uint32Array): Uint32Array {
  const next = starts.slice()
  const joined = new Uint32Array(starts.at(-1) ?? 0)
  for (const { shard, first, ranks } of shards) {
    const { posts, starts } = shard
    for (let term = 0; term < ranks.length; term++) {
      const rank = ranks[term] ?? 0
      const end = starts[term + 1] ?? 0
      let place = next[rank] ?? 0
      for (let at = starts[term] ?? 0; at < end; at++) joined[place++] = first + (posts[at] ?? 0)
      next[rank] = place
    }
  }
  return joined
}

function runsReader(shards: readonly ShardPlacement[]): JoinedPosts['runsOf'] {
  const firsts = shards.map(({ first }) => first)
  let room = new Int32Array(1024)
  return (post) => {
    const placed = shards[lastAtOrBefore(firsts, post)]
    if (placed === undefined) return room.subarray(0, 0)
    const { shard, first, ranks } = placed
    const own = post - first
    const from = own === 0 ? 0 : (shard.runEnds[own - 1] ?? 0)
    const to = shard.runEnds[own] ?? 0
    if (to - from > room.length) room = new Int32Array((to - from) * 2)
    const reader = new VarintReader(shard.runs, from)
    let size = 0
    while (reader.at < to) {
      const run = reader.next()
      room[size++] = run < firstRun ? run : (ranks[run - firstRun] ?? 0) + firstRun
    }
    return room.subarray(0, size)
  }
}

const none = new Uint32Array(0)
