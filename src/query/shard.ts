// Posts joined: the distinct terms of some posts, which of the posts have each, and the order of runs in each post.
// Knows nothing of how lists are stored nor of how they are searched.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { readPostTerms } from './post-terms.ts'
import { firstRun } from './term-cutter.ts'
import { TermTable } from './term-table.ts'
import { VarintReader } from './varint-reader.ts'

/** Some posts, joined. They are numbered from the oldest one, which is 0. */
export interface Shard {
  readonly postCount: number
  /** Bytes of all folded texts. */
  readonly textBytes: number
  /** How many terms are runs of ASCII, other runs, and characters and pairs; each kind sorted by code units. */
  readonly counts: Uint32Array
  /** The terms in this order, each with a NUL behind it. */
  readonly texts: Uint8Array
  /** By term. */
  readonly hashes: Uint32Array
  /** Where the posts of each term begin in `posts`, and one more. */
  readonly starts: Uint32Array
  /** Ascending for each term. */
  readonly posts: Uint32Array
  /** The runs of each post in their order: as `postTerms` has them, but terms of this shard. */
  readonly runs: Uint8Array
  /** Where the runs of each post end. */
  readonly runEnds: Uint32Array
}

/**
 * Joins posts.
 *
 * @param oldestFirst what `postTerms` gave
 *
 * Cost: O(terms of all posts), and a sort of the distinct ones.
 */
export function joinShard(oldestFirst: readonly Uint8Array[]): Shard {
  const table = new TermTable()
  const terms = new GrowingNumbers()
  const termEnds: number[] = []
  const posts = oldestFirst.map((bytes) => {
    const post = readPostTerms(bytes)
    const runsAt = table.addNumbers(post, terms)
    termEnds.push(terms.length)
    return { bytes, runsAt, textBytes: post.text.length }
  })
  const counts = new Uint32Array(table.size)
  for (const term of terms.view()) counts[term] = (counts[term] ?? 0) + 1
  const { lexicons, hashes, ranks } = table.sorted(counts)
  const starts = startsOf(counts, ranks)
  const texts = new GrowingBytes()
  for (const { bytes } of lexicons) texts.add(bytes)
  return {
    postCount: posts.length,
    textBytes: posts.reduce((sum, { textBytes }) => sum + textBytes, 0),
    counts: Uint32Array.from(lexicons, ({ count }) => count),
    texts: texts.view().slice(),
    hashes,
    starts,
    posts: invert(terms.array, termEnds, { ranks, starts }),
    ...rankRuns(posts, terms.array, { termEnds, ranks }),
  }
}

/** Where the posts of each term begin, and one more. @param counts by number @param ranks from numbers to terms */
export function startsOf(counts: Uint32Array, ranks: Uint32Array): Uint32Array {
  const starts = new Uint32Array(ranks.length + 1)
  for (let number = 0; number < ranks.length; number++) {
    starts[(ranks[number] ?? 0) + 1] = counts[number] ?? 0
  }
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  return starts
}

interface Ranked {
  readonly ranks: Uint32Array
  readonly starts: Uint32Array
}

function invert(
  terms: Uint32Array,
  termEnds: readonly number[],
  { ranks, starts }: Ranked,
): Uint32Array {
  const next = starts.slice()
  const posts = new Uint32Array(starts.at(-1) ?? 0)
  let at = 0
  for (const [post, end] of termEnds.entries()) {
    for (; at < end; at++) {
      const rank = ranks[terms[at] ?? 0] ?? 0
      const place = next[rank] ?? 0
      posts[place] = post
      next[rank] = place + 1
    }
  }
  return posts
}

/** Runs with terms of the shard instead of those of each post. */
function rankRuns(
  posts: readonly { readonly bytes: Uint8Array; readonly runsAt: number }[],
  terms: Uint32Array,
  { termEnds, ranks }: { readonly termEnds: readonly number[]; readonly ranks: Uint32Array },
): Pick<Shard, 'runs' | 'runEnds'> {
  const runs = new GrowingBytes()
  const runEnds = posts.map(({ bytes, runsAt }, post) => {
    const firstTerm = (termEnds[post - 1] ?? 0) - firstRun
    const reader = new VarintReader(bytes, runsAt)
    while (reader.at < bytes.length) {
      const run = reader.next()
      runs.addVarint(run < firstRun ? run : (ranks[terms[firstTerm + run] ?? 0] ?? 0) + firstRun)
    }
    return runs.length
  })
  return { runs: runs.view().slice(), runEnds: Uint32Array.from(runEnds) }
}
