// Bitmaps: sets of ordinals, one bit each.

/** One bit per ordinal, in words of 32. */
export type Bitmap = Uint32Array

/** Returns an empty set. Its size is a multiple of 128 bytes, so that a few more posts do not change it. */
export function emptyBitmap(ordinals: number): Bitmap {
  return new Uint32Array(bitmapBytes(ordinals) / 4)
}

/** The size of a bitmap in bytes. */
export function bitmapBytes(ordinals: number): number {
  return Math.ceil(ordinals / 1024) * 128
}

// Shifts use only the lowest five bits of an ordinal.

export function addOrdinal(bits: Bitmap, ordinal: number): void {
  const word = ordinal >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << ordinal)
}

/** Removes an ordinal that is in the set. */
export function removeOrdinal(bits: Bitmap, ordinal: number): void {
  const word = ordinal >>> 5
  bits[word] = (bits[word] ?? 0) ^ (1 << ordinal)
}

/** Reports whether the set contains an ordinal. */
export function hasOrdinal(bits: Bitmap, ordinal: number): boolean {
  return (((bits[ordinal >>> 5] ?? 0) >>> ordinal) & 1) === 1
}

/** Adds all ordinals of another set. */
export function addAll(bits: Bitmap, other: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) {
    bits[word] = (bits[word] ?? 0) | (other[word] ?? 0)
  }
  return bits
}

/** Adds all ordinals of another set, shifted by `place`. */
export function addShifted(bits: Bitmap, other: Bitmap, place: number): void {
  const first = place >>> 5
  const shift = place & 31
  for (let word = 0; word < other.length; word++) {
    const added = other[word] ?? 0
    if (added === 0) continue
    const at = first + word
    bits[at] = (bits[at] ?? 0) | (added << shift)
    if (shift > 0 && at + 1 < bits.length) {
      bits[at + 1] = (bits[at + 1] ?? 0) | (added >>> (32 - shift))
    }
  }
}

/** Keeps the ordinals that are also in `other`; with `flip` -1, those that are not. */
export function keepAll(bits: Bitmap, other: Bitmap, flip = 0): Bitmap {
  for (let word = 0; word < bits.length; word++) {
    bits[word] = (bits[word] ?? 0) & ((other[word] ?? 0) ^ flip)
  }
  return bits
}

/** Removes the ordinals below `bound`. Cost: O(words removed). */
export function keepFrom(bits: Bitmap, bound: number): Bitmap {
  const word = Math.min(bound >>> 5, bits.length)
  bits.fill(0, 0, word)
  if (word < bits.length) bits[word] = (bits[word] ?? 0) & (-1 << bound)
  return bits
}

/** Removes the ordinals from `bound` on. Cost: O(words removed). */
export function keepBelow(bits: Bitmap, bound: number): Bitmap {
  const word = bound >>> 5
  if (word < bits.length) {
    bits[word] = (bits[word] ?? 0) & ((1 << bound) - 1)
    bits.fill(0, word + 1)
  }
  return bits
}

/** The ordinals of a set, ascending. */
export function ordinalsIn(bits: Bitmap): Uint32Array {
  const found = new Uint32Array(countIn(bits))
  let size = 0
  for (let word = 0; word < bits.length; word++) {
    // Clears the lowest set bit until none is left.
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
      found[size++] = (word << 5) | (31 - Math.clz32(rest & -rest))
    }
  }
  return found
}

function countIn(bits: Bitmap): number {
  let count = 0
  for (const word of bits) count += bitsIn(word)
  return count
}

/**
 * Counts the ordinals in both sets. Adds four words bitwise before counting bits (Harley and Seal; Muła, Kurz and
 * Lemire, 2018). Takes a third less time than counting each word (2026-11).
 */
export function countInBoth(bits: Bitmap, other: Bitmap): number {
  let [ones, twos, fours] = [0, 0, 0]
  // The number of words is a multiple of 32.
  for (let at = 0; at < bits.length; at += 4) {
    const a = (bits[at] ?? 0) & (other[at] ?? 0)
    const b = (bits[at + 1] ?? 0) & (other[at + 1] ?? 0)
    const c = (bits[at + 2] ?? 0) & (other[at + 2] ?? 0)
    const d = (bits[at + 3] ?? 0) & (other[at + 3] ?? 0)
    const first = (ones & a) | ((ones ^ a) & b)
    ones ^= a ^ b
    const second = (ones & c) | ((ones ^ c) & d)
    ones ^= c ^ d
    fours += bitsIn((twos & first) | ((twos ^ first) & second))
    twos ^= first ^ second
  }
  return 4 * fours + 2 * bitsIn(twos) + bitsIn(ones)
}

/** Counts the bits of a word (Warren, Hacker's Delight, §5-1). */
export function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
