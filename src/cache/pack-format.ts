// The layout of a pack: records of named parts, most of them compressed, then an index of them (`PackRows`), then a footer with the index's
// place, digest and signature.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { CacheSecret } from './cache-access.ts'
import { digestOf } from './digested.ts'

/** The layout's number; packs of another one are removed. */
export const packSchema = 4

const magic = 'QUARRY pack '

/** A pack begins and ends with these bytes. */
export const packHeader: Uint8Array = Buffer.from(`${magic}${packSchema}\n\0\0`, 'latin1')

/** Bytes at the end of a pack. */
export const footerBytes = 80

/** Where the index of a pack lies, and what proves that it is the one that was written. */
export interface PackFooter {
  readonly offset: number
  readonly length: number
  /** The first 16 bytes of the SHA-256 of the index. */
  readonly digest: Uint8Array
  /** 32 bytes; zeros in a pack without a signature. */
  readonly signature: Uint8Array
}

/**
 * ```
 * offset   length   digest   signature   header
 * f64      f64      16       32          16
 * ```
 *
 * @param secret signs the pack. @default no signature
 */
export function encodeFooter(indexOffset: number, index: Uint8Array, secret?: CacheSecret): Buffer {
  const footer = Buffer.alloc(footerBytes)
  footer.writeDoubleLE(indexOffset, 0)
  footer.writeDoubleLE(index.length, 8)
  footer.set(digestOf(index), 16)
  if (secret !== undefined) footer.set(signatureOf(indexOffset, index, secret), 32)
  footer.set(packHeader, 64)
  return footer
}

/**
 * @param packBytes size of the file
 * @returns 'other' for a pack of another layout; 'damaged' where the index would not lie within the file
 */
export function decodeFooter(footer: Buffer, packBytes: number): PackFooter | 'other' | 'damaged' {
  const header = footer.subarray(64)
  if (!header.equals(packHeader)) {
    return header.toString('latin1').startsWith(magic) ? 'other' : 'damaged'
  }
  const [offset, length] = [footer.readDoubleLE(0), footer.readDoubleLE(8)]
  const isWithin =
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    offset >= packHeader.length &&
    length >= 0 &&
    offset + length + footerBytes === packBytes
  if (!isWithin) return 'damaged'
  return { offset, length, digest: footer.subarray(16, 32), signature: footer.subarray(32, 64) }
}

/** Whether an index has the digest of its footer and, where there is a secret, its signature. */
export function isGenuine(index: Uint8Array, footer: PackFooter, secret?: CacheSecret): boolean {
  if (secret === undefined) return Buffer.compare(digestOf(index), footer.digest) === 0
  return timingSafeEqual(signatureOf(footer.offset, index, secret), footer.signature)
}

/**
 * HMAC-SHA-256 of the layout, the index's offset and the index. The index holds place, length and digest of each part,
 * and a part is compared with its digest whenever it is read: so the signature covers all that a pack says.
 */
function signatureOf(indexOffset: number, index: Uint8Array, secret: CacheSecret): Uint8Array {
  const offset = Buffer.alloc(8)
  offset.writeDoubleLE(indexOffset)
  const key = secret as KeyObject
  return createHmac('sha256', key).update(packHeader).update(offset).update(index).digest()
}
