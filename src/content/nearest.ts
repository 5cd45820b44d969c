// The known name that somebody most likely meant.
// Knows nothing of what is named.
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
