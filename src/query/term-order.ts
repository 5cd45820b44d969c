// Sorting many short texts that stand in one string, without an object for each.
// Knows nothing of what they are.

/**
 * Sorts texts by their code units.
 *
 * @param all every text, each with a NUL behind it
 * @param starts where the texts begin in `all`
 * @param order numbers of different texts; sorted in place
 *
 * Cost: O(texts × log texts + letters), by multikey quicksort (Bentley & Sedgewick, 1997).
 */
export function sortTexts(all: string, starts: Uint32Array, order: Uint32Array): void {
  const waiting = [0, order.length, 0]
  while (waiting.length > 0) {
    const [low = 0, high = 0, depth = 0] = waiting.splice(-3)
    if (high - low < 2) continue
    const middle = order[(low + high) >>> 1] ?? 0
    const pivot = all.charCodeAt((starts[middle] ?? 0) + depth)
    const { below, above } = partition(all, starts, order, { low, high, depth, pivot })
    waiting.push(low, below, depth, above, high, depth)
    // Texts are different: those that end here are one.
    if (pivot !== 0) waiting.push(below, above, depth + 1)
  }
}

interface Part {
  readonly low: number
  readonly high: number
  readonly depth: number
  readonly pivot: number
}

/** Puts smaller letters before `below`, larger ones from `above` on, equal ones between. */
function partition(
  all: string,
  starts: Uint32Array,
  order: Uint32Array,
  { low, high, depth, pivot }: Part,
): { readonly below: number; readonly above: number } {
  let below = low
  let above = high
  for (let at = low; at < above; ) {
    const text = order[at] ?? 0
    const letter = all.charCodeAt((starts[text] ?? 0) + depth)
    if (letter < pivot) {
      order[at++] = order[below] ?? 0
      order[below++] = text
    } else if (letter > pivot) {
      above -= 1
      order[at] = order[above] ?? 0
      order[above] = text
    } else at += 1
  }
  return { below, above }
}
