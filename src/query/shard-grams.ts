// The common grams of a shard: candidates for the grams of an index. They depend on the shard alone, so a build may
// cache them until a post of the shard changes.
import { GrowingNumbers } from './growing.ts'
import { dictionariesOf, type InvertedTerms, type Postings, startsOf } from './inverted-terms.ts'
import { firstToken, noLink } from './term-cutter.ts'
import { textsOf } from './term-texts.ts'
import { VarintReader } from './varint-reader.ts'
import { beginnings, endings, type MatchedWords } from './word-ends.ts'
import { links } from './words.ts'

/** The grams of a shard, with the posts of each. */
export interface ShardGrams extends Postings {
  /** The most common tokens of the shard in term order, and the number of posts of each. */
  readonly words: readonly string[]
  readonly wordCounts: Uint32Array
  /** Ascending. A gram is `gramOf` its two words, by their index in `words`, and its link. */
  readonly grams: Uint32Array
}

/** The tokens of some posts. */
export interface TokenSequences {
  /** The concatenated token sequences of `postTerms`, and the end of each. */
  readonly tokens: Uint8Array
  readonly tokenEnds: Uint32Array
}

/** Encodes a gram: a token that ends with the first word precedes a token that begins with the second. */
export function gramOf(first: number, link: number, second: number, words: number): number {
  return (first * links.length + link) * words + second
}

/** Maximum number of words per shard: cost grows with its square. */
const wordsMax = 640

/**
 * The grams of all posts of a shard.
 *
 * Cost: O(tokens of all posts + words²).
 */
export function shardGrams(
  terms: InvertedTerms,
  oldestFirst: readonly TokenSequences[],
): ShardGrams {
  const common = commonTokens(terms)
  const names = dictionariesOf(terms).slice(0, 2).flatMap(textsOf)
  const words = Array.from(common, (term) => names[term] ?? '')
  const collector = new GramCollector(endings(names, words), beginnings(names, words), words)
  const termsOf = termsByPost(terms)
  let post = 0
  for (const { tokens, tokenEnds } of oldestFirst) {
    let start = 0
    for (const end of tokenEnds) {
      collector.addPost(tokens.subarray(start, end), termsOf(post))
      start = end
      post += 1
    }
  }
  const wordCounts = common.map((term) => terms.frequencies[term] ?? 0)
  return { words, wordCounts, ...collector.finish() }
}

/** Tokens in at least a sixteenth of the posts, ascending; the most frequent ones when there are too many. */
function commonTokens({ postCount, counts, frequencies }: InvertedTerms): Uint32Array {
  const [ascii = 0, other = 0] = counts
  const found: number[] = []
  for (let term = 0; term < ascii + other; term++) {
    if ((frequencies[term] ?? 0) * 16 >= postCount) found.push(term)
  }
  found.sort((a, b) => (frequencies[b] ?? 0) - (frequencies[a] ?? 0) || a - b)
  return Uint32Array.from(found.slice(0, wordsMax)).sort()
}

/** The terms of each post, ascending: posts number their terms in the same order. */
function termsByPost({ postCount, frequencies, posts }: InvertedTerms) {
  const counts = new Uint32Array(postCount)
  for (const post of posts) counts[post] = (counts[post] ?? 0) + 1
  const starts = startsOf(counts)
  const next = starts.slice()
  const terms = new Uint32Array(posts.length)
  let at = 0
  for (let term = 0; term < frequencies.length; term++) {
    for (const end = at + (frequencies[term] ?? 0); at < end; at++) {
      const post = posts[at] ?? 0
      const place = next[post] ?? 0
      terms[place] = term
      next[post] = place + 1
    }
  }
  return (post: number) => terms.subarray(starts[post], starts[post + 1])
}

/** Collects the distinct grams of each post. */
class GramCollector {
  readonly #endings: MatchedWords
  readonly #beginnings: MatchedWords
  readonly #words: number
  /** By gram: the number of its posts, and the last of them, counted from 1. */
  readonly #counts: Uint32Array
  readonly #last: Uint32Array
  readonly #grams = new GrowingNumbers()
  readonly #ends = new GrowingNumbers()

  constructor(endings: MatchedWords, beginnings: MatchedWords, words: readonly string[]) {
    this.#endings = endings
    this.#beginnings = beginnings
    this.#words = words.length
    this.#counts = new Uint32Array(gramOf(words.length, 0, 0, words.length))
    this.#last = new Uint32Array(this.#counts.length)
  }

  /** @param tokens as term numbers of the post @param terms term numbers of the shard, by those of the post */
  addPost(tokens: Uint8Array, terms: Uint32Array): void {
    const { starts: lastWords } = this.#endings
    const { starts: firstWords } = this.#beginnings
    const reader = new VarintReader(tokens)
    let first = -1
    let link = 0
    while (reader.at < tokens.length) {
      const number = reader.next()
      if (number < firstToken) {
        link = number
        if (number === noLink) first = -1
        continue
      }
      const token = terms[number - firstToken] ?? 0
      if (first !== -1 && firstWords[token] !== firstWords[token + 1]) this.#add(first, link, token)
      first = lastWords[token] === lastWords[token + 1] ? -1 : token
      link = 0
    }
    this.#ends.push(this.#grams.length)
  }

  #add(first: number, link: number, second: number): void {
    const { starts, words } = this.#beginnings
    const end = this.#endings.starts[first + 1] ?? 0
    const post = this.#ends.length + 1
    for (let at = this.#endings.starts[first] ?? 0; at < end; at++) {
      const row = gramOf(this.#endings.words[at] ?? 0, link, 0, this.#words)
      for (let next = starts[second] ?? 0; next < (starts[second + 1] ?? 0); next++) {
        const gram = row + (words[next] ?? 0)
        if (this.#last[gram] === post) continue
        this.#last[gram] = post
        this.#counts[gram] = (this.#counts[gram] ?? 0) + 1
        this.#grams.push(gram)
      }
    }
  }

  finish(): Pick<ShardGrams, 'grams' | 'frequencies' | 'posts'> {
    const grams = new GrowingNumbers()
    const frequencies = new GrowingNumbers()
    // From here on, the position of the next post of each gram.
    const next = this.#last
    let start = 0
    for (let gram = 0; gram < this.#counts.length; gram++) {
      const count = this.#counts[gram] ?? 0
      if (count === 0) continue
      grams.push(gram)
      frequencies.push(count)
      next[gram] = start
      start += count
    }
    const posts = new Uint32Array(start)
    let at = 0
    for (let post = 0; post < this.#ends.length; post++) {
      for (const end = this.#ends.array[post] ?? 0; at < end; at++) {
        const gram = this.#grams.array[at] ?? 0
        const place = next[gram] ?? 0
        posts[place] = post
        next[gram] = place + 1
      }
    }
    return { grams: grams.view(), frequencies: frequencies.view(), posts }
  }
}
