// JSON bytes that are serialized once and then only concatenated.

/** Bytes of a JSON text or a part of it, with a digest for ETags. */
export interface Fragment {
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** First 16 bytes of the SHA-256 of `bytes`. */
  readonly digest: Uint8Array
}

/** Length of a fragment's digest in bytes: 128 bits do not collide by accident. */
export const digestBytes = 16
