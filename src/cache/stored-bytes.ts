// Bytes that a cache holds, as every thread of this process can read them.
import { readSync } from 'node:fs'
import { decompressRecord } from './compression.ts'
import { digestOf } from './digested.ts'
import type { PartPlace } from './part-place.ts'

/** The bytes that were read are not those that were written. */
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
export interface FilePlace extends OpenFile, Omit<PartPlace, 'digest'> {
  /** As in `PartPlace`, a character a byte: views of their own take twenty times their bytes. */
  readonly digest: string
}

/** A place in an open file, free of views: those would take what they are views of along. */
export function filePlace({ file, named }: OpenFile, place: PartPlace): FilePlace {
  const { buffer, byteOffset, byteLength } = place.digest
  const digest = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  return { ...place, file, named, digest }
}

/** Bytes, or where they lie: what can be posted to another thread. */
export type StoredBytes = Uint8Array | FilePlace

/** @throws CacheDamageError when the bytes are not those that were written */
export function readStored(stored: StoredBytes): Uint8Array {
  if (stored instanceof Uint8Array) return stored
  return readPlace(stored, { ...stored, digest: Buffer.from(stored.digest, 'latin1') })
}

/**
 * The bytes of a part.
 *
 * @param record what `readRecord` returned for its place
 * @throws CacheDamageError when the bytes are not those that were written
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

/** The compressed records of a file that were read last: lists have the same posts again and again. */
export class RecordMemo {
  readonly #records = new Map<number, Uint8Array>()
  #bytes = 0

  /** The same as `readRecord`. */
  read(source: OpenFile, place: PartPlace): Uint8Array | undefined {
    const { offset } = place
    const known = this.#records.get(offset)
    const record = known ?? readRecord(source, place)
    if (record === undefined) return undefined
    if (known === undefined) this.#bytes += record.length
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

/** Those of some thousand posts. With 32 MiB a new post among 5,000 took a sixth more processor time (2026-11). */
const memoBytesMax = 128 * 1024 * 1024

/** A compressed record, decompressed; undefined where it cannot be, and for one that is not compressed. */
function readRecord(source: OpenFile, place: PartPlace): Uint8Array | undefined {
  if (!isCompressed(place)) return undefined
  const stored = readBytes(source, place.offset, place.storedBytes)
  return stored && decompressRecord(stored, place.recordBytes)
}

function isCompressed({ storedBytes, recordBytes }: PartPlace): boolean {
  return storedBytes < recordBytes
}

/** @returns undefined where they cannot be read, or the file ends before */
export function readBytes(
  { file }: OpenFile,
  offset: number,
  length: number,
): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(length)
  return readWhole(file, bytes, offset) ? bytes : undefined
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
