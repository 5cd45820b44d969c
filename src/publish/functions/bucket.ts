// Reads parts of objects for a function. Runs without Node.

/** A part of an object. */
export interface ObjectPart {
  /** The requested bytes, or fewer at the end of the object. */
  readonly bytes: Uint8Array
  /** Size of the whole object, in bytes. */
  readonly size: number
}

/** A range of bytes. */
export interface ObjectRange {
  readonly offset: number
  readonly length: number
}

/** A bucket with published builds. */
export interface Bucket {
  /**
   * Reads a part of an object, with a bounded number of attempts.
   *
   * @param check returns what is wrong with the bytes, which repeats the request; null for valid bytes
   * @returns null when the object does not exist
   * @throws Error when every attempt fails or returns damaged bytes
   */
  read(
    key: string,
    range: ObjectRange,
    check?: (bytes: Uint8Array) => string | null,
  ): Promise<ObjectPart | null>
}

/** Returns what is wrong with a part; null for a complete part. */
export function partFault(
  { bytes, size }: ObjectPart,
  { offset, length }: ObjectRange,
): string | null {
  const expected = Math.min(length, size - offset)
  return bytes.length === expected ? null : `${bytes.length} bytes came instead of ${expected}`
}
