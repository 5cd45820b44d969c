// Sorting many short texts that stand in one run of bytes, without an object for each.
// Knows nothing of what they are.
import { unitOrder } from './identifiers.ts'

/**
 * Sorts texts by their code units.
 *
 * Three letters and the number of the text are one number, and such numbers are sorted at once; those that share
 * their letters are sorted by the next three.
 *
 * @param bytes every text in UTF-8, each with a NUL behind it
 * @param starts where the texts begin in `bytes`
 * @param order numbers of different texts, below 2^29; sorted in place
 *
 * Cost: O(texts × log texts + letters).
 */
export function sortTexts(bytes: Uint8Array, starts: Uint32Array, order: Uint32Array): void {
  const keys = new Float64Array(order.length)
  const waiting: Range[] = [{ low: 0, high: order.length, depth: 0 }]
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const { low, high, depth } = range
    if (high - low <= fewTexts) {
      sortFew(bytes, starts, order.subarray(low, high), depth)
      continue
    }
    for (let at = low; at < high; at++) {
      const text = order[at] ?? 0
      keys[at] = threeLetters(bytes, (starts[text] ?? 0) + depth) * textsMax + text
    }
    keys.subarray(low, high).sort()
    takeOrder(keys, order, range, waiting)
  }
}

/** Places in the order whose texts are alike up to a depth. */
interface Range {
  readonly low: number
  readonly high: number
  readonly depth: number
}

/** Puts texts into the order of their keys; adds what shares its letters to that which waits. */
function takeOrder(
  keys: Float64Array,
  order: Uint32Array,
  { low, high, depth }: Range,
  waiting: Range[],
): void {
  for (let from = low; from < high; ) {
    const letters = Math.floor((keys[from] ?? 0) / textsMax)
    let to = from
    for (; to < high && (keys[to] ?? 0) < (letters + 1) * textsMax; to++) {
      order[to] = (keys[to] ?? 0) - letters * textsMax
    }
    if (to - from > 1) waiting.push({ low: from, high: to, depth: depth + 3 })
    from = to
  }
}

/** Times 2^24, for the letters, it is as far as whole numbers go. */
const textsMax = 2 ** 29

/** As many are sooner sorted one by one. */
const fewTexts = 16

function threeLetters(bytes: Uint8Array, at: number): number {
  const first = letterAt(bytes, at)
  const second = first === 0 ? 0 : letterAt(bytes, at + 1)
  const third = second === 0 ? 0 : letterAt(bytes, at + 2)
  return (first << 16) | (second << 8) | third
}

function letterAt(bytes: Uint8Array, at: number): number {
  return unitOrder(bytes[at] ?? 0)
}

/** Sorts texts that are alike up to a depth, by insertion. */
function sortFew(bytes: Uint8Array, starts: Uint32Array, order: Uint32Array, depth: number): void {
  for (let count = 1; count < order.length; count++) {
    const text = order[count] ?? 0
    const start = (starts[text] ?? 0) + depth
    let at = count
    for (; at > 0; at--) {
      const before = order[at - 1] ?? 0
      if (isBefore(bytes, (starts[before] ?? 0) + depth, start)) break
      order[at] = before
    }
    order[at] = text
  }
}

function isBefore(bytes: Uint8Array, one: number, other: number): boolean {
  let at = 0
  while (bytes[one + at] === bytes[other + at]) at += 1
  return letterAt(bytes, one + at) < letterAt(bytes, other + at)
}
