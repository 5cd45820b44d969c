// Terms of all posts put together: which distinct ones there are, and which posts have each.
// Knows nothing of how lists are stored nor of how they are searched.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import type { KnownPosts } from './known-posts.ts'
import { readPostTerms } from './post-terms.ts'
import { firstRun } from './term-cutter.ts'
import { knownTerms, type SortedTerms, TermTable } from './term-table.ts'
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
  /** The number of a post among those that the joiner began with; -1 for one that was added. */
  givenNumber(post: number): number
  /** The posts, latest first, such that a joiner may begin with them. */
  known(): KnownPosts
}

/** Posts that a joiner begins with, which have the first numbers. */
export interface GivenPosts {
  readonly known: KnownPosts
  /** What `postTerms` gave for one of them; asked for when its runs are. */
  readonly bytesOf: (post: number) => Uint8Array
}

/** Takes what `postTerms` gave, in any order. */
export class PostJoiner {
  readonly #given: GivenPosts | undefined
  readonly #table: TermTable
  /** Terms of all posts as the table numbers them, post after post, and where each post ends. */
  readonly #terms = new GrowingNumbers()
  readonly #termEnds = new GrowingNumbers()
  /** By term: how many posts have it. */
  readonly #counts = new GrowingNumbers()
  /** Of posts that were not given, and where each post's end. */
  readonly #runs = new GrowingBytes()
  readonly #runEnds = new GrowingNumbers()
  /** Where the runs of all begin in their bytes. */
  readonly #runsAt = new GrowingNumbers()
  readonly #textSizes = new GrowingNumbers()

  constructor(given?: GivenPosts) {
    this.#given = given
    this.#table = new TermTable(given?.known)
    if (given === undefined) return
    const { terms, termEnds, runsAt, textSizes } = given.known
    this.#terms.add(terms)
    this.#termEnds.add(termEnds)
    this.#runsAt.add(runsAt)
    this.#textSizes.add(textSizes)
    this.#count(0, this.#terms.length, 1)
  }

  /** Adds a post; its bytes may be changed afterwards. @returns its number among those that were added */
  add(bytes: Uint8Array): number {
    const post = readPostTerms(bytes)
    const first = this.#terms.length
    const runsAt = this.#table.addNumbers(post, this.#terms)
    this.#count(first, this.#terms.length, 1)
    this.#termEnds.push(this.#terms.length)
    this.#runs.add(bytes.subarray(runsAt))
    this.#runEnds.push(this.#runs.length)
    this.#runsAt.push(runsAt)
    this.#textSizes.push(post.text.length)
    return this.#textSizes.length - 1
  }

