// Bytes with the digest that represents them, in packs and in ETags alike.
import { hash } from 'node:crypto'
import { digestBytes, type Fragment } from '../api/fragment.ts'

/** The digest of bytes: the beginning of their SHA-256. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer').subarray(0, digestBytes)
}

/** Bytes with their digest. */
export function digested(bytes: Uint8Array): Fragment {
  return { bytes, digest: digestOf(bytes) }
}

/** A text as UTF-8, with its digest. */
export function fragmentOf(text: string): Fragment {
  return digested(Buffer.from(text))
}
