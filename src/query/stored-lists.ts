// All posting lists in one buffer, sorted by length, so that the offset of a list implies its length.
import { bitmapBytes } from './bitmaps.ts'
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import { ListEncoder } from './list-coding.ts'
import { VarintReader } from './varint-reader.ts'

// A reference to a list: its offset among all lists, with these flags.

/** The list has one ordinal, which is the rest of the reference. */
export const isSingle = 0x80000000
/** The list belongs to a common word. */
export const isCommon = 0x40000000
/** The part of a reference without its flags. */
export const refMask = 0x3fffffff

/** Page size of list files, in bytes; each page has its own checksum. */
export const pageBytes: number = 4 * 1024

/** The number of the page at an offset among all lists, unique across files. */
export function pageNumber(place: number, file: number): number {
  return Math.floor(place / pageBytes) + file
}

/** Lists grouped by length, shorter ones first. */
export interface ListAreas {
  /** Offset of the lists of each length, plus the end. */
  readonly areaStarts: Uint32Array
  /** Length of each list in a group, in bytes. */
  readonly areaLengths: Uint32Array
}

/** The result of `ListWriter`. */
export interface StoredLists extends ListAreas {
  readonly bytes: Uint8Array
  /** The input of `readRefs`, in the order in which the lists were added. */
  readonly refs: Uint8Array
  /**
   * Offsets at which the bytes may be split into files. Each depends only on the bytes before it, so that a change
   * moves no other cut.
   */
  readonly cuts: readonly number[]
}

/** Collects lists and lays them out. */
export class ListWriter {
  readonly #bytes = new GrowingBytes()
  readonly #encoder: ListEncoder
  /** A flagged ordinal, or an index into the arrays below. */
  readonly #refs = new GrowingNumbers()
  readonly #starts = new GrowingNumbers()
  readonly #lengths = new GrowingNumbers()

  /** @param ordinals the total number of ordinals */
  constructor(ordinals: number) {
    this.#encoder = new ListEncoder(bitmapBytes(ordinals), this.#bytes)
  }

  /** The size of all lists so far. */
  get bytes(): number {
    return this.#bytes.length
  }

  /**
   * Adds a list.
   *
   * @param ordinals ascending, unique, not empty
   * @returns its size in bytes, 0 for a single ordinal
   */
  add(ordinals: Uint32Array): number {
    return this.#add(ordinals, 0, ordinals.length)
  }

  /**
   * Adds concatenated lists.
   *
   * @param starts offsets of the lists in `posts`, plus the end
   * @returns the size of each list in bytes, 0 for a single ordinal
   */
  addAll(starts: Uint32Array, posts: Uint32Array): Uint32Array {
    const bytes = new Uint32Array(starts.length - 1)
    for (let list = 0; list < bytes.length; list++) {
      bytes[list] = this.#add(posts, starts[list] ?? 0, starts[list + 1] ?? 0)
    }
    return bytes
  }

  #add(ordinals: Uint32Array, from: number, to: number): number {
    if (to - from === 1) {
      this.#refs.push(((ordinals[from] ?? 0) | isSingle) >>> 0)
      return 0
    }
    const start = this.#bytes.length
    this.#encoder.add(ordinals, from, to)
    const length = this.#bytes.length - start
    this.#refs.push(this.#starts.length)
    this.#starts.push(start)
    this.#lengths.push(length)
    return length
  }

  /** @returns all lists; nothing may be added afterwards */
  finish(): StoredLists {
    const order = sortedByNumber(this.#lengths.view())
    const lengths = this.#lengths.view()
    const bytes = new Uint8Array(this.#bytes.length)
    const view = new DataView(bytes.buffer)
    const listAreas = new Uint32Array(lengths.length)
    const areaStarts = new GrowingNumbers()
    const areaLengths = new GrowingNumbers()
    const cuts: number[] = []
    let at = 0
    let previous = 0
    for (let place = 0; place < order.length; place++) {
      const list = order[place] ?? 0
      const length = lengths[list] ?? 0
      const start = this.#starts.array[list] ?? 0
      if (isCut(view, at, length)) cuts.push(at)
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
    return {
      bytes,
      areaStarts: areaStarts.view().slice(),
      areaLengths: areaLengths.view().slice(),
      refs: this.#storeRefs(listAreas),
      cuts,
    }
  }

  #storeRefs(areas: Uint32Array): Uint8Array {
    const refs = new GrowingBytes()
    for (let index = 0; index < this.#refs.length; index++) {
      const ref = this.#refs.array[index] ?? 0
      refs.addVarint(ref >= isSingle ? 0 : (areas[ref] ?? 0))
      if (ref >= isSingle) refs.addVarint(ref & ~isSingle)
    }
    return refs.view().slice()
  }
}

/** Most lists are a few bytes; a call of `set` costs more than a loop. */
function copy(from: Uint8Array, start: number, to: Uint8Array, at: number, length: number): void {
  if (length > 64) to.set(from.subarray(start, start + length), at)
  else for (let byte = 0; byte < length; byte++) to[at + byte] = from[start + byte] ?? 0
}

/**
 * Decodes references to lists, in the order in which the lists were added.
 *
 * ```
 *  varint for each: 0, and then the one ordinal; or 1 + the area of the list
 * ```
 * Lists of an area are in the order in which they were added, so no offsets are stored.
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

/** The average distance of cuts, in bytes. */
const bytesBetweenCuts = 512 * 1024

/**
 * Decides by a hash of the eight bytes before a list (content-defined chunking), in proportion to the list's length.
 */
function isCut(lists: DataView, at: number, length: number): boolean {
  if (at < 8) return false
  const mixed = Math.imul(lists.getUint32(at - 8, true), 0x85ebca6b) ^ lists.getUint32(at - 4, true)
  const even = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((even ^ (even >>> 13)) >>> 0) / 2 ** 32 < length / bytesBetweenCuts
}

/** Indices sorted by their numbers; stable. */
function sortedByNumber(numbers: Uint32Array): Uint32Array {
  let most = 0
  for (let index = 0; index < numbers.length; index++) most = Math.max(most, numbers[index] ?? 0)
  const counts = new Uint32Array(most + 2)
  for (let index = 0; index < numbers.length; index++) {
    const next = (numbers[index] ?? 0) + 1
    counts[next] = (counts[next] ?? 0) + 1
  }
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0)
  const order = new Uint32Array(numbers.length)
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0
    const place = counts[number] ?? 0
    order[place] = index
    counts[number] = place + 1
  }
  return order
}
