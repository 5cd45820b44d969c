// A run of JSON bytes that is serialised once and from then on only joined.

/** Bytes of a JSON text or of a part of one, with a digest that represents them in an ETag. */
export interface Fragment {
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** The first 16 bytes of the SHA-256 of `bytes`. */
  readonly digest: Uint8Array
}

/** Length of a fragment's digest, in bytes: 128 bits never meet by accident. */
export const digestBytes = 16
