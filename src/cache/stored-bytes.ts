// Cached bytes, readable by every thread of this process.
import { readSync } from 'node:fs'
import { decompressRecord } from './compression.ts'
import { digestOf } from './digested.ts'
import type { PartPlace } from './part-place.ts'

/** Cached bytes are damaged. */
export class CacheDamageError extends Error {
  override readonly name = 'CacheDamageError'
  /** The damaged file. */
  readonly path: string

  constructor(path: string) {
    super(`The cache file ${path} is damaged.`)
    this.path = path
  }
}

/** A file that stays open as long as its cache. */
export interface OpenFile {
  /** Its descriptor, which threads share. */
  readonly file: number
  /** For messages. One object shared by all locations in the file, so that posting them to a thread copies it once. */
  readonly named: { readonly path: string }
}

/** Location of bytes in an open file. Kept small, as a search posts a hundred thousand of them. */
export interface FilePlace extends OpenFile, Omit<PartPlace, 'digest'> {
  /** As in `PartPlace`, one character per byte: separate views take twenty times their bytes. */
  readonly digest: string
}

/** Returns a location without views: posting a view would copy its whole buffer. */
export function filePlace({ file, named }: OpenFile, place: PartPlace): FilePlace {
  const { buffer, byteOffset, byteLength } = place.digest
  const digest = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  return { ...place, file, named, digest }
}

/** Bytes, or their location: can be posted to another thread. */
export type StoredBytes = Uint8Array | FilePlace

/**
 * Returns the bytes of a part.
 *
 * @param record output of `readRecord` for its location
 * @throws CacheDamageError if the bytes are damaged
 */
export function readPlace(
  source: OpenFile,
  place: PartPlace,
  record: Uint8Array | undefined = readRecord(source, place),
): Uint8Array {
  const { offset, start, length, digest } = place
  const bytes = isCompressed(place)
    ? record?.subarray(start, start + length)
    : readBytes(source, offset + start, length)
  if (bytes !== undefined && Buffer.compare(digestOf(bytes), digest) === 0) return bytes
  throw new CacheDamageError(source.named.path)
}

/** Memoizes the latest decompressed records of a file, as lists often contain the same posts. */
export class RecordMemo {
  readonly #records = new Map<number, Uint8Array>()
  #bytes = 0

  /** Like `readRecord`. */
  read(source: OpenFile, place: PartPlace): Uint8Array | undefined {
    const { offset } = place
    const memoized = this.#records.get(offset)
    const record = memoized ?? readRecord(source, place)
    if (record === undefined) return undefined
    if (memoized === undefined) this.#bytes += record.length
    this.#records.delete(offset)
    this.#records.set(offset, record)
    this.#forget()
    return record
  }

  #forget(): void {
    for (const [offset, { length }] of this.#records) {
      if (this.#bytes <= memoBytesMax) return
      this.#bytes -= length
      this.#records.delete(offset)
    }
  }
}

/** Several thousand posts. With 32 MiB, a new post among 5,000 took a sixth more processor time (2026-11). */
const memoBytesMax = 128 * 1024 * 1024

/** Returns a decompressed record; undefined if that fails, or if the record is not compressed. */
function readRecord(source: OpenFile, place: PartPlace): Uint8Array | undefined {
  if (!isCompressed(place)) return undefined
  const stored = readBytes(source, place.offset, place.storedBytes)
  return stored && decompressRecord(stored, place.recordBytes)
}

function isCompressed({ storedBytes, recordBytes }: PartPlace): boolean {
  return storedBytes < recordBytes
}

/** @returns undefined if they cannot be read, or the file ends early */
export function readBytes(
  { file }: OpenFile,
  offset: number,
  length: number,
): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(length)
  return readWhole(file, bytes, offset) ? bytes : undefined
}

/** Fills a buffer from an offset in a file. @returns false if it cannot be read, or the file ends early */
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
