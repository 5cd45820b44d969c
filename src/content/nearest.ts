// Finds the known name most similar to a misspelt one: by comparison with all, or through an index.
import { distance } from 'fastest-levenshtein'

/**
 * Returns the known name nearest to `name` by Levenshtein distance.
 *
 * @returns undefined if none is within a third of the name's length (at least 1, in UTF-16 code units); of equally near
 *   names, the first in code unit order
 *
 * Cost: O(known × length), a few milliseconds for 20,000 names. Names that length or letters rule out are not compared.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const letters = lettersOf(name)
  let best: Candidate | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > limit) continue
    const others = lettersOf(candidate)
    // One edit removes at most one letter that only one name has, and one that only the other has.
    const most = Math.max(countBits(letters & ~others), countBits(others & ~letters))
    if (most > (best?.distance ?? limit)) continue
    const found = { name: candidate, distance: editsBetween(name, candidate) }
    if (found.distance <= limit && (best === undefined || isNearer(found, best))) best = found
  }
  return best?.name
}

/**
 * An index of names for many lookups.
 *
 * Cost: O(known × log known) to build; O(log known) and at most 4 × `perSide` comparisons per lookup.
 */
export class NameIndex {
  /** Unique, in code unit order. */
  readonly #byStart: readonly string[]
  /** The same names, in code unit order from the last character to the first. */
  readonly #byEnd: readonly string[]

  constructor(known: Iterable<string>) {
    this.#byStart = [...new Set(known)].sort()
    this.#byEnd = this.#byStart.toSorted(compareEnds)
  }

  /**
   * Returns the nearest of the names that are close in one of the two orders.
   *
   * A misspelt name shares its start or its end with the right one, so they are close in one of the orders. They are
   * not if more than `perSide` other names share that start, and as many share that end.
   */
  nearest(name: string): string | undefined {
    return nearest(name, this.candidates(name))
  }

  /**
   * Returns the names that `nearest` compares.
   *
   * @returns unique; at most 4 × `perSide`, and every name if there are no more than `perSide`
   */
  candidates(name: string): readonly string[] {
    const byStart = around(this.#byStart, (other) => other < name)
    const byEnd = around(this.#byEnd, (other) => compareEnds(other, name) < 0)
    return [...new Set([...byStart, ...byEnd])]
  }
}

/** Number of names to compare on each side of a position in a sorted list. */
const perSide = 16

/** Returns the names on both sides of the position where `isBefore` becomes false. */
function around(sorted: readonly string[], isBefore: (name: string) => boolean): readonly string[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(sorted[middle] ?? '')) low = middle + 1
    else high = middle
  }
  return sorted.slice(Math.max(0, low - perSide), low + perSide)
}

/** Compares by code units, from the last to the first. */
function compareEnds(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let back = 1; back <= length; back++) {
    const difference = a.charCodeAt(a.length - back) - b.charCodeAt(b.length - back)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Returns the letters of a name as a bit set; letters far apart in Unicode share a bit. */
function lettersOf(name: string): number {
  let letters = 0
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31)
  return letters
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Returns the Levenshtein distance, but counts a transposition of adjacent letters as one edit. */
function editsBetween(a: string, b: string): number {
  if (a.length !== b.length) return distance(a, b)
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  const isSwapped = a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at)
  return isSwapped && at < a.length && a.slice(at + 2) === b.slice(at + 2) ? 1 : distance(a, b)
}

interface Candidate {
  readonly name: string
  readonly distance: number
}

function isNearer(a: Candidate, b: Candidate): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.name < b.name)
}
