// Location and digest of bytes in a pack.
import type { Fragment } from '../api/fragment.ts'

/** Location of a part of a record. */
export interface PartPlace {
  /** Offset of the record in the pack, in bytes. */
  readonly offset: number
  /** Stored size of the record; less than `recordBytes` if it is compressed. */
  readonly storedBytes: number
  /** Size of all parts of the record. */
  readonly recordBytes: number
  /** Offset of the part in the record, in bytes. */
  readonly start: number
  readonly length: number
  /** First 16 bytes of the SHA-256 of its bytes. */
  readonly digest: Uint8Array
}

/** Bytes to store, with their digest if it is known. */
export type PackedPart = Uint8Array | Fragment
