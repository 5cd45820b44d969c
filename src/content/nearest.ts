// The known name that somebody most likely meant: of a few by comparing all, of many by an index.
import { distance } from 'fastest-levenshtein'

/**
 * The known name nearest to `name` by Levenshtein distance.
 *
 * @returns undefined when none is within a third of the name's length (at least 1, in UTF-16 code units); of
 *   equally near names the first in code unit order
 *
 * Cost: O(known × length), a few milliseconds for 20,000 names; those whose length or letters rule them out are
 * not compared.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const letters = lettersOf(name)
  let best: Candidate | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > limit) continue
    const others = lettersOf(candidate)
    // An edit takes away at most one letter that only one of them has, and one that only the other has.
    const most = Math.max(countBits(letters & ~others), countBits(others & ~letters))
    if (most > (best?.distance ?? limit)) continue
    const found = { name: candidate, distance: editsBetween(name, candidate) }
    if (found.distance <= limit && (best === undefined || isNearer(found, best))) best = found
  }
  return best?.name
}

/**
 * Many known names, sorted once, for any number of look-ups.
 *
 * Cost: O(known × log known) when it is made; O(log known) and at most 4 × `neighbours` comparisons a look-up.
 */
export class NameIndex {
  /** Each once, by code units. */
  readonly #byStart: readonly string[]
  /** The same names by code units from the last to the first. */
  readonly #byEnd: readonly string[]

  constructor(known: Iterable<string>) {
    this.#byStart = [...new Set(known)].sort()
    this.#byEnd = this.#byStart.toSorted(compareEnds)
  }

  /**
   * The nearest of the names that are close in one of the two orders, as `nearest` finds it.
   *
   * A misspelt name shares its start or its end with the right one, so they are close in one of the orders. They are
   * not where more than `neighbours` other names share that start, and as many that end.
   */
  nearest(name: string): string | undefined {
    return nearest(name, this.candidates(name))
  }

  /**
   * The names that `nearest` compares.
   *
   * @returns unique; at most 4 × `neighbours`, and every name when there are no more than `neighbours`
   */
  candidates(name: string): readonly string[] {
    const byStart = around(this.#byStart, (other) => other < name)
    const byEnd = around(this.#byEnd, (other) => compareEnds(other, name) < 0)
    return [...new Set([...byStart, ...byEnd])]
  }
}

/** So many names before a place in a sorted list are compared, and as many behind it. */
const perSide = 16

/** The names on both sides of the place where `isBefore` ends. */
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

/** By code units, the last one first. */
function compareEnds(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let back = 1; back <= length; back++) {
    const difference = a.charCodeAt(a.length - back) - b.charCodeAt(b.length - back)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Which letters a name has, as bits; letters far apart in Unicode share one. */
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

/** Levenshtein's distance, but neighbouring letters that changed places are one edit. */
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
