// Byte buffers with pattern search and checksums.
import { checksum } from './checksum.ts'

/** A searchable byte buffer. */
export interface SearchableBytes {
  readonly bytes: Uint8Array
  /**
   * Prepares a search for a non-empty pattern. A finder is valid until the next call.
   *
   * @returns a function that finds the first whole occurrence between two offsets; -1 when there is none
   */
  finder(pattern: Uint8Array): (start: number, end: number) => number
  /** `checksum` of the bytes between two offsets. */
  checksum(start: number, end: number): number
}

/** Allocates a zeroed buffer. */
export type MakeSearchable = (length: number) => SearchableBytes

/** The portable implementation. */
export function searchableBytes(length: number): SearchableBytes {
  const bytes = new Uint8Array(length)
  return {
    bytes,
    finder: (pattern) => byteFinder(bytes, pattern),
    checksum: (start, end) => checksum(bytes.subarray(start, end)),
  }
}

/**
 * Searches from the end of the pattern (Horspool, 1980), which skips most bytes. Repetitive texts could make it
 * compare the same bytes repeatedly; the rest is then searched without backing up.
 */
export function byteFinder(
  bytes: Uint8Array,
  pattern: Uint8Array,
): (start: number, end: number) => number {
  const last = pattern.length - 1
  const lastByte = pattern[last]
  // The shift for each byte under the end of the pattern: 1 to 255.
  const skips = new Uint8Array(256).fill(Math.min(pattern.length, 255))
  pattern.subarray(0, last).forEach((byte, at) => {
    skips[byte] = Math.min(last - at, 255)
  })
  /** The length of the matching suffix of the pattern when it ends at `at`. */
  const matchedAt = (at: number) => {
    let matched = 1
    while (matched <= last && bytes[at - matched] === pattern[last - matched]) matched += 1
    return matched
  }
  return (start, end) => {
    let steps = 0
    for (let at = start + last; at < end; at += skips[bytes[at] ?? 0] ?? 1) {
      if (bytes[at] !== lastByte) continue
      const matched = matchedAt(at)
      if (matched > last) return at - last
      steps += matched
      if (steps > (end - start) * 2) return findRepeated(bytes, pattern, at - last, end)
    }
    return -1
  }
}

/** Reads each byte once (Knuth, Morris & Pratt, 1977). */
function findRepeated(bytes: Uint8Array, pattern: Uint8Array, start: number, end: number): number {
  const borders = bordersOf(pattern)
  let matched = 0
  for (let at = start; at < end; at++) {
    while (matched > 0 && bytes[at] !== pattern[matched]) matched = borders[matched - 1] ?? 0
    if (bytes[at] === pattern[matched]) matched += 1
    if (matched === pattern.length) return at + 1 - matched
  }
  return -1
}

/** For each prefix of a pattern, the length of its longest proper prefix that is also its suffix. */
function bordersOf(pattern: Uint8Array): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  let border = 0
  for (let at = 1; at < pattern.length; at++) {
    while (border > 0 && pattern[at] !== pattern[border]) border = borders[border - 1] ?? 0
    if (pattern[at] === pattern[border]) border += 1
    borders[at] = border
  }
  return borders
}
