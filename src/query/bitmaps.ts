// Sets of ordinals as bits.
// Knows nothing of what the ordinals stand for.

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

/** Adds one ordinal. */
export function addOrdinal(bits: Bitmap, ordinal: number): void {
  const word = ordinal >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << (ordinal & 31))
}

/** Adds another set. */
export function addAll(bits: Bitmap, other: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) {
    bits[word] = (bits[word] ?? 0) | (other[word] ?? 0)
  }
  return bits
}

/** What two sets share, as a new set. */
export function common(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((bits, word) => bits & (b[word] ?? 0))
}

/** What the first has and the second has not, as a new set. */
export function without(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((bits, word) => bits & ~(b[word] ?? 0))
}

/** The ordinals of a set, ascending. */
export function ordinalsIn(bits: Bitmap): Uint32Array {
  const found = new Uint32Array(bits.length * 32)
  let size = 0
  for (let word = 0; word < bits.length; word++) {
    // Takes the lowest set bit off until none is left.
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
      found[size++] = (word << 5) | (31 - Math.clz32(rest & -rest))
    }
  }
  return found.slice(0, size)
}
