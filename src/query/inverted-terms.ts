// Posting lists of sorted terms, and how those of neighbouring posts are merged.
import { unitOrder } from './identifiers.ts'
import type { PostTerms } from './post-terms.ts'
import type { TermTexts } from './term-texts.ts'

/** Posting lists, one behind the other. */
export interface Postings {
  /** By list: how many posts it has. */
  readonly frequencies: Uint32Array
  /** Ascending within a list. Posts are numbered from the oldest one, which is 0. */
  readonly posts: Uint32Array
}

/** The distinct terms of some posts, and the posts that have each. */
export interface InvertedTerms extends Postings {
  readonly postCount: number
  /** Bytes of all folded texts. */
  readonly textBytes: number
  /** How many terms are tokens of ASCII, other tokens, and unigrams and bigrams; each kind is sorted by code units. */
  readonly counts: readonly number[]
  /** The terms in this order, each with a NUL behind it. */
  readonly texts: Uint8Array
}

/** The terms of one post. */
export function termsOfPost({ text, counts, texts }: PostTerms): InvertedTerms {
  const count = sumOf(counts)
  const frequencies = new Uint32Array(count).fill(1)
  const posts = new Uint32Array(count)
  return { postCount: 1, textBytes: text.length, counts, texts, frequencies, posts }
}

/** How much numbers are together. */
export function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}

/**
 * Merges the terms of neighbours; posts are numbered through.
 *
 * Cost: O(terms and postings × log of how many are merged), as each term is compared with one other at a time.
 * Arrays are reused from step to step: with separate ones an edit at 1,000 posts collected garbage once more.
 */
export function mergeTerms(oldestFirst: readonly InvertedTerms[]): InvertedTerms {
  let parts = oldestFirst
  let previous: MergedTerms | undefined
  let last: MergedTerms | undefined
  while (parts.length > 1) {
    const to = previous ?? new MergedTerms(oldestFirst)
    to.clear()
    const merged: InvertedTerms[] = []
    for (let at = 0; at < parts.length; at += 2) {
      merged.push(to.merge(parts[at] ?? noTerms, parts[at + 1] ?? noTerms))
    }
    parts = merged
    previous = last
    last = to
  }
  return parts[0] ?? noTerms
}

/** Each kind of terms by itself, as bytes that are not copied. */
export function dictionariesOf({ counts, texts }: InvertedTerms): readonly TermTexts[] {
  let from = 0
  return counts.map((count) => {
    const start = from
    for (let left = count; left > 0; left--) from = texts.indexOf(0, from) + 1
    return { count, bytes: texts.subarray(start, from) }
  })
}

/** Where each list begins in `posts`, and where the last one ends. */
export function startsOf(frequencies: Uint32Array): Uint32Array {
  const starts = new Uint32Array(frequencies.length + 1)
  for (let list = 0; list < frequencies.length; list++) {
    starts[list + 1] = (starts[list] ?? 0) + (frequencies[list] ?? 0)
  }
  return starts
}

const noTerms: InvertedTerms = {
  postCount: 0,
  textBytes: 0,
  counts: [0, 0, 0],
  texts: new Uint8Array(0),
  frequencies: new Uint32Array(0),
  posts: new Uint32Array(0),
}

/** A place in terms that are merged. */
class TermCursor {
  readonly texts: Uint8Array
  readonly frequencies: Uint32Array
  readonly posts: Uint32Array
  /** The number that is added to each post. */
  readonly shift: number
  /** Terms of this kind that are left. */
  left = 0
  term = 0
  /** Where the term begins in `texts`, and its posts in `posts`. */
  text = 0
  post = 0

  constructor({ texts, frequencies, posts }: InvertedTerms, shift: number) {
    this.texts = texts
    this.frequencies = frequencies
    this.posts = posts
    this.shift = shift
  }
}

/** Room for terms as they are merged, one merger behind the other. */
class MergedTerms {
  readonly #texts: Uint8Array
  readonly #frequencies: Uint32Array
  readonly #posts: Uint32Array
  #textEnd = 0
  #termEnd = 0
  #postEnd = 0

