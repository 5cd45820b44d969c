// The storage of a function's files, and the verification of files against their names.
import { hex } from '../api/bytes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import type { MakeSearchable } from '../query/byte-search.ts'
import { changed } from '../query/checksum.ts'

/**
 * Reads files by their name relative to the function's folder: `index.bin`, `blocks/….bin`.
 *
 * A storage verifies nothing. On every host, readers verify all bytes against the index.
 */
export interface Storage {
  /**
   * Reads a whole file.
   *
   * @throws when the file does not exist
   */
  read(name: string): Awaitable<Uint8Array>
  /**
   * Reads a part of a file.
   *
   * @throws when the file does not exist, or is shorter than `offset + length`
   */
  readRange(name: string, offset: number, length: number): Awaitable<Uint8Array>
  /**
   * Fills `bytes` with a part of a file. Only synchronous storages have this method.
   *
   * @throws when the file does not exist, or is shorter
   */
  readInto?(name: string, offset: number, bytes: Uint8Array): void
  /**
   * Opens files for later reads, so that a build may remove them without affecting current readers. Only storages
   * over a folder that builds write to have this method.
   *
   * @throws when a file does not exist
   */
  hold?(names: readonly string[]): void
  /** Bytes of texts that a search reads at once: more where each read waits for a network. @default 256 KiB */
  readonly batchBytes?: number
  /** Delays a read of texts until its bytes are within a bound that all searches share. @default reads at once */
  readonly gate?: <T>(bytes: number, read: () => Promise<T>) => Promise<T>
  /** Allocates bytes with a faster search than the portable one. */
  readonly makeSearchable?: MakeSearchable
  /** SHA-256 without the copy that `crypto.subtle` makes. */
  readonly sha256?: (bytes: Uint8Array) => Uint8Array
}

/** Reads a part of a file: returns `bytes` filled, or another array of the same length. */
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
 * Reads a file that is named by its content.
 *
 * @param name `folder/HASH.bin`; HASH is the first 16 bytes of the content's SHA-256, in hexadecimal
 * @throws Error when the content does not match the name
 */
export async function readNamed(storage: Storage, name: string): Promise<Uint8Array> {
  const bytes = await storage.read(name)
  const digest = storage.sha256?.(bytes) ?? (await subtleSha256(bytes))
  if (!name.endsWith(`/${hex(digest.subarray(0, 16))}.bin`)) throw changed(name)
  return bytes
}

async function subtleSha256(bytes: Uint8Array): Promise<Uint8Array> {
  // Always a view of an ArrayBuffer: shared memory is never read here.
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}
