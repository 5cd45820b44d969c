// Distinct terms of many posts, numbered as they come and sorted in the end.
// Knows nothing of posts.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { hashOf, type PostTerms, readHash } from './post-terms.ts'
import { sortTexts } from './term-order.ts'
import type { TermTexts } from './term-texts.ts'
import { VarintReader } from './varint-reader.ts'

/** The terms in their order. */
export interface SortedTerms {
  /** Runs of ASCII, other runs, characters and pairs; each sorted by code units. */
  readonly lexicons: readonly [TermTexts, TermTexts, TermTexts]
  /** Through the three lexicons. */
  readonly hashes: Uint32Array
  /** From the table's numbers to the sorted ones. */
  readonly ranks: Uint32Array
}

/** Terms of the three lexicons, one behind the other. */
interface SortedTexts {
  readonly counts: Uint32Array
  readonly texts: Uint8Array
  readonly hashes: Uint32Array
}

/** Distinct terms by their hash: open addressing, the bytes themselves compared. */
export class TermTable {
  #slots = new Uint32Array(1 << 16)
  /** Each with a NUL behind it. */
  readonly #bytes = new GrowingBytes()
  /** Where each begins, and one more: where the next one would. */
  readonly #starts = new GrowingNumbers()
  readonly #hashes = new GrowingNumbers()
  /** Which of the lexicons each belongs to. */
  readonly #kinds = new GrowingBytes()

  constructor() {
    this.#starts.push(0)
  }

  /**
   * Adds the numbers of a post's terms to others.
   *
   * @returns where the terms end in the bytes of the post
   */
  addNumbers({ bytes, text, count, termsAt }: PostTerms, to: GrowingNumbers): number {
    const reader = new VarintReader(bytes, termsAt)
    to.reserve(count)
    for (let term = 0; term < count; term++) {
      const hash = readHash(reader, bytes)
      const length = reader.next()
      to.array[to.length++] = this.#numberOf(hash, text, reader.next(), length)
    }
    return reader.at
  }

  /**
   * Adds sorted terms.
   *
   * @param texts each with a NUL behind it; `counts` of each lexicon
   * @returns their numbers
   * @throws RangeError when they do not fit each other: a build cache may hold anything
   */
  addTerms({ counts, texts, hashes }: SortedTexts): Uint32Array {
    const numbers = new Uint32Array(hashes.length)
    let term = 0
    let from = 0
    for (let kind = 0; kind < counts.length; kind++) {
      const isPair = kind === 2 ? 1 : 0
      for (let left = counts[kind] ?? 0; left > 0; left--) {
        const to = texts.indexOf(0, from)
        if (to === -1 || term === hashes.length) throw new RangeError('fewer terms than counted')
        numbers[term] = this.#numberOf(hashes[term] ?? 0, texts, from, (to - from) * 2 + isPair)
        term += 1
        from = to + 1
      }
    }
    return numbers
  }

  /** How many distinct terms there are. */
  get size(): number {
    return this.#hashes.length
  }

  /** @param counts by number; terms of which there are none are left out */
  sorted(counts: Uint32Array): SortedTerms {
    const orders = this.#orders(counts)
    const ranks = new Uint32Array(this.size)
    const hashes = new Uint32Array(orders.reduce((sum, { length }) => sum + length, 0))
    const all = this.#hashes.array
    let rank = 0
    for (const order of orders) {
      for (let at = 0; at < order.length; at++) {
        const term = order[at] ?? 0
        ranks[term] = rank
        hashes[rank++] = all[term] ?? 0
      }
    }
    const [ascii, other, pairs] = orders.map((order) => this.#textsOf(order))
    const none = { count: 0, bytes: new Uint8Array(0) }
    return { lexicons: [ascii ?? none, other ?? none, pairs ?? none], hashes, ranks }
  }

  /** Of each lexicon. */
  #orders(counts: Uint32Array): readonly Uint32Array[] {
    return [0, 1, 2].map((kind) => this.#sortedOf(kind, counts))
  }

  #sortedOf(kind: number, counts: Uint32Array): Uint32Array {
    const kinds = this.#kinds.array
    const order = new Uint32Array(counts.length)
    let size = 0
    for (let term = 0; term < counts.length; term++) {
      if (kinds[term] === kind && counts[term] !== 0) order[size++] = term
    }
    const sorted = order.subarray(0, size)
    sortTexts(this.#bytes.array, this.#starts.array, sorted)
    return sorted
  }

  #textsOf(order: Uint32Array): TermTexts {
    const starts = this.#starts.array
    const bytes = new GrowingBytes()
    bytes.reserve(this.#bytes.length)
    for (let at = 0; at < order.length; ) {
      const first = order[at] ?? 0
      let next = first
      // Neighbours in the table are copied at once.
      while (order[at] === next) {
        at += 1
        next += 1
      }
      bytes.addPart(this.#bytes.array, starts[first] ?? 0, starts[next] ?? 0)
    }
    return { count: order.length, bytes: bytes.view() }
  }

  /** @param length in bytes, twice, and one more for a character alone or a pair */
  #numberOf(hash: number, text: Uint8Array, from: number, length: number): number {
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

  /** @throws RangeError for a wrong hash: many equal ones make every search of a slot O(terms) */
  #insert(slot: number, hash: number, term: Uint8Array, isPair: number): number {
    if (hashOf(term, 0, term.length) !== hash) throw new RangeError('a term with a wrong hash')
    const number = this.#hashes.length
    const isAscii = term.every((byte) => byte < 0x80)
    this.#kinds.addByte(isPair === 1 ? 2 : isAscii ? 0 : 1)
    this.#bytes.add(term)
    this.#bytes.addByte(0)
    this.#starts.push(this.#bytes.length)
    this.#hashes.push(hash)
    this.#slots[slot] = number + 1
    if (this.#isFull()) {
      this.#slots = new Uint32Array(this.#slots.length * 4)
      this.#fillSlots()
    }
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

  #isFull(): boolean {
    return this.size * 2 > this.#slots.length
  }

  #fillSlots(): void {
    const slots = this.#slots
    const hashes = this.#hashes.array
    const mask = slots.length - 1
    for (let term = 0; term < this.size; term++) {
      const hash = hashes[term] ?? 0
      let slot = (hash ^ (hash >>> 16)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = term + 1
    }
  }
}
