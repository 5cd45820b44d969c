// The bytes in which a posting list is stored: gaps in a Golomb-Rice code, or one bit an ordinal.
// Knows nothing of what the ordinals stand for.
import { addAll, type Bitmap } from './bitmaps.ts'
import type { GrowingBytes } from './growing.ts'

/**
 * Adds a list: as bits where it holds an eighth of all ordinals, else as gaps. Gaps are always shorter: the length
 * alone tells the two apart.
 *
 * A gap less one is cut in two: its lowest `k` bits, and before them what is above as so many ones and a zero (Rice,
 * 1979). `k` follows from the length of the list, so that no list says it. What is left of the last byte are ones.
 *
 * @param ordinals ascending, unique, not empty
 * @param full bytes that all ordinals take as bits: `bitmapBytes`
 *
 * Cost: O(ordinals).
 */
export function encodeList(ordinals: Uint32Array, full: number, to: GrowingBytes): void {
  for (let k = largestK; k >= 0 && ordinals.length < full; k--) {
    // Without a look at the gaps: too many bits in any case.
    if (ordinals.length * (k + 1) > mostBytes(k, full) * 8) continue
    const length = Math.max(gapBytes(ordinals, k), Math.floor(mostBytes(k + 1, full)) + 1)
    if (length <= mostBytes(k, full) && length < full) {
      addGaps(ordinals, k, length, to)
      return
    }
  }
  addBits(ordinals, full, to)
}

/** Adds the ordinals of a stored list to a set. */
export function addStored(bits: Bitmap, bytes: Uint8Array): void {
  if (bytes.length < bits.byteLength) addStoredGaps(bits, bytes)
  // A copy: views of words need an aligned address.
  else addAll(bits, new Uint32Array(new Uint8Array(bytes).buffer))
}

const largestK = 24

/** The longest list, in bytes, whose gaps have so many low bits: about where a bit less makes it shorter. */
function mostBytes(k: number, full: number): number {
  return ((k + 1.6) * full * 0.83) / (1 << k)
}

function gapBytes(ordinals: Uint32Array, k: number): number {
  let bits = ordinals.length * (k + 1)
  let previous = -1
  for (const ordinal of ordinals) {
    bits += (ordinal - previous - 1) >>> k
    previous = ordinal
  }
  return Math.ceil(bits / 8)
}

function addGaps(ordinals: Uint32Array, k: number, length: number, to: GrowingBytes): void {
  to.reserve(length)
  const start = to.length
  const { array } = to
  array.fill(0xff, start, start + length)
  let at = 0
  let previous = -1
  for (const ordinal of ordinals) {
    const gap = ordinal - previous - 1
    previous = ordinal
    at += gap >>> k
    // The zero, then the low bits, lowest first: what is a zero is cleared.
    for (let rest = ~gap << 1, bit = 0; bit <= k; bit++, at++, rest >>= 1) {
      const byte = start + (at >>> 3)
      if (bit === 0 || (rest & 1) === 1) array[byte] = (array[byte] ?? 0) & ~(1 << (at & 7))
    }
  }
  to.length = start + length
}

function addBits(ordinals: Uint32Array, full: number, to: GrowingBytes): void {
  const bits = new Uint8Array(full)
  for (const ordinal of ordinals)
    bits[ordinal >>> 3] = (bits[ordinal >>> 3] ?? 0) | (1 << (ordinal & 7))
  to.add(bits)
}

function addStoredGaps(bits: Bitmap, bytes: Uint8Array): void {
  let k = 0
  while (k < largestK && bytes.length <= mostBytes(k + 1, bits.byteLength)) k += 1
  const end = bytes.length * 8
  let ordinal = -1
  for (let at = 0; ; at += k + 1) {
    let high = 0
    for (let ones = largestK; ones === largestK && at < end; at += ones) {
      const zeros = ~bitsAt(bytes, at) | (1 << largestK)
      ones = 31 - Math.clz32(zeros & -zeros)
      high += ones
    }
    if (at >= end) return
    ordinal += ((high << k) | (bitsAt(bytes, at + 1) & ((1 << k) - 1))) + 1
    bits[ordinal >>> 5] = (bits[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31))
  }
}

/** Bits from a place on, lowest first: 25 at least, 32 where a byte begins; zeros behind the end. */
export function bitsAt(bytes: Uint8Array, at: number): number {
  const byte = at >>> 3
  const low = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16)
  return (low | ((bytes[byte + 3] ?? 0) << 24)) >>> (at & 7)
}
