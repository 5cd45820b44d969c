// Terms of all posts put together: which distinct ones there are, and which posts have each.
// Knows nothing of how lists are stored nor of how they are searched.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { readPostTerms } from './post-terms.ts'
import { firstRun } from './term-cutter.ts'
import { type SortedTerms, TermTable } from './term-table.ts'
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
   * The runs of each post in its order, oldest post first: as `postTerms` has them, but terms of all posts.
   *
   * @param every one post of so many is given @default 1
   */
  runs(every?: number): Iterable<Int32Array>
}

/** Takes what `postTerms` gave, in any order. */
export class PostJoiner {
  readonly #table = new TermTable()
  /** Terms of all posts as the table numbers them, post after post, and where each post ends. */
  readonly #terms = new GrowingNumbers()
  readonly #termEnds = new GrowingNumbers()
  readonly #runs = new GrowingBytes()
  readonly #runEnds = new GrowingNumbers()
  readonly #textBytes = new GrowingNumbers()

  /** Adds a post; its bytes may be changed afterwards. @returns its number among those that were added */
  add(bytes: Uint8Array): number {
    const post = readPostTerms(bytes)
    this.#textBytes.push(post.text.length)
    const runsAt = this.#table.addNumbers(post, this.#terms)
    this.#termEnds.push(this.#terms.length)
    this.#runs.add(bytes.subarray(runsAt))
    this.#runEnds.push(this.#runs.length)
    return this.#runEnds.length - 1
  }

  /**
   * Joins posts; nothing may be added afterwards.
   *
   * @param latestFirst numbers that `add` gave, each once; what belongs to others alone is left out
   *
   * Cost: O(terms of all posts), and a sort of the distinct ones.
   */
  finish(latestFirst: readonly number[]): JoinedPosts {
    const oldestFirst = Uint32Array.from(latestFirst).reverse()
    const counts = this.#countPosts(oldestFirst)
    const { lexicons, hashes, ranks } = this.#table.sorted(counts)
    const starts = new Uint32Array(hashes.length + 1)
    for (let term = 0; term < counts.length; term++) {
      const count = counts[term] ?? 0
      if (count > 0) starts[(ranks[term] ?? 0) + 1] = count
    }
    for (let at = 1; at < starts.length; at++)
      starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    return {
      postCount: oldestFirst.length,
      textBytes: oldestFirst.reduce((sum, post) => sum + (this.#textBytes.array[post] ?? 0), 0),
      lexicons,
      hashes,
      starts,
      posts: this.#invert(oldestFirst, ranks, starts),
      runs: (every) => this.#eachRuns(oldestFirst, ranks, every),
    }
  }

  /** By term as the table numbers them: how many of the posts have it. */
  #countPosts(added: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.#table.size)
    const terms = this.#terms.array
    for (let index = 0; index < added.length; index++) {
      const post = added[index] ?? 0
      const end = this.#termEnds.array[post] ?? 0
      for (let at = startOf(this.#termEnds, post); at < end; at++) {
        const term = terms[at] ?? 0
        counts[term] = (counts[term] ?? 0) + 1
      }
    }
    return counts
  }

  #invert(oldestFirst: Uint32Array, ranks: Uint32Array, starts: Uint32Array): Uint32Array {
    const terms = this.#terms.array
    const next = new Uint32Array(ranks.length)
    for (let term = 0; term < ranks.length; term++) next[term] = starts[ranks[term] ?? 0] ?? 0
    const posts = new Uint32Array(starts.at(-1) ?? 0)
    for (let post = 0; post < oldestFirst.length; post++) {
      const added = oldestFirst[post] ?? 0
      const end = this.#termEnds.array[added] ?? 0
      for (let at = startOf(this.#termEnds, added); at < end; at++) {
        const term = terms[at] ?? 0
        const place = next[term] ?? 0
        posts[place] = post
        next[term] = place + 1
      }
    }
    return posts
  }

  *#eachRuns(oldestFirst: Uint32Array, ranks: Uint32Array, every = 1): Generator<Int32Array> {
    let room = new Int32Array(1024)
    for (let post = 0; post < oldestFirst.length; post += every) {
      const added = oldestFirst[post] ?? 0
      const start = startOf(this.#runEnds, added)
      const end = this.#runEnds.array[added] ?? 0
      if (end - start > room.length) room = new Int32Array((end - start) * 2)
      const size = this.#readRuns(start, end, startOf(this.#termEnds, added), room)
      for (let at = 0; at < size; at++) {
        const run = room[at] ?? 0
        if (run >= firstRun) room[at] = (ranks[run - firstRun] ?? 0) + firstRun
      }
      yield room.subarray(0, size)
    }
  }

  #readRuns(start: number, end: number, firstTerm: number, room: Int32Array): number {
    const terms = this.#terms.array
    const reader = new VarintReader(this.#runs.array, start)
    let size = 0
    while (reader.at < end) {
      const run = reader.next()
      room[size++] = run < firstRun ? run : (terms[firstTerm + run - firstRun] ?? 0) + firstRun
    }
    return size
  }
}

/** Where something begins of which the ends are known. */
function startOf(ends: GrowingNumbers, number: number): number {
  return number === 0 ? 0 : (ends.array[number - 1] ?? 0)
}
