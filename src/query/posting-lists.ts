// Set operations on posting lists: ascending, unique ordinals in typed arrays.
// Knows nothing of what the ordinals stand for.

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
  const bits = new Uint32Array((universe + 31) >>> 5)
  for (const list of lists) {
    for (const ordinal of list) setBit(bits, ordinal)
  }
  return ordinalsOf(bits)
}

function setBit(bits: Uint32Array, ordinal: number): void {
  const word = ordinal >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << (ordinal & 31))
}

function ordinalsOf(bits: Uint32Array): Uint32Array {
  const found = new Uint32Array(bits.reduce((sum, word) => sum + popCount(word), 0))
  let size = 0
  bits.forEach((word, index) => {
    // Takes the lowest set bit off until none is left.
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      found[size++] = (index << 5) | (31 - Math.clz32(rest & -rest))
    }
  })
  return found
}

/** Set bits of a 32-bit word (Hacker's Delight, 5-1). */
function popCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
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