  /** @param parts all that is merged */
  constructor(parts: readonly InvertedTerms[]) {
    this.#texts = new Uint8Array(sumOf(parts.map(({ texts }) => texts.length)))
    this.#frequencies = new Uint32Array(sumOf(parts.map(({ frequencies }) => frequencies.length)))
    this.#posts = new Uint32Array(sumOf(parts.map(({ posts }) => posts.length)))
  }

  /** Merged terms are overwritten from now on. */
  clear(): void {
    this.#textEnd = 0
    this.#termEnd = 0
    this.#postEnd = 0
  }

  /** @returns views */
  merge(older: InvertedTerms, newer: InvertedTerms): InvertedTerms {
    const [text, term, post] = [this.#textEnd, this.#termEnd, this.#postEnd]
    const [a, b] = [new TermCursor(older, 0), new TermCursor(newer, older.postCount)]
    const counts = older.counts.map((count, kind) => {
      a.left = count
      b.left = newer.counts[kind] ?? 0
      return this.#mergeKind(a, b)
    })
    return {
      postCount: older.postCount + newer.postCount,
      textBytes: older.textBytes + newer.textBytes,
      counts,
      texts: this.#texts.subarray(text, this.#textEnd),
      frequencies: this.#frequencies.subarray(term, this.#termEnd),
      posts: this.#posts.subarray(post, this.#postEnd),
    }
  }

  /** @returns how many terms there are */
  #mergeKind(a: TermCursor, b: TermCursor): number {
    const first = this.#termEnd
    while (a.left > 0 && b.left > 0) {
      const order = this.#addLower(a, b)
      if (order <= 0) this.#addPosts(a)
      if (order >= 0) this.#addPosts(b)
    }
    this.#addRest(a)
    this.#addRest(b)
    return this.#termEnd - first
  }

  /**
   * Adds the term that is first by code units; its posts are still to be added.
   *
   * @returns less than 0 for that of `a`, 0 for a term of both, more for that of `b`
   */
  #addLower(a: TermCursor, b: TermCursor): number {
    const { texts } = a
    const { texts: others } = b
    const to = this.#texts
    let at = a.text
    let other = b.text
    let end = this.#textEnd
    let byte = texts[at] ?? 0
    // Both are copied as long as they are alike.
    while (byte !== 0 && byte === others[other]) {
      to[end++] = byte
      byte = texts[++at] ?? 0
      other += 1
    }
    this.#textEnd = end
    const order = unitOrder(byte) - unitOrder(others[other] ?? 0)
    if (order <= 0) this.#addText(a, at)
    else this.#addText(b, other)
    if (order === 0) b.text = other + 1
    return order
  }

  /** Adds the posts of a term to those of the last one. */
  #addPosts(from: TermCursor): void {
    const { posts, shift, post, term } = from
    const frequency = from.frequencies[term] ?? 0
    const to = this.#posts
    const end = this.#postEnd
    for (let at = 0; at < frequency; at++) to[end + at] = (posts[post + at] ?? 0) + shift
    const last = this.#termEnd - 1
    this.#frequencies[last] = (this.#frequencies[last] ?? 0) + frequency
    this.#postEnd = end + frequency
    from.post = post + frequency
    from.term = term + 1
    from.left -= 1
  }

  #addRest(from: TermCursor): void {
    while (from.left > 0) {
      this.#addText(from, from.text)
      this.#addPosts(from)
    }
  }

  /** Adds a term without posts, from a place in it up to its NUL. */
  #addText(from: TermCursor, place: number): void {
    const { texts } = from
    const to = this.#texts
    let at = place
    let end = this.#textEnd
    for (let byte = 1; byte !== 0; ) {
      byte = texts[at++] ?? 0
      to[end++] = byte
    }
    this.#textEnd = end
    this.#frequencies[this.#termEnd++] = 0
    from.text = at
  }
}
