// All posting lists in one run of bytes: sorted by their length, so that where one lies also says how long it is.
// Knows nothing of what the lists are of.
import { bitmapBytes } from './bitmaps.ts'
import { GrowingBytes, GrowingNumbers } from './growing.ts'

// A reference stands for a list: where it begins among all lists, with these marks.

/** The list has one ordinal, which is the rest of the reference. */
export const isSingle = 0x80000000
/** The list is of a heavy run. */
export const isHeavy = 0x40000000
/** What is left of a reference without its marks. */
export const refMask = 0x3fffffff

/** Lists of equal lengths stand together, shorter ones first. */
export interface ListAreas {
  /** Where the lists of each length begin, and where the last ones end. */
  readonly starts: Uint32Array
  /** Bytes of each list there. */
  readonly lengths: Uint32Array
}

/** What `ListWriter` ends with. */
export interface StoredLists {
  readonly bytes: Uint8Array
  readonly areas: ListAreas
  /** In the order in which the lists were added. */
  readonly refs: Uint32Array
  /** Where the bytes may be cut into files: it follows from the terms, so that a cut stays where it is. */
  readonly cuts: readonly number[]
}

/** Collects lists and lays them out. */
export class ListWriter {
  readonly #bitmapBytes: number
  readonly #bytes = new GrowingBytes()
  /** One ordinal with its mark, or an index into the arrays below. */
  readonly #refs = new GrowingNumbers()
  readonly #starts = new GrowingNumbers()
  readonly #lengths = new GrowingNumbers()
  readonly #hashes = new GrowingNumbers()

  /** @param ordinals how many there are at all */
  constructor(ordinals: number) {
    this.#bitmapBytes = bitmapBytes(ordinals)
  }

  /**
   * Adds a list.
   *
   * @param ordinals ascending, unique, not empty
   * @param hash of what the list is of
   * @returns bytes that it takes, 0 for a single ordinal
   */
  add(ordinals: Uint32Array, hash: number): number {
    if (ordinals.length === 1) {
      this.#refs.push(((ordinals[0] ?? 0) | isSingle) >>> 0)
      return 0
    }
    const start = this.#bytes.length
    if (ordinals.length >= this.#bitmapBytes || !this.#addDeltas(ordinals)) this.#addBits(ordinals)
    const length = this.#bytes.length - start
    this.#refs.push(this.#starts.length)
    this.#starts.push(start)
    this.#lengths.push(length)
    this.#hashes.push(hash)
    return length
  }

  /** @returns all lists; nothing must be added after */
  finish(): StoredLists {
    const order = sortedByNumber(this.#lengths.view())
    const lengths = this.#lengths.view()
    const hashes = this.#hashes.view()
    const bytes = new Uint8Array(this.#bytes.length)
    const places = new Uint32Array(lengths.length)
    const areas = { starts: new GrowingNumbers(), lengths: new GrowingNumbers() }
    const cuts: number[] = []
    let at = 0
    let previous = 0
    for (const list of order) {
      const length = lengths[list] ?? 0
      const start = this.#starts.array[list] ?? 0
      if (isCut(hashes[list] ?? 0, length)) cuts.push(at)
      if (length !== previous) {
        areas.starts.push(at)
        areas.lengths.push(length)
        previous = length
      }
      places[list] = at
      copy(this.#bytes.array, start, bytes, at, length)
      at += length
    }
    if (at > refMask) throw new RangeError('the posting lists are larger than 1 GiB')
    areas.starts.push(at)
    const refs = this.#refs.view().map((ref) => (ref >= isSingle ? ref : (places[ref] ?? 0)))
    return {
      bytes,
      areas: { starts: areas.starts.view().slice(), lengths: areas.lengths.view().slice() },
      refs,
      cuts,
    }
  }

  /** Gaps less one, seven bits a byte; false, and nothing added, when bits are no longer than that. */
  #addDeltas(ordinals: Uint32Array): boolean {
    const start = this.#bytes.length
    this.#bytes.reserve(ordinals.length * 5)
    const { array } = this.#bytes
    let at = start
    let previous = -1
    for (let index = 0; index < ordinals.length; index++) {
      const ordinal = ordinals[index] ?? 0
      let rest = ordinal - previous - 1
      previous = ordinal
      while (rest > 127) {
        array[at++] = (rest & 127) | 128
        rest >>>= 7
      }
      array[at++] = rest
    }
    const isShorter = at - start < this.#bitmapBytes
    if (isShorter) this.#bytes.length = at
    return isShorter
  }

  #addBits(ordinals: Uint32Array): void {
    const bits = new Uint8Array(this.#bitmapBytes)
    for (const ordinal of ordinals) {
      bits[ordinal >>> 3] = (bits[ordinal >>> 3] ?? 0) | (1 << (ordinal & 7))
    }
    this.#bytes.add(bits)
  }
}

/** Most lists are a few bytes: a call to copy them costs more than they do. */
function copy(from: Uint8Array, start: number, to: Uint8Array, at: number, length: number): void {
  if (length > 64) to.set(from.subarray(start, start + length), at)
  else for (let byte = 0; byte < length; byte++) to[at + byte] = from[start + byte] ?? 0
}

/** Bytes of a list, found by where it begins. */
export function listLength({ starts, lengths }: ListAreas, place: number): number {
  let low = 0
  let high = lengths.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return lengths[low] ?? 0
}

/** On average one cut in so many bytes. */
const bytesBetweenCuts = 512 * 1024

/** The longer a list the likelier, whatever stands before it. */
function isCut(hash: number, length: number): boolean {
  // Spread again: the low bits of FNV-1a are not even.
  const even = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
  return even / 2 ** 32 < length / bytesBetweenCuts
}

/** Indices in the order of their numbers, equal ones as they stand. */
function sortedByNumber(numbers: Uint32Array): Uint32Array {
  const counts = new Uint32Array(numbers.reduce((most, number) => Math.max(most, number), 0) + 2)
  for (const number of numbers) counts[number + 1] = (counts[number + 1] ?? 0) + 1
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0)
  const order = new Uint32Array(numbers.length)
  numbers.forEach((number, index) => {
    const place = counts[number] ?? 0
    order[place] = index
    counts[number] = place + 1
  })
  return order
}
