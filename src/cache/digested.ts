// Digests of bytes, shared by packs and ETags.
import { hash } from 'node:crypto'
import { digestBytes, type Fragment } from '../api/fragment.ts'

/** Returns the digest of bytes: the beginning of their SHA-256. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer').subarray(0, digestBytes)
}

/** Returns bytes with their digest. */
export function digested(bytes: Uint8Array): Fragment {
  return { bytes, digest: digestOf(bytes) }
}

/** Returns text in UTF-8 with its digest. */
export function fragmentOf(text: string): Fragment {
  return digested(Buffer.from(text))
}
