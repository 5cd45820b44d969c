// Terms of all posts put together: which distinct ones there are, and which posts have each.
// Knows nothing of how lists are stored nor of how they are searched.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { readHash, readPostTerms } from './post-terms.ts'
import { firstRun } from './term-cutter.ts'
import { sortTexts } from './term-order.ts'
import { VarintReader } from './varint-reader.ts'

/** All posts' terms. Posts are numbered from the one added last: the oldest is 0. */
export interface JoinedPosts {
  readonly postCount: number
  /** Runs of ASCII, other runs, characters and pairs; each sorted by code units. */
  readonly lexicons: readonly [readonly string[], readonly string[], readonly string[]]
  /** By term, through the three lexicons: hashes, and where its posts begin in `posts`. */
  readonly hashes: Uint32Array
  readonly starts: Uint32Array
  /** Ascending for each term. */
  readonly posts: Uint32Array
  /** Bytes of all folded texts. */
  readonly textBytes: number
  /** The runs of each post in its order, oldest post first: as `postTerms` has them, but terms of all posts. */
  runs(): Iterable<Int32Array>
}

/** Takes what `postTerms` gave, latest post first. */
export class PostJoiner {
  readonly #table = new TermTable()
  /** Terms of all posts as the table numbers them, post after post, and where each post ends. */
  readonly #terms = new GrowingNumbers()
  readonly #termEnds = new GrowingNumbers()
  readonly #runs = new GrowingBytes()
  readonly #runEnds = new GrowingNumbers()
  #textBytes = 0

  /** Adds a post; its bytes may be changed afterwards. */
  add(bytes: Uint8Array): void {
    const { text, count, termsAt } = readPostTerms(bytes)
    const reader = new VarintReader(bytes, termsAt)
    this.#textBytes += text.length
    for (let term = 0; term < count; term++) {
      const hash = readHash(reader, bytes)
      const length = reader.next()
      this.#terms.push(this.#table.numberOf(hash, text, reader.next(), length))
    }
    this.#termEnds.push(this.#terms.length)
    this.#runs.add(bytes.subarray(reader.at))
    this.#runEnds.push(this.#runs.length)
  }

  /** Cost: O(terms of all posts), and a sort of the distinct ones. */
  finish(): JoinedPosts {
    const { lexicons, hashes, ranks } = this.#table.sorted()
    const terms = this.#terms.view()
    for (let at = 0; at < terms.length; at++) terms[at] = ranks[terms[at] ?? 0] ?? 0
    const { starts, posts } = this.#invert(hashes.length)
    return {
      postCount: this.#termEnds.length,
      textBytes: this.#textBytes,
      lexicons,
      hashes,
      starts,
      posts,
      runs: () => this.#eachRuns(),
    }
  }

  #invert(termCount: number): { readonly starts: Uint32Array; readonly posts: Uint32Array } {
    const terms = this.#terms.view()
    const ends = this.#termEnds.view()
    const starts = new Uint32Array(termCount + 1)
    for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1
    for (let at = 1; at <= termCount; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    const next = starts.slice()
    const posts = new Uint32Array(terms.length)
    for (let added = ends.length - 1; added >= 0; added--) {
      const post = ends.length - 1 - added
      const end = ends[added] ?? 0
      for (let at = added === 0 ? 0 : (ends[added - 1] ?? 0); at < end; at++) {
        const term = terms[at] ?? 0
        const place = next[term] ?? 0
        posts[place] = post
        next[term] = place + 1
      }
    }
    return { starts, posts }
  }

  *#eachRuns(): Generator<Int32Array> {
    let room = new Int32Array(1024)
    for (let added = this.#runEnds.length - 1; added >= 0; added--) {
      const start = added === 0 ? 0 : (this.#runEnds.array[added - 1] ?? 0)
      const firstTerm = added === 0 ? 0 : (this.#termEnds.array[added - 1] ?? 0)
      const end = this.#runEnds.array[added] ?? 0
      if (end - start > room.length) room = new Int32Array((end - start) * 2)
      yield room.subarray(0, this.#readRuns(start, end, firstTerm, room))
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

interface SortedTerms {
  readonly lexicons: JoinedPosts['lexicons']
  readonly hashes: Uint32Array
  /** From the table's numbers to the sorted ones. */
  readonly ranks: Uint32Array
}

/** Distinct terms by their hash: open addressing, the bytes themselves compared. */
class TermTable {
  #slots = new Uint32Array(1 << 16)
  readonly #bytes = new GrowingBytes()
  readonly #starts = new GrowingNumbers()
  readonly #hashes = new GrowingNumbers()
  readonly #isPair = new GrowingNumbers()

  constructor() {
    this.#starts.push(0)
  }

  /** @param length in bytes, twice, and one more for a character alone or a pair */
  numberOf(hash: number, text: Uint8Array, from: number, length: number): number {
    const slots = this.#slots
    const hashes = this.#hashes.array
    const mask = slots.length - 1
    let slot = (hash ^ (hash >>> 16)) & mask
    for (;;) {
      const entry = slots[slot] ?? 0
      if (entry === 0) break
      if (hashes[entry - 1] === hash && this.#isEqual(entry - 1, text, from, length >>> 1)) {
        return entry - 1
      }
      slot = (slot + 1) & mask
    }
    return this.#insert(slot, hash, text.subarray(from, from + (length >>> 1)), length & 1)
  }

  sorted(): SortedTerms {
    const all = new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.view())
    const starts = new Uint32Array(this.#hashes.length)
    const kinds: [number[], number[], number[]] = [[], [], []]
    let start = 0
    for (let term = 0; term < starts.length; term++) {
      starts[term] = start
      const end = all.indexOf('\0', start)
      // As long in code units as in bytes: all ASCII.
      const bytes = (this.#starts.array[term + 1] ?? 0) - (this.#starts.array[term] ?? 0)
      const kind = end - start + 1 === bytes ? 0 : 1
      kinds[this.#isPair.array[term] === 1 ? 2 : kind].push(term)
      start = end + 1
    }
    const ranks = new Uint32Array(starts.length)
    const hashes = new Uint32Array(starts.length)
    let rank = 0
    const lexicons = kinds.map((terms) => {
      const order = Uint32Array.from(terms)
      sortTexts(all, starts, order)
      return Array.from(order, (term) => {
        ranks[term] = rank
        hashes[rank++] = this.#hashes.array[term] ?? 0
        return all.slice(starts[term], all.indexOf('\0', starts[term]))
      })
    }) as [string[], string[], string[]]
    return { lexicons, hashes, ranks }
  }

  #insert(slot: number, hash: number, term: Uint8Array, isPair: number): number {
    const number = this.#hashes.length
    this.#bytes.add(term)
    this.#bytes.addVarint(0)
    this.#starts.push(this.#bytes.length)
    this.#hashes.push(hash)
    this.#isPair.push(isPair)
    this.#slots[slot] = number + 1
    if (number * 2 > this.#slots.length) this.#grow()
    return number
  }

  #isEqual(term: number, text: Uint8Array, from: number, length: number): boolean {
    const starts = this.#starts.array
    const start = starts[term] ?? 0
    if ((starts[term + 1] ?? 0) - start - 1 !== length) return false
    const bytes = this.#bytes.array
    for (let at = 0; at < length; at++) if (bytes[start + at] !== text[from + at]) return false
    return true
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 4)
    const mask = this.#slots.length - 1
    this.#hashes.view().forEach((hash, term) => {
      let slot = (hash ^ (hash >>> 16)) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = term + 1
    })
  }
}
