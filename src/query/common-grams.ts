// The common-gram index: posts in which two common words are adjacent. Phrases of common words are looked up in it.
import { dictionariesOf, type InvertedTerms } from './inverted-terms.ts'
import type { Shard } from './shard.ts'
import { gramOf, type ShardGrams } from './shard-grams.ts'
import { textsOf } from './term-texts.ts'
import { links } from './words.ts'

/**
 * Common words, and posting lists by gram: two words and a link. A post is in the list of a gram when a token ending
 * in the first word precedes a token beginning with the second. These are the posts with a phrase of the two.
 */
export interface CommonGrams {
  /** Terms, ascending. */
  readonly words: Uint32Array
  /** Offsets of the grams of each first word and link, plus the end. Words are counted by their index in `words`. */
  readonly rows: Uint32Array
  /** The second word of each gram, ascending within a row. */
  readonly seconds: Uint32Array
  /** Offsets of the posts of each gram, plus the end. */
  readonly starts: Uint32Array
  /** Ascending within each gram. */
  readonly posts: Uint32Array
}

/** Maximum number of words: cost grows with its square. */
const wordsMax = 512

/**
 * Returns the grams of the most common words, as many as fit.
 *
 * @param terms of all shards
 * @param oldestFirst shards, each with its grams
 * @param bytesMax limit for the lists of grams, estimated from their lengths
 *
 * Cost: O(grams of all shards and their posts + words²).
 */
export function commonGrams(
  terms: InvertedTerms,
  oldestFirst: readonly Shard[],
  bytesMax: number,
): CommonGrams {
  const shards = oldestFirst.flatMap(({ grams, postCount }) => (grams ? { grams, postCount } : []))
  const candidates = candidateWords(terms, shards)
  const names = candidates.map(({ word }) => word)
  const counts = new Uint32Array(gramOf(names.length, 0, 0, names.length))
  for (const { grams } of shards) {
    eachGram(grams, names, (gram, from, to) => {
      counts[gram] = (counts[gram] ?? 0) + to - from
    })
  }
  const width = howMany(counts, names.length, terms.postCount, bytesMax)
  const fitting = candidates.slice(0, width).sort((a, b) => a.term - b.term)
  const places = fitting.map(({ word }) => names.indexOf(word))
  return {
    words: Uint32Array.from(fitting, ({ term }) => term),
    ...listGrams(counts, names, places, shards),
  }
}

interface Candidate {
  readonly term: number
  readonly word: string
}

interface GramShard {
  readonly grams: ShardGrams
  readonly postCount: number
}

/** Words in at least an eighth of all posts whose grams are in all shards, most frequent first. */
function candidateWords(terms: InvertedTerms, shards: readonly GramShard[]): readonly Candidate[] {
  const { postCount, frequencies } = terms
  const counted = new Map<string, number>()
  for (const { grams } of shards) {
    for (const [at, word] of grams.words.entries()) {
      counted.set(word, (counted.get(word) ?? 0) + (grams.wordCounts[at] ?? 0))
    }
  }
  const frequency = (term: number) => frequencies[term] ?? 0
  return dictionariesOf(terms)
    .slice(0, 2)
    .flatMap(textsOf)
    .map((word, term) => ({ word, term }))
    .filter(({ word, term }) => {
      const posts = frequency(term)
      return posts > 1 && posts * 8 >= postCount && counted.get(word) === posts
    })
    .sort((a, b) => frequency(b.term) - frequency(a.term) || a.term - b.term)
    .slice(0, wordsMax)
}

/** Calls back for each gram of a shard whose words are both among `names`, with their indices there. */
function eachGram(
  { words, grams, frequencies }: ShardGrams,
  names: readonly string[],
  found: (gram: number, from: number, to: number) => void,
): void {
  const placeOf = new Map(names.map((word, place) => [word, place]))
  const places = Int32Array.from(words, (word) => placeOf.get(word) ?? -1)
  let to = 0
  for (let at = 0; at < grams.length; at++) {
    const from = to
    to += frequencies[at] ?? 0
    const gram = grams[at] ?? 0
    const row = Math.floor(gram / words.length)
    const first = places[Math.floor(row / links.length)] ?? -1
    const second = places[gram % words.length] ?? -1
    if (first === -1 || second === -1) continue
    found(gramOf(first, row % links.length, second, names.length), from, to)
  }
}

/** The number of leading words whose gram lists fit into `bytesMax` together. */
function howMany(counts: Uint32Array, width: number, postCount: number, bytesMax: number): number {
  const costs = new Float64Array(width)
  for (let gram = 0; gram < counts.length; gram++) {
    const count = counts[gram] ?? 0
    if (count === 0) continue
    const last = Math.max(Math.floor(gram / width / links.length), gram % width)
    costs[last] = (costs[last] ?? 0) + likelyBytes(count, postCount)
  }
  let bytes = 0
  const over = costs.findIndex((cost) => {
    bytes += cost
    return bytes > bytesMax
  })
  return over === -1 ? width : over
}

/** Estimates the bytes of a list and its reference: the logarithm of the mean gap and 1.6 bits per ordinal. */
function likelyBytes(count: number, postCount: number): number {
  const gap = postCount / count
  const whole = 31 - Math.clz32(gap)
  return Math.min(postCount / 8, (count * (whole + gap / 2 ** whole + 0.6)) / 8) + 6
}

/** Lists the grams of some words, renumbered in the order of `places`. */
function listGrams(
  counts: Uint32Array,
  names: readonly string[],
  places: readonly number[],
  shards: readonly GramShard[],
): Omit<CommonGrams, 'words'> {
  const rows = new Uint32Array(places.length * links.length + 1)
  const seconds: number[] = []
  const starts = [0]
  /** By gram: the position of its next post, plus 1; 0 for an omitted gram. */
  const next = new Uint32Array(counts.length)
  for (let row = 0; row + 1 < rows.length; row++) {
    const first = places[Math.floor(row / links.length)] ?? 0
    for (const [word, place] of places.entries()) {
      const gram = gramOf(first, row % links.length, place, names.length)
      const count = counts[gram] ?? 0
      if (count === 0) continue
      const start = starts.at(-1) ?? 0
      next[gram] = start + 1
      starts.push(start + count)
      seconds.push(word)
    }
    rows[row + 1] = seconds.length
  }
  const posts = new Uint32Array(starts.at(-1) ?? 0)
  let firstPost = 0
  for (const { grams, postCount } of shards) {
    const shift = firstPost
    eachGram(grams, names, (gram, from, to) => {
      const place = next[gram] ?? 0
      if (place === 0) return
      for (let at = from; at < to; at++)
        posts[place - 1 + at - from] = (grams.posts[at] ?? 0) + shift
      next[gram] = place + to - from
    })
    firstPost += postCount
  }
  return { rows, seconds: Uint32Array.from(seconds), starts: Uint32Array.from(starts), posts }
}
