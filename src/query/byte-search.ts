// Bytes that are looked through, and summed up.
import { checksum } from './checksum.ts'

/** Bytes in which others can be looked for. */
export interface SearchableBytes {
  readonly bytes: Uint8Array
  /**
   * Takes a pattern, not empty; a finder of it is used until the next one is asked for.
   *
   * @returns where the pattern first lies between two places, as a whole; -1 where it does not
   */
  finder(pattern: Uint8Array): (start: number, end: number) => number
  /** `checksum` of those between two places. */
  checksum(start: number, end: number): number
}

/** So many bytes, all of them 0. */
export type MakeSearchable = (length: number) => SearchableBytes

/** Bytes that any host can look through. */
export function searchableBytes(length: number): SearchableBytes {
  const bytes = new Uint8Array(length)
  return {
    bytes,
    finder: (pattern) => byteFinder(bytes, pattern),
    checksum: (start, end) => checksum(bytes.subarray(start, end)),
  }
}

/**
 * By the pattern's end (Horspool, 1980): most bytes are never looked at. Where texts repeat themselves as the
 * pattern does, that may look at each byte again and again: then the rest is done without going back.
 */
export function byteFinder(
  bytes: Uint8Array,
  pattern: Uint8Array,
): (start: number, end: number) => number {
  const last = pattern.length - 1
  const lastByte = pattern[last]
  // How far the pattern can move on when its end meets a byte; at least 1, at most 255.
  const skips = new Uint8Array(256).fill(Math.min(pattern.length, 255))
  pattern.subarray(0, last).forEach((byte, at) => {
    skips[byte] = Math.min(last - at, 255)
  })
  /** How much of the pattern's end is found where it would end. */
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

/** Each byte once (Knuth, Morris & Pratt, 1977). */
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

/** For each beginning of a pattern, the length of the longest shorter beginning that it ends with. */
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
