// Which posts have two heavy runs next to each other, one blank between: what phrases of common words are found by.
// Knows nothing of how lists are stored.
import type { JoinedPosts } from './post-joiner.ts'

/** Pairs of heavy runs that occur, sorted by the first and then by the second. */
export interface HeavyPairs {
  /** Where the pairs of each first run begin, and one more; runs by their place among the heavy ones. */
  readonly rows: Uint32Array
  /** The second run of each pair. */
  readonly seconds: Uint32Array
  /** Where the posts of each pair begin, and one more. */
  readonly starts: Uint32Array
  /** Ascending for each pair. */
  readonly posts: Uint32Array
}

/**
 * @param heavy terms, ascending
 *
 * Cost: O(runs of all posts + heavy²), in two passes.
 */
export function heavyPairs(joined: JoinedPosts, heavy: Uint32Array): HeavyPairs {
  const width = heavy.length
  const numberOf = new Int32Array(joined.hashes.length).fill(-1)
  heavy.forEach((term, number) => {
    numberOf[term] = number
  })
  const counts = new Uint32Array(width * width)
  eachPair(joined, numberOf, width, (pair) => {
    counts[pair] = (counts[pair] ?? 0) + 1
  })
  const pairs = [...counts.keys()].filter((pair) => (counts[pair] ?? 0) > 0)
  const rows = new Uint32Array(width + 1)
  const starts = new Uint32Array(pairs.length + 1)
  const next = counts
  pairs.forEach((pair, index) => {
    const row = Math.floor(pair / width) + 1
    rows[row] = (rows[row] ?? 0) + 1
    const start = starts[index] ?? 0
    starts[index + 1] = start + (counts[pair] ?? 0)
    next[pair] = start
  })
  for (let row = 1; row <= width; row++) rows[row] = (rows[row] ?? 0) + (rows[row - 1] ?? 0)
  const posts = new Uint32Array(starts.at(-1) ?? 0)
  eachPair(joined, numberOf, width, (pair, post) => {
    const place = next[pair] ?? 0
    posts[place] = post
    next[pair] = place + 1
  })
  return { rows, seconds: Uint32Array.from(pairs, (pair) => pair % width), starts, posts }
}

/** Calls back once for each pair of each post. */
function eachPair(
  joined: JoinedPosts,
  numberOf: Int32Array,
  width: number,
  found: (pair: number, post: number) => void,
): void {
  // Posts are counted from 1 here: 0 is none.
  const last = new Uint32Array(width * width)
  let post = 0
  for (const runs of joined.runs()) {
    let first = -1
    for (const run of runs) {
      const second = run === -1 ? -1 : (numberOf[run] ?? -1)
      const pair = first * width + second
      if (first !== -1 && second !== -1 && last[pair] !== post + 1) {
        last[pair] = post + 1
        found(pair, post)
      }
      first = second
    }
    post += 1
  }
}
