// The known name that somebody most likely meant.
// Knows nothing of what is named.
import { distance } from 'fastest-levenshtein'

/**
 * The known name nearest to `name` by Levenshtein distance.
 *
 * @returns undefined when none is within a third of the name's length (at least 1, in UTF-16 code units); of
 *   equally near names the first in code unit order
 *
 * Cost: O(known × length); names whose length alone rules them out cost nothing.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: Candidate | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > limit) continue
    const found = { name: candidate, distance: editsBetween(name, candidate) }
    if (found.distance <= limit && (best === undefined || isNearer(found, best))) best = found
  }
  return best?.name
}

/** Levenshtein's distance, but neighbouring letters that changed places are one edit. */
function editsBetween(a: string, b: string): number {
  const at = a.split('').findIndex((character, index) => character !== b[index])
  const swapped = a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2)
  return at !== -1 && swapped === b ? 1 : distance(a, b)
}

interface Candidate {
  readonly name: string
  readonly distance: number
}

function isNearer(a: Candidate, b: Candidate): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.name < b.name)
}
