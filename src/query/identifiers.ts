// A table from identifiers (slugs and ids) to ordinals: sorted UTF-8 in one buffer, searched by halves.
// Builds no object an identifier, so that it can lie in a file as it is in memory.
import { utf8 } from '../api/utf8.ts'
import { offsetsOf } from './packed-lists.ts'

/** Sorted identifiers. `offsets` has one entry more than there are identifiers. */
export interface IdentifierTable {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly ordinals: Uint32Array
}

/** @param entries identifiers, each at most once, with what they stand for */
export function identifierTable(entries: ReadonlyMap<string, number>): IdentifierTable {
  const sorted = [...entries]
    .map(([identifier, ordinal]) => ({ key: utf8(identifier), ordinal }))
    .sort((a, b) => compareBytes(a.key, b.key, 0, b.key.length))
  const offsets = offsetsOf(sorted.map(({ key }) => key.length))
  const bytes = new Uint8Array(offsets.at(-1) ?? 0)
  sorted.forEach(({ key }, index) => {
    bytes.set(key, offsets[index])
  })
  return { bytes, offsets, ordinals: Uint32Array.from(sorted, (entry) => entry.ordinal) }
}

/**
 * What an identifier stands for, or -1.
 *
 * Cost: O(log identifiers) comparisons.
 */
export function findIdentifier(table: IdentifierTable, identifier: string): number {
  const key = utf8(identifier)
  let low = 0
  let high = table.ordinals.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const start = table.offsets[middle] ?? 0
    const order = compareBytes(key, table.bytes, start, table.offsets[middle + 1] ?? start)
    if (order === 0) return table.ordinals[middle] ?? -1
    if (order < 0) high = middle - 1
    else low = middle + 1
  }
  return -1
}

/** Compares `key` with the bytes of `other` from `start` up to `end`. */
function compareBytes(key: Uint8Array, other: Uint8Array, start: number, end: number): number {
  const length = Math.min(key.length, end - start)
  for (let at = 0; at < length; at++) {
    const difference = (key[at] ?? 0) - (other[start + at] ?? 0)
    if (difference !== 0) return difference
  }
  return key.length - (end - start)
}
