// Sets of ordinals as bits.

/** One bit an ordinal, in words of 32. */
export type Bitmap = Uint32Array

/** An empty set over so many ordinals; its bytes are a multiple of 128, so that few posts more change none. */
export function emptyBitmap(ordinals: number): Bitmap {
  return new Uint32Array(bitmapBytes(ordinals) / 4)
}

/** Bytes of a set. */
export function bitmapBytes(ordinals: number): number {
  return Math.ceil(ordinals / 1024) * 128
}

// A shift takes the lowest five bits of an ordinal as they are.

/** Adds one ordinal. */
export function addOrdinal(bits: Bitmap, ordinal: number): void {
  const word = ordinal >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << ordinal)
}

/** Takes out one that is there. */
export function removeOrdinal(bits: Bitmap, ordinal: number): void {
  const word = ordinal >>> 5
  bits[word] = (bits[word] ?? 0) ^ (1 << ordinal)
}

/** Whether an ordinal is there. */
export function hasOrdinal(bits: Bitmap, ordinal: number): boolean {
  return (((bits[ordinal >>> 5] ?? 0) >>> ordinal) & 1) === 1
}

/** Adds another set. */
export function addAll(bits: Bitmap, other: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) {
    bits[word] = (bits[word] ?? 0) | (other[word] ?? 0)
  }
  return bits
}

/** Adds another set, its ordinals counted from a place on. */
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

/** Leaves what another set has; with -1 what it has not. */
export function keepAll(bits: Bitmap, other: Bitmap, flip = 0): Bitmap {
  for (let word = 0; word < bits.length; word++) {
    bits[word] = (bits[word] ?? 0) & ((other[word] ?? 0) ^ flip)
  }
  return bits
}

/** Leaves the ordinals from a bound on. Cost: O(words that are cut off). */
export function keepFrom(bits: Bitmap, bound: number): Bitmap {
  const word = Math.min(bound >>> 5, bits.length)
  bits.fill(0, 0, word)
  if (word < bits.length) bits[word] = (bits[word] ?? 0) & (-1 << bound)
  return bits
}

/** Leaves the ordinals below a bound. Cost: O(words that are cut off). */
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
    // Takes the lowest set bit off until none is left.
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
 * How many ordinals two sets have in common: four words are added up bit by bit before any bits are counted (Harley and
 * Seal; Muła, Kurz and Lemire, 2018). A third less time than to count each word (2026-11).
 */
export function countInBoth(bits: Bitmap, other: Bitmap): number {
  let [ones, twos, fours] = [0, 0, 0]
  // Bitmaps are whole blocks of 32 words.
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

/** How many bits of a word are set (Warren, Hacker's Delight, §5-1). */
export function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
