// Which posts have the ends and beginnings of two heavy words next to each other: what phrases of common words are
// found by. Knows nothing of how lists are stored.
import { GrowingNumbers } from './growing.ts'
import type { JoinedPosts } from './post-joiner.ts'
import { firstRun, noLink } from './term-cutter.ts'
import { textsOf } from './term-texts.ts'
import { beginnings, endings, type MatchedWords } from './word-ends.ts'
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

/** Of so many posts one is looked at, to know about how many words are worth the trouble. */
const sampledEvery = 16

/**
 * The pairs of as many of the commonest words as fit.
 *
 * @param bytesMax of lists of pairs, as far as their lengths tell
 *
 * Cost: O(runs of all posts + candidates²), twice where a sample of them misleads; each pair of a post is in memory.
 */
export function heavyPairs(joined: JoinedPosts, bytesMax: number): HeavyPairs {
  const ranked = commonest(joined)
  const matched = matchWords(joined, ranked)
  const sample = new Neighbours(joined, matched, { width: ranked.length, every: sampledEvery })
  const guess = howMany(sample, joined.postCount / sampledEvery, bytesMax / sampledEvery)
  let tried = Math.min(ranked.length, guess * 2)
  for (;;) {
    const found = new Neighbours(joined, matched, { width: tried, every: 1 })
    const width = howMany(found, joined.postCount, bytesMax)
    // What the first ones take says nothing of the next.
    if (width < tried || tried === ranked.length) return pairsOf(found, ranked.subarray(0, width))
    tried = ranked.length
  }
}

function pairsOf(found: Neighbours, ranked: Uint32Array): HeavyPairs {
  const places = [...ranked.keys()].sort((a, b) => (ranked[a] ?? 0) - (ranked[b] ?? 0))
  return {
    heavy: Uint32Array.from(places, (place) => ranked[place] ?? 0),
    ...listPairs(found, places),
  }
}

/** Runs in an eighth of all posts or more, and in two at least, those in most posts first. */
function commonest({ postCount, lexicons, starts }: JoinedPosts): Uint32Array {
  const found: number[] = []
  const count = (term: number) => (starts[term + 1] ?? 0) - (starts[term] ?? 0)
  const runs = lexicons[0].count + lexicons[1].count
  for (let term = 0; term < runs; term++) {
    if (count(term) > 1 && count(term) * 8 >= postCount) found.push(term)
  }
  found.sort((a, b) => count(b) - count(a) || a - b)
  return Uint32Array.from(found.slice(0, candidatesMax))
}

/** Of words that are given by their places: those that each run ends with, and those that it begins with. */
interface RunWords {
  readonly endings: MatchedWords
  readonly beginnings: MatchedWords
}

function matchWords({ lexicons: [ascii, other] }: JoinedPosts, words: Uint32Array): RunWords {
  const runs = [...textsOf(ascii), ...textsOf(other)]
  const texts = Array.from(words, (term) => runs[term] ?? '')
  return { endings: endings(runs, texts), beginnings: beginnings(runs, texts) }
}

/**
 * The pairs of each post, among the first words. A pair is a number: the first word times `links` and the link,
 * times all words and the second one.
 */
class Neighbours {
  readonly width: number
  /** By pair, how many posts have it. */
  readonly counts: Uint32Array
  /** The pairs of all posts, oldest post first, and where those of each post end. */
  readonly pairs: GrowingNumbers = new GrowingNumbers()
  readonly ends: GrowingNumbers = new GrowingNumbers()
  readonly #matched: RunWords
  /** By run: 1 where any word is at its end, and 2 where any is at its beginning. */
  readonly #kinds: Uint8Array
  /** By pair, the last post that it was found in, counted from 1. */
  readonly #last: Uint32Array

