// Posting lists of sorted terms, and their merge across adjacent posts.
import { unitOrder } from './identifiers.ts'
import type { PostTerms } from './post-terms.ts'
import type { TermTexts } from './term-texts.ts'

/** Concatenated posting lists. */
export interface Postings {
  /** The number of posts of each list. */
  readonly frequencies: Uint32Array
  /** Ascending within a list. Posts are numbered from the oldest, which is 0. */
  readonly posts: Uint32Array
}

/** The distinct terms of some posts, with the posts of each. */
export interface InvertedTerms extends Postings {
  readonly postCount: number
  /** Bytes of all normalized texts. */
  readonly textBytes: number
  /** The number of ASCII tokens, other tokens, and unigrams and bigrams; each kind is sorted by code units. */
  readonly counts: readonly number[]
  /** The terms in this order, each followed by a NUL. */
  readonly texts: Uint8Array
}

/** Returns the terms of one post. */
export function termsOfPost({ text, counts, texts }: PostTerms): InvertedTerms {
  const count = sumOf(counts)
  const frequencies = new Uint32Array(count).fill(1)
  const posts = new Uint32Array(count)
  return { postCount: 1, textBytes: text.length, counts, texts, frequencies, posts }
}

export function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}

/**
 * Merges the terms of adjacent posts, and numbers the posts consecutively.
 *
 * Cost: O((terms + postings) × log parts), as parts are merged in pairs. Arrays are reused between steps: separate
 * ones caused one more garbage collection per edit at 1,000 posts.
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

/** Splits terms by kind, without copying. */
export function dictionariesOf({ counts, texts }: InvertedTerms): readonly TermTexts[] {
  let from = 0
  return counts.map((count) => {
    const start = from
    for (let left = count; left > 0; left--) from = texts.indexOf(0, from) + 1
    return { count, bytes: texts.subarray(start, from) }
  })
}

/** Offsets of the lists in `posts`, plus the end. */
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

/** A cursor in terms that are being merged. */
class TermCursor {
  readonly texts: Uint8Array
  readonly frequencies: Uint32Array
  readonly posts: Uint32Array
  /** Added to each post number. */
  readonly shift: number
  /** Remaining terms of the current kind. */
  left = 0
  term = 0
  /** Offsets of the current term in `texts`, and of its posts in `posts`. */
  text = 0
  post = 0

  constructor({ texts, frequencies, posts }: InvertedTerms, shift: number) {
    this.texts = texts
    this.frequencies = frequencies
    this.posts = posts
    this.shift = shift
  }
}

/** A buffer for merged terms; several merges append to it. */
class MergedTerms {
  readonly #texts: Uint8Array
  readonly #frequencies: Uint32Array
  readonly #posts: Uint32Array
  #textEnd = 0
  #termEnd = 0
  #postEnd = 0

  /** @param parts everything that will be merged */
  constructor(parts: readonly InvertedTerms[]) {
    this.#texts = new Uint8Array(sumOf(parts.map(({ texts }) => texts.length)))
    this.#frequencies = new Uint32Array(sumOf(parts.map(({ frequencies }) => frequencies.length)))
    this.#posts = new Uint32Array(sumOf(parts.map(({ posts }) => posts.length)))
  }

  /** Resets the buffer; earlier results become invalid. */
  clear(): void {
    this.#textEnd = 0
    this.#termEnd = 0
    this.#postEnd = 0
  }

  /** @returns views of the buffer */
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

  /** @returns the number of merged terms */
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
   * Appends the smaller term by code units, without its posts.
   *
   * @returns negative for the term of `a`, 0 for a term of both, positive for that of `b`
   */
  #addLower(a: TermCursor, b: TermCursor): number {
    const { texts } = a
    const { texts: others } = b
    const to = this.#texts
    let at = a.text
    let other = b.text
    let end = this.#textEnd
    let byte = texts[at] ?? 0
    // Copies the common prefix.
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

  /** Appends the posts of a term to those of the last one. */
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

  /** Appends the rest of a term, from `place` to its NUL, without posts. */
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
