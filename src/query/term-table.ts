// Distinct terms of many posts, numbered as they come and sorted in the end.
// Knows nothing of posts.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { sortTexts } from './term-order.ts'

/** The terms in their order. */
export interface SortedTerms {
  /** Runs of ASCII, other runs, characters and pairs; each sorted by code units. */
  readonly lexicons: readonly [readonly string[], readonly string[], readonly string[]]
  /** Through the three lexicons. */
  readonly hashes: Uint32Array
  /** From the table's numbers to the sorted ones. */
  readonly ranks: Uint32Array
}

/** Distinct terms by their hash: open addressing, the bytes themselves compared. */
export class TermTable {
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

  /** How many distinct terms there are. */
  get size(): number {
    return this.#hashes.length
  }

  /** @param counts by number; terms of which there are none are left out */
  sorted(counts: Uint32Array): SortedTerms {
    const all = new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.view())
    const starts = new Uint32Array(this.size)
    const kinds: [number[], number[], number[]] = [[], [], []]
    let start = 0
    for (let term = 0; term < starts.length; term++) {
      starts[term] = start
      const end = all.indexOf('\0', start)
      // As long in code units as in bytes: all ASCII.
      const bytes = (this.#starts.array[term + 1] ?? 0) - (this.#starts.array[term] ?? 0)
      const kind = end - start + 1 === bytes ? 0 : 1
      if (counts[term] !== 0) kinds[this.#isPair.array[term] === 1 ? 2 : kind].push(term)
      start = end + 1
    }
    const ranks = new Uint32Array(starts.length)
    const hashes = new Uint32Array(kinds.reduce((sum, { length }) => sum + length, 0))
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
