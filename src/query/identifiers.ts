// A table from identifiers (slugs and ids) to ordinals: sorted UTF-8 in one buffer, searched by halves.
// Builds no object an identifier, so that it can lie in a file as it is in memory.
import { utf8 } from '../api/bytes.ts'
import { offsetsOf } from './packed-lists.ts'

/** Sorted identifiers. `offsets` has one entry more than there are identifiers. */
export interface IdentifierTable {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly ordinals: Uint32Array
}

/** @param entries identifiers without half surrogates, each at most once, with what they represent */
export function identifierTable(entries: ReadonlyMap<string, number>): IdentifierTable {
  // By their code units, as `compareBytes` has them.
  const sorted = [...entries.keys()].sort()
  const text = sorted.join('')
  const bytes = utf8(text)
  const isAscii = bytes.length === text.length
  return {
    bytes,
    offsets: offsetsOf(sorted.map((name) => (isAscii ? name : utf8(name)).length)),
    ordinals: Uint32Array.from(sorted, (name) => entries.get(name) ?? -1),
  }
}

/**
 * The ordinal that an identifier represents, or -1.
 *
 * Cost: O(log identifiers) comparisons.
 */
export function findIdentifier(table: IdentifierTable, identifier: string): number {
  return table.ordinals[identifierAt(table, identifier)] ?? -1
}

/** The number of an identifier in the table; less than 0 where it is not there. */
export function identifierAt({ bytes, offsets }: IdentifierTable, identifier: string): number {
  return findBytes(utf8(identifier), bytes, offsets)
}

/**
 * The number of a key among sorted texts; where it is none, -1 less how many are before it.
 *
 * @param key in UTF-8
 * @param bytes sorted texts
 * @param starts where each begins, and one more
 * @param gap bytes between them
 *
 * Cost: O(log texts) comparisons.
 */
export function findBytes(
  key: Uint8Array,
  bytes: Uint8Array,
  starts: Uint32Array,
  gap = 0,
): number {
  const order = (at: number) =>
    compareBytes(key, bytes, starts[at] ?? 0, (starts[at + 1] ?? 0) - gap)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(middle) > 0) low = middle + 1
    else high = middle
  }
  return low < starts.length - 1 && order(low) === 0 ? low : -1 - low
}

/**
 * Compares a key with the bytes of `other` from `start` up to `end`, both in UTF-8, as their UTF-16 code units would
 * be: that is another order only where one has a character beyond U+FFFF, and the other one from U+E000 on.
 *
 * @returns less than 0, 0, or more
 */
function compareBytes(key: Uint8Array, other: Uint8Array, start: number, end: number): number {
  const length = Math.min(key.length, end - start)
  for (let at = 0; at < length; at++) {
    const difference = unitOrder(key[at] ?? 0) - unitOrder(other[start + at] ?? 0)
    if (difference !== 0) return difference
  }
  return key.length - (end - start)
}

/** A byte of UTF-8 as it counts in the order of code units: U+E000 to U+FFFF are behind all above. Still a byte. */
export function unitOrder(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte + 16 : byte
}
