// Which posts have the ends and beginnings of two heavy words next to each other: what phrases of common words are
// found by. Knows nothing of how lists are stored.
import type { JoinedPosts } from './post-joiner.ts'
import { firstRun, noLink } from './term-cutter.ts'
import { links } from './words.ts'

/** Heavy words, and for two of them and a link the posts in which a run with the one at its end stands before a run
 * that begins with the other: the posts that have a phrase of the two. */
export interface HeavyPairs {
  /** Terms, ascending. */
  readonly heavy: Uint32Array
  /** Where the pairs of each first word and link begin, and one more; words by their place in `heavy`. */
  readonly rows: Uint32Array
  /** The second word of each pair, ascending within a row. */
  readonly seconds: Uint32Array
  /** Where the posts of each pair begin, and one more. */
  readonly starts: Uint32Array
  /** Ascending for each pair. */
  readonly posts: Uint32Array
}

/** Words that pairs are looked for of, at most: their square is what is counted. */
const candidatesMax = 512

/**
 * The pairs of as many of the commonest words as fit.
 *
 * @param bytesMax of lists of pairs, as far as their lengths tell
 *
 * Cost: O(runs of all posts + candidates²), in two passes.
 */
export function heavyPairs(joined: JoinedPosts, bytesMax: number): HeavyPairs {
  const ranked = commonest(joined)
  const counts = countPairs(joined, new Neighbours(joined, ranked))
  const heavy = ranked.slice(0, howMany(counts, ranked.length, joined.postCount, bytesMax)).sort()
  return listPairs(joined, heavy)
}

/** Runs in an eighth of all posts or more, and in two at least, those in most posts first. */
function commonest({ postCount, lexicons, starts }: JoinedPosts): Uint32Array {
  const found: number[] = []
  const count = (term: number) => (starts[term + 1] ?? 0) - (starts[term] ?? 0)
  const runs = lexicons[0].length + lexicons[1].length
  for (let term = 0; term < runs; term++) {
    if (count(term) > 1 && count(term) * 8 >= postCount) found.push(term)
  }
  found.sort((a, b) => count(b) - count(a) || a - b)
  return Uint32Array.from(found.slice(0, candidatesMax))
}

/** Of words that are given by their places, each run's: those that it ends with and those that it begins with. */
class Neighbours {
  readonly width: number
  readonly #ends: readonly (readonly number[])[]
  readonly #beginnings: readonly (readonly number[])[]
  /** The last post that each pair was found in, counted from 1. */
  readonly #last: Uint32Array

  constructor({ lexicons: [ascii, other] }: JoinedPosts, words: Uint32Array) {
    const runs = [...ascii, ...other]
    const texts = Array.from(words, (term) => runs[term] ?? '')
    this.width = words.length
    this.#ends = byLetter(
      runs,
      texts,
      (run) => run.length - 1,
      (run, text) => run.endsWith(text),
    )
    this.#beginnings = byLetter(
      runs,
      texts,
      () => 0,
      (run, text) => run.startsWith(text),
    )
    this.#last = new Uint32Array(words.length ** 2 * links.length)
  }

  /** Calls back once for each pair of a post: first × links + link, × width + second. */
  each(runs: Int32Array, post: number, found: (pair: number) => void): void {
    let first = none
    let link = 0
    for (const run of runs) {
      if (run < firstRun) {
        link = run
        if (run === noLink) first = none
        continue
      }
      const term = run - firstRun
      for (const word of first) this.#meet(word * links.length + link, term, post, found)
      first = this.#ends[term] ?? none
      link = 0
    }
  }

  #meet(row: number, term: number, post: number, found: (pair: number) => void): void {
    for (const second of this.#beginnings[term] ?? none) {
      const pair = row * this.width + second
      if (this.#last[pair] === post + 1) continue
      this.#last[pair] = post + 1
      found(pair)
    }
  }
}

const none: readonly number[] = []

/** For each run, the places of the texts that hold for it; only those with its letter at a place are tried. */
function byLetter(
  runs: readonly string[],
  texts: readonly string[],
  placeOf: (run: string) => number,
  holds: (run: string, text: string) => boolean,
): readonly (readonly number[])[] {
  const tried = new Map<number, number[]>()
  texts.forEach((text, at) => {
    const letter = text.charCodeAt(placeOf(text))
    tried.set(letter, [...(tried.get(letter) ?? none), at])
  })
  return runs.map((run) => {
    const found = tried
      .get(run.charCodeAt(placeOf(run)))
      ?.filter((at) => holds(run, texts[at] ?? ''))
    return found === undefined || found.length === 0 ? none : found
  })
}

function countPairs(joined: JoinedPosts, neighbours: Neighbours): Uint32Array {
  const counts = new Uint32Array(neighbours.width ** 2 * links.length)
  const count = (pair: number) => {
    counts[pair] = (counts[pair] ?? 0) + 1
  }
  let post = 0
  for (const runs of joined.runs()) neighbours.each(runs, post++, count)
  return counts
}

/** How many of the first words have lists of pairs that fit together. */
function howMany(counts: Uint32Array, width: number, postCount: number, bytesMax: number): number {
  const costs = new Float64Array(width)
  counts.forEach((count, pair) => {
    const last = Math.max(Math.floor(pair / width / links.length), pair % width)
    if (count > 0) costs[last] = (costs[last] ?? 0) + likelyBytes(count, postCount)
  })
  let bytes = 0
  const over = costs.findIndex((cost) => {
    bytes += cost
    return bytes > bytesMax
  })
  return over === -1 ? width : over
}

/** Bytes of a list and of its reference: the logarithm of the mean gap and 1.6 bits an ordinal. */
function likelyBytes(count: number, postCount: number): number {
  const gap = postCount / count
  const whole = 31 - Math.clz32(gap)
  return Math.min(postCount / 8, (count * (whole + gap / 2 ** whole + 0.6)) / 8) + 6
}

function listPairs(joined: JoinedPosts, heavy: Uint32Array): HeavyPairs {
  const neighbours = new Neighbours(joined, heavy)
  const counts = countPairs(joined, neighbours)
  const width = heavy.length
  const pairs = [...counts.keys()].filter((pair) => (counts[pair] ?? 0) > 0)
  const rows = new Uint32Array(width * links.length + 1)
  const starts = new Uint32Array(pairs.length + 1)
  const next = counts
  pairs.forEach((pair, index) => {
    const row = Math.floor(pair / width) + 1
    rows[row] = (rows[row] ?? 0) + 1
    const start = starts[index] ?? 0
    starts[index + 1] = start + (counts[pair] ?? 0)
    next[pair] = start
  })
  for (let row = 1; row < rows.length; row++) rows[row] = (rows[row] ?? 0) + (rows[row - 1] ?? 0)
  const posts = new Uint32Array(starts.at(-1) ?? 0)
  const seconds = Uint32Array.from(pairs, (pair) => pair % width)
  const again = new Neighbours(joined, heavy)
  let post = 0
  for (const runs of joined.runs()) {
    again.each(runs, post, (pair) => {
      const place = next[pair] ?? 0
      posts[place] = post
      next[pair] = place + 1
    })
    post += 1
  }
  return { heavy, rows, seconds, starts, posts }
}
