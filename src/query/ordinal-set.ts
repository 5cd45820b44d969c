// A set of ordinals that knows its size and lists only requested ranges.
import type { Ordinals } from '../api/snapshot.ts'
import { type Bitmap, bitsIn, hasOrdinal } from './bitmaps.ts'
import { lastAtOrBefore } from './posting-lists.ts'

/** The ordinals of a bitmap, ascending. */
export class OrdinalSet implements Ordinals {
  readonly length: number
  /** Includes skipped ordinals; counted back from `last` when it is given. */
  readonly bits: Bitmap
  readonly last: number | undefined
  /** The number of ordinals before each block, and in total. */
  readonly #ranks: Uint32Array
  /** The number of skipped ordinals at the beginning. */
  readonly #skipped: number

  /**
   * @param bits must not be written any more
   * @param last reverses the set: bit `i` represents the ordinal `last` - `i`
   *
   * Cost: O(words).
   */
  constructor(bits: Bitmap, last?: number, ranks: Uint32Array = ranksOf(bits), skipped = 0) {
    this.bits = bits
    this.last = last
    this.#ranks = ranks
    this.#skipped = skipped
    this.length = Math.max(0, (ranks.at(-1) ?? 0) - skipped)
  }

  /** @param index non-negative */
  at(index: number): number | undefined {
    return this.slice(index, index + 1)[0]
  }

  subarray(start: number): OrdinalSet {
    return new OrdinalSet(this.bits, this.last, this.#ranks, this.#skipped + start)
  }

  /** Cost: O(log words + result). */
  slice(start: number, end: number): Uint32Array {
    const found = new Uint32Array(Math.max(0, Math.min(end, this.length) - start))
    if (found.length === 0) return found
    const last = this.last
    if (last === undefined) return this.#list(this.#skipped + start, found)
    // The first ordinals are the last bits.
    this.#list(this.length - start - found.length, found).reverse()
    return found.map((ordinal) => last - ordinal)
  }

  /** The ordinals of a list that are in the set. */
  among(ordinals: Uint32Array): Uint32Array {
    const last = this.last
    return ordinals.filter((ordinal) =>
      hasOrdinal(this.bits, last === undefined ? ordinal : last - ordinal),
    )
  }

  /** Fills `found` with the set bits from the one of rank `first` on. */
  #list(first: number, found: Uint32Array): Uint32Array {
    const block = lastAtOrBefore(this.#ranks, first)
    let size = (this.#ranks[block] ?? 0) - first
    for (let word = block * blockWords; size < found.length; word++) {
      for (let rest = this.bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
        // Writes outside of the array have no effect.
        found[size++] = (word << 5) | (31 - Math.clz32(rest & -rest))
      }
    }
    return found
  }
}

/** Words per block; bitmaps consist of whole blocks. */
const blockWords = 32

function ranksOf(bits: Bitmap): Uint32Array {
  const ranks = new Uint32Array(bits.length / blockWords + 1)
  let rank = 0
  for (let block = 1, word = 0; block < ranks.length; block++) {
    for (const end = block * blockWords; word < end; word++) rank += bitsIn(bits[word] ?? 0)
    ranks[block] = rank
  }
  return ranks
}
