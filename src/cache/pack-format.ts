// The layout of a pack: records of named parts, most of them compressed, then their index (`PackRows`), then a footer
// with the offset, digest and signature of the index.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { CacheSecret } from './cache-access.ts'
import { digestOf } from './digested.ts'

/** Layout version; packs of other versions are removed. */
export const packSchema = 4

const magic = 'QUARRY pack '

/** First and last bytes of a pack. */
export const packHeader: Uint8Array = Buffer.from(`${magic}${packSchema}\n\0\0`, 'latin1')

/** Length of the footer at the end of a pack. */
export const footerBytes = 80

/** Location of the index of a pack, with its digest and signature. */
export interface PackFooter {
  readonly offset: number
  readonly length: number
  /** First 16 bytes of the SHA-256 of the index. */
  readonly digest: Uint8Array
  /** 32 bytes; zeros in an unsigned pack. */
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
 * @returns 'other' for another layout; 'damaged' if the index would be outside the file
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

/** Reports whether an index matches the digest of its footer and, with a secret, its signature. */
export function isGenuine(index: Uint8Array, footer: PackFooter, secret?: CacheSecret): boolean {
  if (secret === undefined) return Buffer.compare(digestOf(index), footer.digest) === 0
  return timingSafeEqual(signatureOf(footer.offset, index, secret), footer.signature)
}

/**
 * HMAC-SHA-256 over the layout version, the offset of the index, and the index. The index contains location, length and
 * digest of each part, and every read of a part verifies its digest. The signature thus covers the whole pack.
 */
function signatureOf(indexOffset: number, index: Uint8Array, secret: CacheSecret): Uint8Array {
  const offset = Buffer.alloc(8)
  offset.writeDoubleLE(indexOffset)
  const key = secret as KeyObject
  return createHmac('sha256', key).update(packHeader).update(offset).update(index).digest()
}
