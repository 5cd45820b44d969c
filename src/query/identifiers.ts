// A table from identifiers (slugs and ids) to ordinals: sorted UTF-8 in one buffer, with binary search. Creates no
// object per identifier, so that a file has the same layout as memory.
import { utf8 } from '../api/bytes.ts'
import { offsetsOf } from './packed-lists.ts'

/** Sorted identifiers. `offsets` has one entry more than there are identifiers. */
export interface IdentifierTable {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly ordinals: Uint32Array
}

/** @param entries ordinals by identifier, without lone surrogates */
export function identifierTable(entries: ReadonlyMap<string, number>): IdentifierTable {
  // Sorted by code units, as `compareBytes` expects.
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
 * The ordinal of an identifier, or -1.
 *
 * Cost: O(log identifiers) comparisons.
 */
export function findIdentifier(table: IdentifierTable, identifier: string): number {
  return table.ordinals[identifierAt(table, identifier)] ?? -1
}

/** The index of an identifier in the table; negative when absent. */
export function identifierAt({ bytes, offsets }: IdentifierTable, identifier: string): number {
  return findBytes(utf8(identifier), bytes, offsets)
}

/**
 * The index of a key among sorted texts; when absent, -1 minus the number of smaller texts.
 *
 * @param key in UTF-8
 * @param bytes sorted texts
 * @param starts offsets of the texts, plus the end
 * @param gap bytes between two texts
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
 * Compares a key with the bytes of `other` from `start` to `end`, both UTF-8, in the order of UTF-16 code units. That
 * order differs from byte order only between characters beyond U+FFFF and characters from U+E000 on.
 *
 * @returns negative, 0 or positive
 */
function compareBytes(key: Uint8Array, other: Uint8Array, start: number, end: number): number {
  const length = Math.min(key.length, end - start)
  for (let at = 0; at < length; at++) {
    const difference = unitOrder(key[at] ?? 0) - unitOrder(other[start + at] ?? 0)
    if (difference !== 0) return difference
  }
  return key.length - (end - start)
}

/**
 * Maps a byte of UTF-8 so that bytes sort like code units: U+E000 to U+FFFF come after all others. The result is
 * still a byte.
 */
export function unitOrder(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte + 16 : byte
}
