// Where a function reads its files from.
// Knows nothing of what the files hold.
import type { Awaitable } from '../api/snapshot.ts'
import type { MakeSearchable } from '../query/byte-search.ts'

/** Reads files of the function's folder, by their name below it: `index.bin`, `blocks/….bin`. */
export interface Storage {
  /**
   * A whole file.
   *
   * @throws when there is none
   */
  read(name: string): Awaitable<Uint8Array>
  /**
   * A part of a file.
   *
   * @throws when there is no file, or it is shorter than `offset + length`
   */
  readRange(name: string, offset: number, length: number): Awaitable<Uint8Array>
  /**
   * Fills bytes with a part of a file, for one who has a checksum of it: what a file's name says of its content is not
   * compared. Only storages that answer at once have this.
   *
   * @throws when there is no file, or it is shorter
   */
  readInto?(name: string, offset: number, bytes: Uint8Array): void
  /** Bytes that are looked through faster than any host can. */
  readonly makeSearchable?: MakeSearchable
}

/** A part of a file whose checksum is known: what was given, filled, or other bytes. */
export function readChecked(
  storage: Storage,
  name: string,
  offset: number,
  bytes: Uint8Array,
): Awaitable<Uint8Array> {
  if (storage.readInto === undefined) return storage.readRange(name, offset, bytes.length)
  storage.readInto(name, offset, bytes)
  return bytes
}
