// Which pairs of a few words stand next to each other in each post.
// Knows nothing of what is made of them.
import { GrowingNumbers } from './growing.ts'
import type { JoinedPosts } from './joined-posts.ts'
import { firstRun, noLink } from './term-cutter.ts'
import { textsOf } from './term-texts.ts'
import { beginnings, endings, type MatchedWords } from './word-ends.ts'
import { links } from './words.ts'

/** Words by their places, and of all runs those that each ends with, and those that it begins with. */
export interface PairedWords {
  readonly texts: readonly string[]
  readonly endings: MatchedWords
  readonly beginnings: MatchedWords
}

/** Finds words at the ends of all runs. @param words terms */
export function pairedWords(
  { lexicons: [ascii, other] }: JoinedPosts,
  words: Uint32Array,
): PairedWords {
  const runs = [...textsOf(ascii), ...textsOf(other)]
  const texts = Array.from(words, (term) => runs[term] ?? '')
  return { texts, endings: endings(runs, texts), beginnings: beginnings(runs, texts) }
}

/** How neighbours are looked for. */
export interface NeighbourSearch {
  /** So many of the words count, from the first one on. */
  readonly width: number
  /** One post of so many is looked at. @default 1 */
  readonly every?: number
}

/**
 * The pairs of each post, among the first words. A pair is a number: the first word times `links` and the link,
 * times all words and the second one.
 */
export class Neighbours {
  readonly width: number
  /** By pair, how many posts have it. */
  readonly counts: Uint32Array
  /** The pairs of all posts, oldest post first, and where those of each post end. */
  readonly pairs: GrowingNumbers = new GrowingNumbers()
  readonly ends: GrowingNumbers = new GrowingNumbers()
  readonly #words: PairedWords
  /** By run: 1 where any word is at its end, and 2 where any is at its beginning. */
  readonly #kinds: Uint8Array
  /** By pair, the last post that it was found in, counted from 1. */
  readonly #last: Uint32Array

  constructor(joined: JoinedPosts, words: PairedWords, { width, every = 1 }: NeighbourSearch) {
    this.width = width
    this.#words = words
    this.#kinds = new Uint8Array(words.endings.starts.length - 1)
    this.#mark(words.endings, 1)
    this.#mark(words.beginnings, 2)
    this.counts = new Uint32Array(width ** 2 * links.length)
    this.#last = new Uint32Array(this.counts.length)
    for (let post = 0; post < joined.postCount; post += every) {
      this.#addPost(joined.runsOf(post))
      this.ends.push(this.pairs.length)
    }
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
  }

  #addPairs(first: number, link: number, second: number, post: number): void {
    const { endings, beginnings } = this.#words
    const from = beginnings.starts[second] ?? 0
    const to = beginnings.starts[second + 1] ?? 0
    const end = endings.starts[first + 1] ?? 0
    for (let at = endings.starts[first] ?? 0; at < end; at++) {
      const word = endings.words[at] ?? 0
      const row = (word * links.length + link) * this.width
      for (let next = from; next < to && word < this.width; next++) {
        const other = beginnings.words[next] ?? 0
        if (other < this.width) this.#addOnce(row + other, post)
      }
    }
  }

  #addOnce(pair: number, post: number): void {
    if (this.#last[pair] === post) return
    this.#last[pair] = post
    this.counts[pair] = (this.counts[pair] ?? 0) + 1
    this.pairs.push(pair)
  }
}
