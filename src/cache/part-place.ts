// Where bytes lie in a pack, and how they are known again.
// Knows nothing of packs.

/** A part of a record, and where it lies. */
export interface PartPlace {
  /** In the pack, in bytes. */
  readonly offset: number
  readonly length: number
  /** The first 16 bytes of the SHA-256 of its bytes. */
  readonly digest: Uint8Array
}

/** Bytes to be kept, with their digest where that is known already: the first 16 bytes of a SHA-256. */
export type PackedPart = Uint8Array | { readonly bytes: Uint8Array; readonly digest: Uint8Array }
