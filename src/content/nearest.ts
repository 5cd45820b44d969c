// Finds the known name most similar to a misspelt one.
import { distance } from 'fastest-levenshtein'

/**
 * Returns the known name nearest to `name` by Levenshtein distance; a swap of two adjacent letters is one edit.
 *
 * @returns undefined if none is within a third of the name's length (at least 1, in UTF-16 code units); of equally near
 *   names, the first in code unit order
 *
 * Cost: O(known × length), some 10 ms for 20,000 names.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let limit = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > limit) continue
    const edits = isSwap(name, candidate) ? 1 : distance(name, candidate)
    if (edits > limit || (edits === limit && best !== undefined && best < candidate)) continue
    best = candidate
    limit = edits
  }
  return best
}

function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  const isSwapped = a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at)
  return isSwapped && at < a.length && a.slice(at + 2) === b.slice(at + 2)
}
