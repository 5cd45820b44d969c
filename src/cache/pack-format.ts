// The layout of a pack: records of named parts, most of them compressed, then their index (`PackRows`), then a footer
// with the offset and digest of the index.
import { digestOf } from './digested.ts'

/** Layout version; packs of other versions are removed. */
export const packSchema = 5

const magic = 'QUARRY pack '

/** First and last bytes of a pack. */
export const packHeader: Uint8Array = Buffer.from(`${magic}${packSchema}\n\0\0`, 'latin1')

/** Length of the footer at the end of a pack. */
export const footerBytes = 48

/** Location of the index of a pack, with its digest. */
export interface PackFooter {
  readonly offset: number
  readonly length: number
  /** First 16 bytes of the SHA-256 of the index. */
  readonly digest: Uint8Array
}

/**
 * ```
 * offset   length   digest   header
 * f64      f64      16       16
 * ```
 */
export function encodeFooter(indexOffset: number, index: Uint8Array): Buffer {
  const footer = Buffer.alloc(footerBytes)
  footer.writeDoubleLE(indexOffset, 0)
  footer.writeDoubleLE(index.length, 8)
  footer.set(digestOf(index), 16)
  footer.set(packHeader, 32)
  return footer
}

/**
 * @param packBytes size of the file
 * @returns 'other' for another layout; 'damaged' if the index would be outside the file
 */
export function decodeFooter(footer: Buffer, packBytes: number): PackFooter | 'other' | 'damaged' {
  const header = footer.subarray(32)
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
  return { offset, length, digest: footer.subarray(16, 32) }
}

/** Reports whether an index matches the digest of its footer. */
export function isGenuine(index: Uint8Array, footer: PackFooter): boolean {
  return Buffer.compare(digestOf(index), footer.digest) === 0
}
