// All posting lists in one run of bytes: sorted by their length, so that where one lies also says how long it is.
// Knows nothing of what the lists are of.
import { bitmapBytes } from './bitmaps.ts'
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { encodeList } from './list-coding.ts'
import { VarintReader } from './varint-reader.ts'

// A reference stands for a list: where it begins among all lists, with these marks.

/** The list has one ordinal, which is the rest of the reference. */
export const isSingle = 0x80000000
/** The list is of a heavy word. */
export const isHeavy = 0x40000000
/** What is left of a reference without its marks. */
export const refMask = 0x3fffffff

/** Files of lists are read by pages of so many bytes, each with a checksum of its own. */
export const pageBytes: number = 4 * 1024

/** The number of the page that begins at a place among all lists: another one for each page of each file. */
export function pageNumber(place: number, file: number): number {
  return Math.floor(place / pageBytes) + file
}

/** Lists of equal lengths stand together, shorter ones first. */
export interface ListAreas {
  /** Where the lists of each length begin, and where the last ones end. */
  readonly areaStarts: Uint32Array
  /** Bytes of each list there. */
  readonly areaLengths: Uint32Array
}

/** What `ListWriter` ends with. */
export interface StoredLists extends ListAreas {
  readonly bytes: Uint8Array
  /** What `readRefs` makes references of, in the order in which the lists were added. */
  readonly refs: Uint8Array
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

  /** Of all lists so far. */
  get bytes(): number {
    return this.#bytes.length
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
    encodeList(ordinals, this.#bitmapBytes, this.#bytes)
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
    const listAreas = new Uint32Array(lengths.length)
    const areaStarts = new GrowingNumbers()
    const areaLengths = new GrowingNumbers()
    const cuts: number[] = []
    let at = 0
    let previous = 0
    for (const list of order) {
      const length = lengths[list] ?? 0
      const start = this.#starts.array[list] ?? 0
      if (isCut(hashes[list] ?? 0, length)) cuts.push(at)
      if (length !== previous) {
        areaStarts.push(at)
        areaLengths.push(length)
        previous = length
      }
      listAreas[list] = areaLengths.length
      copy(this.#bytes.array, start, bytes, at, length)
      at += length
    }
    if (at > refMask) throw new RangeError('the posting lists are larger than 1 GiB')
    areaStarts.push(at)
    const refs = new GrowingBytes()
    for (const ref of this.#refs.view()) {
      refs.addVarint(ref >= isSingle ? 0 : (listAreas[ref] ?? 0))
      if (ref >= isSingle) refs.addVarint(ref & ~isSingle)
    }
    return {
      bytes,
      areaStarts: areaStarts.view().slice(),
      areaLengths: areaLengths.view().slice(),
      refs: refs.view().slice(),
      cuts,
    }
  }
}

/** Most lists are a few bytes: a call to copy them costs more than they do. */
function copy(from: Uint8Array, start: number, to: Uint8Array, at: number, length: number): void {
  if (length > 64) to.set(from.subarray(start, start + length), at)
  else for (let byte = 0; byte < length; byte++) to[at + byte] = from[start + byte] ?? 0
}

/**
 * References to lists, in the order in which they were added.
 *
 * ```
 *  varint for each: 0, and then the one ordinal; or 1 + the area of the list
 * ```
 * Lists of an area stand in the order in which they were added: where each begins need not be said.
 */
export function readRefs(
  bytes: Uint8Array,
  { areaStarts, areaLengths }: ListAreas,
  count: number,
): Uint32Array {
  const next = areaStarts.slice()
  const refs = new Uint32Array(count)
  const reader = new VarintReader(bytes)
  for (let at = 0; at < count; at++) {
    const area = reader.next() - 1
    const place = area === -1 ? reader.next() | isSingle : (next[area] ?? 0)
    refs[at] = place
    next[area] = place + (areaLengths[area] ?? 0)
  }
  return refs
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