  /** @param given how many of the words count, and of how many posts one is looked at */
  constructor(
    { runs }: JoinedPosts,
    matched: RunWords,
    { width, every }: { readonly width: number; readonly every: number },
  ) {
    this.width = width
    this.#matched = matched
    this.#kinds = new Uint8Array(matched.endings.starts.length - 1)
    this.#mark(matched.endings, 1)
    this.#mark(matched.beginnings, 2)
    this.counts = new Uint32Array(width ** 2 * links.length)
    this.#last = new Uint32Array(this.counts.length)
    for (const sequence of runs(every)) this.#addPost(sequence)
  }

  #mark({ starts, words }: MatchedWords, kind: number): void {
    for (let run = 0; run < this.#kinds.length; run++) {
      const end = starts[run + 1] ?? 0
      for (let at = starts[run] ?? 0; at < end; at++) {
        if ((words[at] ?? 0) < this.width) this.#kinds[run] = (this.#kinds[run] ?? 0) | kind
      }
    }
  }

  #addPost(runs: Int32Array): void {
    const post = this.ends.length + 1
    let first = -1
    let link = 0
    for (const run of runs) {
      if (run < firstRun) {
        link = run
        if (run === noLink) first = -1
        continue
      }
      const second = run - firstRun
      const kind = this.#kinds[second] ?? 0
      if (first !== -1 && kind >= 2) this.#addPairs(first, link, second, post)
      first = (kind & 1) === 0 ? -1 : second
      link = 0
    }
    this.ends.push(this.pairs.length)
  }

  #addPairs(first: number, link: number, second: number, post: number): void {
    const { endings, beginnings } = this.#matched
    const from = beginnings.starts[second] ?? 0
    const to = beginnings.starts[second + 1] ?? 0
    const end = endings.starts[first + 1] ?? 0
    for (let at = endings.starts[first] ?? 0; at < end; at++) {
      const word = endings.words[at] ?? 0
      const row = (word * links.length + link) * this.width
      for (let next = from; next < to && word < this.width; next++) {
        const other = beginnings.words[next] ?? 0
        if (other < this.width) this.#add(row + other, post)
      }
    }
  }

  #add(pair: number, post: number): void {
    if (this.#last[pair] === post) return
    this.#last[pair] = post
    this.counts[pair] = (this.counts[pair] ?? 0) + 1
    this.pairs.push(pair)
  }
}

/** How many of the first words have lists of pairs that fit together. */
function howMany({ counts, width }: Neighbours, postCount: number, bytesMax: number): number {
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

/** The pairs of some of the words, which are numbered anew in the order of `places`. */
function listPairs(found: Neighbours, places: readonly number[]): Omit<HeavyPairs, 'heavy'> {
  const rows = new Uint32Array(places.length * links.length + 1)
  const seconds: number[] = []
  const starts = [0]
  /** By pair: where its next post goes, and 1; 0 for a pair that is left out. */
  const next = new Uint32Array(found.counts.length)
  for (let row = 0; row + 1 < rows.length; row++) {
    const first = places[Math.floor(row / links.length)] ?? 0
    const firstPair = (first * links.length + (row % links.length)) * found.width
    for (const [word, place] of places.entries()) {
      const count = found.counts[firstPair + place] ?? 0
      if (count === 0) continue
      const start = starts.at(-1) ?? 0
      next[firstPair + place] = start + 1
      starts.push(start + count)
      seconds.push(word)
    }
    rows[row + 1] = seconds.length
  }
  const posts = distribute(found, next, starts.at(-1) ?? 0)
  return { rows, seconds: Uint32Array.from(seconds), starts: Uint32Array.from(starts), posts }
}

function distribute({ pairs, ends }: Neighbours, next: Uint32Array, total: number): Uint32Array {
  const posts = new Uint32Array(total)
  let at = 0
  for (let post = 0; post < ends.length; post++) {
    for (const end = ends.array[post] ?? 0; at < end; at++) {
      const pair = pairs.array[at] ?? 0
      const place = next[pair] ?? 0
      if (place === 0) continue
      posts[place - 1] = post
      next[pair] = place + 1
    }
  }
  return posts
}
