// Bytes that a cache holds, as every thread of this process can read them.
import { readSync } from 'node:fs'
import { digestOf } from './digested.ts'
import type { PartPlace } from './part-place.ts'

/** What was read is not what was written. */
export class CacheDamageError extends Error {
  override readonly name = 'CacheDamageError'
  /** The damaged file. */
  readonly path: string

  constructor(path: string) {
    super(`The cache file ${path} is damaged.`)
    this.path = path
  }
}

/** A file that is open for as long as the cache is. */
export interface OpenFile {
  /** Its descriptor, which threads share. */
  readonly file: number
  /** For messages; one object for all places in the file, which is posted once with them. */
  readonly named: { readonly path: string }
}

/** Where bytes lie in an open file: small, as a search is sent a hundred thousand of them. */
export interface FilePlace extends OpenFile, Pick<PartPlace, 'offset' | 'length'> {
  /** As in `PartPlace`, a character a byte: views of their own take twenty times their bytes. */
  readonly digest: string
}

/** A place in an open file, free of views: those would take what they are views of along. */
export function filePlace({ file, named }: OpenFile, place: PartPlace): FilePlace {
  const { offset, length, digest } = place
  const { buffer, byteOffset, byteLength } = digest
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  return { file, named, offset, length, digest: text }
}

/** Bytes, or where they lie: what can be posted to another thread. */
export type StoredBytes = Uint8Array | FilePlace

/** @throws CacheDamageError when the bytes are not those that were written */
export function readStored(stored: StoredBytes): Uint8Array {
  if (stored instanceof Uint8Array) return stored
  const { offset, length } = stored
  const place = { offset, length, digest: Buffer.from(stored.digest, 'latin1') }
  return readPlace(stored, place, Buffer.allocUnsafeSlow(length))
}

/**
 * Fills a buffer of a place's length from the place.
 *
 * @throws CacheDamageError when the bytes are not those that were written
 */
export function readPlace<Bytes extends Uint8Array>(
  { file, named }: OpenFile,
  { offset, digest }: PartPlace,
  bytes: Bytes,
): Bytes {
  if (readWhole(file, bytes, offset) && Buffer.compare(digestOf(bytes), digest) === 0) return bytes
  throw new CacheDamageError(named.path)
}

/** Fills a buffer from a place in a file on. @returns false when that cannot be read, or the file ends before */
export function readWhole(file: number, bytes: Uint8Array, offset: number): boolean {
  let read = 0
  while (read < bytes.length) {
    const count = readPart(file, bytes, read, offset + read)
    if (count === 0) return false
    read += count
  }
  return true
}

function readPart(file: number, bytes: Uint8Array, at: number, offset: number): number {
  try {
    return readSync(file, bytes, at, bytes.length - at, offset)
  } catch {
    return 0
  }
}
