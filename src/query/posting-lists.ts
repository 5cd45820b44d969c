// Set operations on posting lists: ascending, unique ordinals in typed arrays.
import { addOrdinal, emptyBitmap, ordinalsIn } from './bitmaps.ts'

/**
 * Ordinals present in both lists.
 *
 * @returns ascending and unique
 *
 * Cost: O(shorter × log gap), by galloping search (Bentley & Yao, 1976).
 */
export function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.length <= b.length ? select(a, b, true) : select(b, a, true)
}

/**
 * Ordinals of the first list that are not in the second.
 *
 * @returns ascending and unique
 *
 * Cost: O(kept × log gap).
 */
export function subtract(kept: Uint32Array, dropped: Uint32Array): Uint32Array {
  return select(kept, dropped, false)
}

/** Filters a list by membership in another list. */
function select(list: Uint32Array, other: Uint32Array, areIn: boolean): Uint32Array {
  const found = new Uint32Array(list.length)
  let size = 0
  let from = 0
  for (const ordinal of list) {
    from = gallop(other, ordinal, from)
    if ((other[from] === ordinal) === areIn) found[size++] = ordinal
  }
  return found.subarray(0, size)
}

/**
 * Ordinals present in any list.
 *
 * @returns ascending and unique; empty when `lists` is empty
 *
 * Cost: O(Σ lengths + universe / 32), by a bitmap. A single list is returned unchanged.
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

/** The first index from `from` on whose ordinal is at least `target`; the length when there is none. */
function gallop(list: Uint32Array, target: number, from: number): number {
  return (list[from] ?? target) >= target ? from : lastAtOrBefore(list, target - 1, from) + 1
}

/**
 * The last index from `from` on whose number is at most `most`.
 *
 * @param numbers ascending; the one at `from` is at most `most`
 *
 * Cost: O(log distance), by galloping search.
 */
export function lastAtOrBefore(numbers: ArrayLike<number>, most: number, from = 0): number {
  let step = 1
  let low = from
  while (low + step < numbers.length && (numbers[low + step] ?? 0) <= most) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, numbers.length)
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) <= most) low = middle
    else high = middle
  }
  return low
}