  /**
   * Joins posts; nothing may be added afterwards.
   *
   * @param latestFirst numbers of posts; what belongs to others alone is left out
   *
   * Cost: O(terms of all posts), and a sort of the distinct ones that were not given.
   */
  finish(latestFirst: readonly number[]): JoinedPosts {
    const oldestFirst = Uint32Array.from(latestFirst).reverse()
    this.#countJoined(oldestFirst)
    const { lexicons, hashes, ranks } = this.#table.sorted(this.#counts.view())
    const counts = this.#counts.array
    const starts = new Uint32Array(hashes.length + 1)
    for (let term = 0; term < ranks.length; term++) {
      const count = counts[term] ?? 0
      if (count > 0) starts[(ranks[term] ?? 0) + 1] = count
    }
    for (let at = 1; at < starts.length; at++)
      starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    return {
      postCount: oldestFirst.length,
      textBytes: oldestFirst.reduce((sum, post) => sum + (this.#textSizes.array[post] ?? 0), 0),
      lexicons,
      hashes,
      starts,
      posts: this.#invert(oldestFirst, ranks, starts),
      runsOf: this.#runsReader(oldestFirst, ranks),
      givenNumber: (post) => this.#givenNumber(oldestFirst[post] ?? 0),
      known: () => this.#known({ lexicons, hashes, ranks }, latestFirst, starts.at(-1) ?? 0),
    }
  }

  /** Counts terms, from a place to another, so many times. */
  #count(from: number, to: number, by: number): void {
    const terms = this.#terms.array
    this.#counts.reserve(this.#table.size - this.#counts.length)
    this.#counts.length = this.#table.size
    const counts = this.#counts.array
    for (let at = from; at < to; at++) {
      const term = terms[at] ?? 0
      counts[term] = (counts[term] ?? 0) + by
    }
  }

  /** Counts posts for as many times as they are joined: none, once, or more where posts are alike. */
  #countJoined(joined: Uint32Array): void {
    const times = new Int32Array(this.#termEnds.length)
    for (let index = 0; index < joined.length; index++) {
      const post = joined[index] ?? 0
      times[post] = (times[post] ?? 0) + 1
    }
    for (let post = 0; post < times.length; post++) {
      const more = (times[post] ?? 0) - 1
      if (more === 0) continue
      this.#count(startOf(this.#termEnds.array, post), this.#termEnds.array[post] ?? 0, more)
    }
  }

  #invert(oldestFirst: Uint32Array, ranks: Uint32Array, starts: Uint32Array): Uint32Array {
    const terms = this.#terms.array
    const next = new Uint32Array(ranks.length)
    for (let term = 0; term < ranks.length; term++) next[term] = starts[ranks[term] ?? 0] ?? 0
    const posts = new Uint32Array(starts.at(-1) ?? 0)
    for (let post = 0; post < oldestFirst.length; post++) {
      const added = oldestFirst[post] ?? 0
      const end = this.#termEnds.array[added] ?? 0
      for (let at = startOf(this.#termEnds.array, added); at < end; at++) {
        const term = terms[at] ?? 0
        const place = next[term] ?? 0
        posts[place] = post
        next[term] = place + 1
      }
    }
    return posts
  }

  #runsReader(oldestFirst: Uint32Array, ranks: Uint32Array): JoinedPosts['runsOf'] {
    const terms = this.#terms.array
    let room = new Int32Array(1024)
    return (index) => {
      const post = oldestFirst[index] ?? 0
      const { bytes, from, to } = this.#runsOf(post)
      if (to - from > room.length) room = new Int32Array((to - from) * 2)
      const reader = new VarintReader(bytes, from)
      const firstTerm = startOf(this.#termEnds.array, post) - firstRun
      let size = 0
      while (reader.at < to) {
        const run = reader.next()
        const term = run < firstRun ? 0 : (ranks[terms[firstTerm + run] ?? 0] ?? 0)
        room[size++] = run < firstRun ? run : term + firstRun
      }
      return room.subarray(0, size)
    }
  }

  get #givenCount(): number {
    return this.#given?.known.termEnds.length ?? 0
  }

  #givenNumber(post: number): number {
    return post < this.#givenCount ? post : -1
  }

  /** Where a post's runs lie. */
  #runsOf(post: number): {
    readonly bytes: Uint8Array
    readonly from: number
    readonly to: number
  } {
    const given = this.#givenCount
    const to = this.#runEnds.array[post - given] ?? 0
    if (post >= given)
      return { bytes: this.#runs.array, from: startOf(this.#runEnds.array, post - given), to }
    const bytes = this.#given?.bytesOf(post) ?? new Uint8Array(0)
    return { bytes, from: this.#runsAt.array[post] ?? 0, to: bytes.length }
  }

  #known(sorted: SortedTerms, latestFirst: readonly number[], termCount: number): KnownPosts {
    const { ranks } = sorted
    const terms = new Uint32Array(termCount)
    const all = this.#terms.array
    let size = 0
    const termEnds = latestFirst.map((post) => {
      const end = this.#termEnds.array[post] ?? 0
      for (let at = startOf(this.#termEnds.array, post); at < end; at++) {
        terms[size++] = ranks[all[at] ?? 0] ?? 0
      }
      return size
    })
    return {
      ...knownTerms(sorted),
      terms,
      termEnds: Uint32Array.from(termEnds),
      textSizes: Uint32Array.from(latestFirst, (post) => this.#textSizes.array[post] ?? 0),
      runsAt: Uint32Array.from(latestFirst, (post) => this.#runsAt.array[post] ?? 0),
    }
  }
}

/** Where something begins of which the ends are known. */
export function startOf(ends: Uint32Array, number: number): number {
  return number === 0 ? 0 : (ends[number - 1] ?? 0)
}
