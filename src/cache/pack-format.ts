// The layout of a pack: records of named parts, then an index of them (`PackRows`), then a footer that
// vouches for the index.
// Knows neither disks nor what the parts mean.
import { digestOf } from './digested.ts'

/** The layout's number; packs of another one are passed over. */
export const packSchema = 2

/** A pack begins with these bytes. */
export const packHeader: Uint8Array = Buffer.from(`QUARRY pack ${packSchema}\n\0\0`, 'latin1')

/** Bytes at the end of a pack. */
export const footerBytes = 48

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
