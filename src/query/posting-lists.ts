// Set operations on posting lists: ascending, unique ordinals in typed arrays.
// Knows nothing of what the ordinals stand for.
import { addOrdinal, emptyBitmap, ordinalsIn } from './bitmaps.ts'

/**
 * Ordinals present in both lists.
 *
 * @returns ascending and unique
 *
 * Cost: O(shorter × log gap), by galloping search (Bentley & Yao, 1976).
 */
export function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const found = new Uint32Array(short.length)
  let size = 0
  let from = 0
  for (const ordinal of short) {
    from = gallop(long, ordinal, from)
    if (long[from] === ordinal) found[size++] = ordinal
  }
  return found.subarray(0, size)
}

/**
 * Ordinals of the first list that are not in the second.
 *
 * @returns ascending and unique
 *
 * Cost: O(kept × log gap).
 */
export function subtract(kept: Uint32Array, dropped: Uint32Array): Uint32Array {
  const found = new Uint32Array(kept.length)
  let size = 0
  let from = 0
  for (const ordinal of kept) {
    from = gallop(dropped, ordinal, from)
    if (dropped[from] !== ordinal) found[size++] = ordinal
  }
  return found.subarray(0, size)
}

/**
 * Ordinals present in any list.
 *
 * @returns ascending and unique; empty when `lists` is empty
 *
 * Cost: O(Σ lengths + universe / 32), by a bitmap; one list is returned as it is.
 */
export function unite(lists: readonly Uint32Array[], universe: number): Uint32Array {
  const [only = new Uint32Array(0), ...more] = lists
  if (more.length === 0) return only
  const bits = emptyBitmap(universe)
  for (const list of lists) {
    for (const ordinal of list) addOrdinal(bits, ordinal)
  }
  return ordinalsIn(bits)
}

/** First index from `from` whose ordinal is not below `target`; the length when there is none. */
function gallop(list: Uint32Array, target: number, from: number): number {
  let step = 1
  let low = from
  let high = from
  while (high < list.length && (list[high] ?? 0) < target) {
    low = high + 1
    high += step
    step *= 2
  }
  high = Math.min(high, list.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < target) low = middle + 1
    else high = middle
  }
  return low
}
