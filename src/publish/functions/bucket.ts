// Parts of objects as a function reads them from a bucket. Needs no Node.

/** A part of an object. */
export interface ObjectPart {
  /** As many as were requested, or up to the end of the object. */
  readonly bytes: Uint8Array
  /** Bytes of the whole object. */
  readonly size: number
}

/** Bytes to read. */
export interface ObjectRange {
  readonly offset: number
  readonly length: number
}

/** A bucket that builds are published to. */
export interface Bucket {
  /**
   * Reads a part of an object; what fails is tried again within a bound.
   *
   * @param check the fault of the bytes, null for none; wrong bytes are requested again
   * @returns null when there is no object
   * @throws Error when it cannot be read, or is damaged each time
   */
  read(
    key: string,
    range: ObjectRange,
    check?: (bytes: Uint8Array) => string | null,
  ): Promise<ObjectPart | null>
  /**
   * A request may wait for a read that another one began. False where the host ends the reads of a request with it.
   */
  readonly sharesReads: boolean
}

/** The fault of a part that was read; null for none. */
export function partFault(
  { bytes, size }: ObjectPart,
  { offset, length }: ObjectRange,
): string | null {
  const expected = Math.min(length, size - offset)
  return bytes.length === expected ? null : `${bytes.length} bytes came instead of ${expected}`
}
