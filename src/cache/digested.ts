// Bytes with the digest that stands for them, in packs and in ETags alike.
// Knows nothing of where they go.
import { hash } from 'node:crypto'
import { digestBytes, type Piece } from '../api/piece.ts'

/** What stands for bytes: the beginning of their SHA-256. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer').subarray(0, digestBytes)
}

/** Bytes with their digest. */
export function digested(bytes: Uint8Array): Piece {
  return { bytes, digest: digestOf(bytes) }
}

/** A text as UTF-8, with its digest. */
export function pieceOf(text: string): Piece {
  return digested(Buffer.from(text))
}
