// Bytes that a cache holds, as every thread of this process can read them.
// Knows nothing of packs, nor of what the bytes mean.
import { readSync } from 'node:fs'
import { digestOf } from './pack-format.ts'
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

/** Where bytes lie in an open file. */
export interface FilePlace extends PartPlace {
  /** Its descriptor, which threads share; open for as long as the cache is. */
  readonly file: number
  readonly path: string
}

/** A place in an open file, free of views: those would take what they are views of along. */
export function filePlace(file: number, path: string, place: PartPlace): FilePlace {
  const { offset, length, digest } = place
  return { file, path, offset, length, digest: new Uint8Array(digest) }
}

/** Bytes, or where they lie: what can be posted to another thread. */
export type StoredBytes = Uint8Array | FilePlace

/** @throws CacheDamageError when the bytes are not those that were written */
export function readStored(stored: StoredBytes): Uint8Array {
  if (stored instanceof Uint8Array) return stored
  const { file, path, offset, length, digest } = stored
  const bytes = Buffer.allocUnsafeSlow(length)
  if (!readWhole(file, bytes, offset) || Buffer.compare(digestOf(bytes), digest) !== 0) {
    throw new CacheDamageError(path)
  }
  return bytes
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
