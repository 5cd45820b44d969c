// Encodes posting lists as gaps in a Golomb-Rice code, or as one bit per ordinal.
import { addAll, addOrdinal, type Bitmap } from './bitmaps.ts'
import type { GrowingBytes } from './growing.ts'

/**
 * Encodes lists as gaps, or as bits where bits are no larger. Gaps are always shorter than bits, so the length alone
 * distinguishes the two. A list with more than half of all ordinals is stored as the gaps of its complement, up to
 * its last ordinal.
 *
 * The lowest `k` bits of a gap minus one are preceded by the remaining value in unary: that many ones and a zero
 * (Rice, 1979). `k` follows from the length of the list, so no list stores it. The last byte is padded with ones.
 * When the gaps take more than an eighth of the bits' size, a leading bit marks a complement.
 */
export class ListEncoder {
  readonly #full: number
  readonly #to: GrowingBytes
  /** By k: the longest list, in bytes. */
  readonly #most: Float64Array
  /** By the number of gaps. */
  readonly #largest: number[] = []

  /** @param full size of a bitmap of all ordinals: `bitmapBytes` */
  constructor(full: number, to: GrowingBytes) {
    this.#full = full
    this.#to = to
    this.#most = Float64Array.from({ length: largestK + 2 }, (_, k) => mostBytes(k, full))
  }

