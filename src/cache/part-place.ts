// Where bytes lie in a pack, and how they are known again.
import type { Fragment } from '../api/fragment.ts'

/** A part of a record, and where it lies. */
export interface PartPlace {
  /** The offset of the record in the pack, in bytes. */
  readonly offset: number
  /** Bytes of the record in the pack; fewer than `recordBytes` where it is compressed. */
  readonly storedBytes: number
  /** Bytes of all parts of the record. */
  readonly recordBytes: number
  /** The offset of the part in the record, in bytes. */
  readonly start: number
  readonly length: number
  /** The first 16 bytes of the SHA-256 of its bytes. */
  readonly digest: Uint8Array
}

/** Bytes to be kept, with their digest where that is known already. */
export type PackedPart = Uint8Array | Fragment
