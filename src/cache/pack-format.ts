// The layout of a pack: records of named parts, then an index of them, then a footer that vouches for the index.
// Knows neither disks nor what the parts mean.
import { hash } from 'node:crypto'

/** A part of a record, and where it lies. */
export interface PartPlace {
  /** In the pack, in bytes. */
  readonly offset: number
  readonly length: number
  /** The first 16 bytes of the SHA-256 of its bytes. */
  readonly digest: Uint8Array
}

/** Where the parts of one record lie, by name; names are ASCII, at most 255 characters. */
export type RecordPlace = ReadonlyMap<string, PartPlace>

/** The layout's number; packs of another one are passed over. */
export const packSchema = 1

/** A pack begins with these bytes. */
export const packHeader: Uint8Array = Buffer.from(`QUARRY pack ${packSchema}\n\0\0`, 'latin1')

/** Bytes at the end of a pack. */
export const footerBytes = 48

/** The first 16 bytes of a SHA-256. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer').subarray(0, 16)
}

/**
 * A row of the index.
 *
 * ```
 * key   offset   parts   name's length, name, length, digest; again for each part, back to back from `offset`
 * 32    f64      u8      u8             …     u32     16
 * ```
 * Numbers are little-endian.
 */
export function encodeRow(key: string, parts: RecordPlace): Uint8Array {
  const names = [...parts.keys()]
  const row = Buffer.alloc(41 + names.reduce((sum, name) => sum + 21 + name.length, 0))
  const [first] = parts.values()
  row.write(key, 'hex')
  row.writeDoubleLE(first?.offset ?? 0, 32)
  row.writeUInt8(parts.size, 40)
  let at = 41
  for (const [name, { length, digest }] of parts) {
    at = row.writeUInt8(name.length, at)
    at += row.write(name, at, 'latin1')
    at = row.writeUInt32LE(length, at)
    row.set(digest, at)
    at += 16
  }
  return row
}

/** The row that begins at a place of a sound index, and where the next one begins. */
export function decodeRow(
  index: Buffer,
  start: number,
): { readonly parts: RecordPlace; readonly end: number } {
  const parts = new Map<string, PartPlace>()
  let offset = index.readDoubleLE(start + 32)
  let at = start + 41
  for (let left = index.readUInt8(start + 40); left > 0; left--) {
    const nameLength = index.readUInt8(at)
    const name = index.toString('latin1', at + 1, at + 1 + nameLength)
    at += 1 + nameLength
    const length = index.readUInt32LE(at)
    parts.set(name, { offset, length, digest: index.subarray(at + 4, at + 20) })
    offset += length
    at += 20
  }
  return { parts, end: at }
}

/** Where the rows of a sound index begin, by key. Cost: O(rows). */
export function rowsOf(index: Buffer): ReadonlyMap<string, number> {
  const rows = new Map<string, number>()
  let at = 0
  while (at < index.length) {
    rows.set(index.toString('hex', at, at + 32), at)
    const parts = index.readUInt8(at + 40)
    at += 41
    for (let part = 0; part < parts; part++) at += 21 + index.readUInt8(at)
  }
  return rows
}

/** The footer of a pack: where its index lies, and the digest of it. */
export function encodeFooter(indexOffset: number, index: Uint8Array): Uint8Array {
  const footer = Buffer.alloc(footerBytes)
  footer.writeDoubleLE(indexOffset, 0)
  footer.writeDoubleLE(index.length, 8)
  footer.set(digestOf(index), 16)
  footer.set(packHeader, 32)
  return footer
}

/** @returns undefined when a pack of so many bytes cannot end like this */
export function decodeFooter(
  footer: Buffer,
  packBytes: number,
): { readonly offset: number; readonly length: number; readonly digest: Uint8Array } | undefined {
  const [offset, length] = [footer.readDoubleLE(0), footer.readDoubleLE(8)]
  const isOurs = footer.subarray(32).equals(packHeader)
  if (!isOurs || offset + length + footerBytes !== packBytes || length < 0) return undefined
  return { offset, length, digest: footer.subarray(16, 32) }
}