  /**
   * Appends the list `ordinals[from, to)`: ascending, unique, not empty.
   *
   * Cost: O(ordinals).
   */
  add(ordinals: Uint32Array, from: number, to: number): void {
    const isMost = to - from > this.#full * 4
    if (!isMost && this.#addAsGaps(ordinals, from, to, false)) return
    const list = ordinals.subarray(from, to)
    if (isMost) {
      const others = othersOf(list)
      if (this.#addAsGaps(others, 0, others.length, true)) return
    }
    addBits(list, this.#full, this.#to)
  }

  /** The largest useful k for this many gaps: a larger one takes too many bits, whatever the gaps are. */
  #largestFor(count: number): number {
    const known = this.#largest[count]
    if (known !== undefined) return known
    let k = largestK
    while (k >= 0 && count * (k + 1) > (this.#most[k] ?? 0) * 8) k -= 1
    this.#largest[count] = k
    return k
  }

  /** @returns whether gaps are shorter than bits */
  #addAsGaps(ordinals: Uint32Array, from: number, to: number, isMost: boolean): boolean {
    const full = this.#full
    const count = to - from
    for (let k = this.#largestFor(count); k >= 0; k--) {
      const most = this.#most[k] ?? 0
      const bits = gapBits(ordinals, from, to, k)
      const least = Math.max(Math.ceil(bits / 8), Math.floor(this.#most[k + 1] ?? 0) + 1)
      const isMarked = isMost || least * 8 > full
      const length = isMarked ? Math.max(least, Math.ceil((bits + 1) / 8), full / 8 + 1) : least
      if (length > most || length >= full) continue
      const mark = isMost ? markOfOthers : markOfList
      addGaps({ ordinals, from, to, k, length, mark: isMarked ? mark : 0 }, this.#to)
      return true
    }
    return false
  }
}

/**
 * Adds the ordinals of a stored list to a set.
 *
 * @param view readable for four bytes beyond the list. Shared by all lists: most are short, and a view for each would
 *   cost more than reading it
 * @param start offset of the list in `view`
 */
export function addStored(bits: Bitmap, view: DataView, start: number, length: number): void {
  const { byteLength } = bits
  const marks = Number(length * 8 > byteLength)
  const at = start * 8 + marks
  if (length >= byteLength) {
    const from = view.byteOffset + start
    // A copy: word views need an aligned address.
    addAll(bits, new Uint32Array(view.buffer.slice(from, from + length)))
  } else if ((marks & view.getUint8(start)) === 0) addStoredGaps(bits, view, at, length)
  else {
    const others = new Uint32Array(bits.length)
    const end = addStoredGaps(others, view, at, length)
    const last = end >>> 5
    // Ordinals beyond the end are not in the list either.
    others[last] = (others[last] ?? 0) | (-1 << end)
    for (let word = 0; word <= last; word++) bits[word] = (bits[word] ?? 0) | ~(others[word] ?? 0)
  }
}

/** Initial first bytes: all ones except for the mark. */
const markOfOthers = 0xff
const markOfList = 0xfe

const largestK = 24

/** The longest list, in bytes, whose gaps use `k` low bits: about where one bit less makes it shorter. */
function mostBytes(k: number, full: number): number {
  return ((k + 1.6) * full * 0.83) / (1 << k)
}

/** The complement of a list up to its last ordinal, and the ordinal after that. */
function othersOf(ordinals: Uint32Array): Uint32Array {
  const end = (ordinals.at(-1) ?? 0) + 1
  const others = new Uint32Array(end + 1 - ordinals.length)
  let size = 0
  let next = 0
  for (const ordinal of ordinals) {
    while (next < ordinal) others[size++] = next++
    next += 1
  }
  others[size] = end
  return others
}

function gapBits(ordinals: Uint32Array, from: number, to: number, k: number): number {
  let bits = (to - from) * (k + 1)
  let previous = -1
  for (let index = from; index < to; index++) {
    const ordinal = ordinals[index] ?? 0
    bits += (ordinal - previous - 1) >>> k
    previous = ordinal
  }
  return bits
}

interface Gaps {
  readonly ordinals: Uint32Array
  readonly from: number
  readonly to: number
  readonly k: number
  /** In bytes. */
  readonly length: number
  /** The first byte, whose lowest bit is reserved; 0 without a mark. */
  readonly mark: number
}

function addGaps({ ordinals, from, to, k, length, mark }: Gaps, bytes: GrowingBytes): void {
  bytes.reserve(length)
  const start = bytes.length
  const { array } = bytes
  for (let byte = start; byte < start + length; byte++) array[byte] = 0xff
  let at = 0
  if (mark !== 0) {
    array[start] = mark
    at = 1
  }
  let previous = -1
  for (let index = from; index < to; index++) {
    const ordinal = ordinals[index] ?? 0
    const gap = ordinal - previous - 1
    previous = ordinal
    at += gap >>> k
    // The zero, then the low bits, lowest first: zero bits are cleared.
    const zeros = (((~gap & ((1 << k) - 1)) << 1) | 1) << (at & 7)
    for (let byte = start + (at >>> 3), rest = zeros; rest !== 0; byte++, rest >>>= 8) {
      array[byte] = (array[byte] ?? 0) & ~rest
    }
    at += k + 1
  }
  bytes.length = start + length
}

function addBits(ordinals: Uint32Array, full: number, to: GrowingBytes): void {
  const bits = new Uint8Array(full)
  for (const ordinal of ordinals)
    bits[ordinal >>> 3] = (bits[ordinal >>> 3] ?? 0) | (1 << (ordinal & 7))
  to.add(bits)
}

/** Adds the ordinals encoded by a list's gaps, from bit `from` on; returns the last one. */
function addStoredGaps(bits: Bitmap, view: DataView, from: number, length: number): number {
  const { byteLength } = bits
  // A list this short has at least this many low bits.
  let k = 31 - Math.clz32(byteLength / length)
  while (k < largestK && length <= mostBytes(k + 1, byteLength)) k += 1
  const end = (from & ~7) + length * 8
  let ordinal = -1
  let high = 0
  for (let at = from; at < end; ) {
    const window = bitsAt(view, at)
    const ones = Math.clz32(~window & (window + 1)) ^ 31
    if (ones >= largestK) {
      at += largestK
      high += largestK
      continue
    }
    at += ones + 1
    // Ones follow the last gap, and arbitrary bits follow those.
    if (at > end) break
    // The window holds at least 25 valid bits.
    const low = ones + k < 25 ? window >>> (ones + 1) : bitsAt(view, at)
    ordinal += (((high + ones) << k) | (low & ((1 << k) - 1))) + 1
    addOrdinal(bits, ordinal)
    at += k
    high = 0
  }
  return ordinal
}

/** At least 25 bits from a bit offset on, lowest first. */
function bitsAt(view: DataView, at: number): number {
  return view.getInt32(at >>> 3, true) >>> (at & 7)
}
