// Where a function reads its files from, and how a file is compared with its name.
import { hex } from '../api/bytes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import type { MakeSearchable } from '../query/byte-search.ts'
import { changed } from '../query/checksum.ts'

/**
 * Reads files of the function's folder, by their name below it: `index.bin`, `blocks/….bin`.
 *
 * A storage compares nothing. Readers compare all bytes with what the index says of them, on every host alike.
 */
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
   * Fills bytes with a part of a file. Only storages that read at once have this.
   *
   * @throws when there is no file, or it is shorter
   */
  readInto?(name: string, offset: number, bytes: Uint8Array): void
  /**
   * Opens files that will be read later, so that a build which removes them takes nothing from those who still read
   * them. Only storages over a folder that builds write to have this.
   *
   * @throws when one is not there
   */
  hold?(names: readonly string[]): void
  /** Bytes of texts that a search reads at once: more where each read waits for a network. @default 256 KiB */
  readonly batchBytes?: number
  /** Bytes that are searched faster than any host can. */
  readonly makeSearchable?: MakeSearchable
  /** The SHA-256 of bytes, without the copy of them that `crypto.subtle` makes. */
  readonly sha256?: (bytes: Uint8Array) => Uint8Array
}

/** A part of a file: the given bytes, filled, or other bytes of the same length. */
export function readPart(
  storage: Storage,
  name: string,
  offset: number,
  bytes: Uint8Array,
): Awaitable<Uint8Array> {
  if (storage.readInto === undefined) return storage.readRange(name, offset, bytes.length)
  storage.readInto(name, offset, bytes)
  return bytes
}

/**
 * A whole file that is named by its content.
 *
 * @param name `folder/HASH.bin`; HASH is the first 16 bytes of the SHA-256 of the content, hexadecimal
 * @throws Error when the content is not that of the name
 */
export async function readNamed(storage: Storage, name: string): Promise<Uint8Array> {
  const bytes = await storage.read(name)
  const digest = storage.sha256?.(bytes) ?? (await subtleSha256(bytes))
  if (!name.endsWith(`/${hex(digest.subarray(0, 16))}.bin`)) throw changed(name)
  return bytes
}

async function subtleSha256(bytes: Uint8Array): Promise<Uint8Array> {
  // A view on an ArrayBuffer always: shared memory is never read here.
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}
