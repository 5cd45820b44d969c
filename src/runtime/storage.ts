// Where a function reads its files from.
// Knows nothing of what the files hold.
import type { Awaitable } from '../api/snapshot.ts'

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
}
