// Bytes with the digest that stands for them, in packs and in ETags alike.
// Knows nothing of where they go.
import type { Piece } from '../api/piece.ts'
import { digestOf } from './pack-format.ts'

/** Bytes with their digest. */
export function digested(bytes: Uint8Array): Piece {
  return { bytes, digest: digestOf(bytes) }
}

/** A text as UTF-8, with its digest. */
export function pieceOf(text: string): Piece {
  return digested(Buffer.from(text))
}
