// A pack that is being written: records are appended, and can be read back at once without staying in memory.
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { digested } from './digested.ts'
import { makeFolders } from './make-folders.ts'
import { encodeFooter, packHeader } from './pack-format.ts'
import { PackRows, type RecordPlace } from './pack-rows.ts'
import type { PackedPart, PartPlace } from './part-place.ts'
import { filePlace, type OpenFile, readWhole, type StoredBytes } from './stored-bytes.ts'

/**
 * Appends to a temporary file. If the file cannot be written (a full disk, a read-only folder), records stay in memory
 * and can still be read back, but the pack is never finished.
 */
export class PackWriter {
  readonly #named: OpenFile['named']
  readonly #rows = new PackRows()
  readonly #unwritten: { readonly start: number; readonly bytes: Buffer }[] = []
  #file: number | undefined
  #isBroken = false
  #pending: Uint8Array[] = [packHeader]
  #pendingBytes: number = packHeader.length
  #written = 0

  /** @param path of the file, created only when there is much to write */
  constructor(path: string) {
    this.#named = { path }
  }

  get bytes(): number {
    return this.#written + this.#pendingBytes
  }

  get isEmpty(): boolean {
    return this.#rows.count === 0
  }

  /** Returns the row of a record; undefined for an unknown key. */
  find(key: string): number | undefined {
    return this.#rows.find(key)
  }

  partsOf(row: number): RecordPlace {
    return this.#rows.partsOf(row)
  }

  partOf(row: number, name: string): PartPlace | undefined {
    return this.#rows.partOf(row, name)
  }

  /** Hexadecimal and unique, in the order of their records. */
  keys(): Iterable<string> {
    return this.#rows.keys()
  }

  /** Appends a record, copying its bytes. @returns its row */
  add(key: string, parts: Readonly<Record<string, PackedPart>>): number {
    const fragments = Object.entries(parts).map(([name, part]) => {
      return [name, part instanceof Uint8Array ? digested(part) : part] as const
    })
    const recordBytes = fragments.reduce((sum, [, { bytes }]) => sum + bytes.length, 0)
    const record = { offset: this.bytes, storedBytes: recordBytes, recordBytes }
    const places = new Map<string, PartPlace>()
    let start = 0
    for (const [name, { bytes, digest }] of fragments) {
      places.set(name, { ...record, start, length: bytes.length, digest })
      start += bytes.length
      this.#append(bytes)
    }
    return this.#addRow(key, places)
  }

  /** Appends a record of another pack. @param stored its parts, compressed or not */
  addStored(key: string, parts: RecordPlace, stored: Uint8Array): void {
    const record = { offset: this.bytes, storedBytes: stored.length }
    const places = Array.from(parts, ([name, place]) => [name, { ...place, ...record }] as const)
    this.#append(stored)
    this.#addRow(key, new Map(places))
  }

  /** Writes all added records to the file. @returns false if that is impossible */
  flush(): boolean {
    this.#flush()
    return !this.#isBroken
  }

  /** Returns a record as stored. @param place of one of its parts */
  storedRecord(place: PartPlace): Uint8Array {
    return this.read({ ...place, start: 0, length: place.storedBytes })
  }

  read(place: PartPlace): Uint8Array {
    const stored = this.stored(place)
    if (stored instanceof Uint8Array) return stored
    const bytes = Buffer.allocUnsafeSlow(place.length)
    readWhole(stored.file, bytes, place.offset + place.start)
    return bytes
  }

  /** Reads a part as text. */
  text(place: PartPlace): string {
    return Buffer.from(this.read(place)).toString()
  }

  /** Returns a reference to a part that threads can read. */
  stored(place: PartPlace): StoredBytes {
    const { length } = place
    const offset = place.offset + place.start
    if (offset >= this.#written) this.#flush()
    const chunk = this.#unwritten.findLast(({ start }) => start <= offset)
    if (chunk !== undefined) return chunk.bytes.subarray(offset - chunk.start).subarray(0, length)
    if (this.#file === undefined) return new Uint8Array(length)
    return filePlace({ file: this.#file, named: this.#named }, place)
  }

  /**
   * Finishes the pack and renames the file.
   *
   * @returns false if it could not be written
   */
  finish(path: string): boolean {
    const index = this.#rows.stored
    const footer = encodeFooter(this.bytes, index)
    this.#pending.push(index, footer)
    this.#pendingBytes += index.length + footer.length
    if (!this.flush()) return false
    try {
      renameSync(this.#named.path, path)
      return true
    } catch {
      // Another process removed the file as that of a killed build.
      return false
    }
  }

  /** Closes the file, after which nothing can be read. An unfinished pack is lost. */
  close(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    this.#file = undefined
    rmSync(this.#named.path, { force: true })
  }

  #addRow(key: string, places: RecordPlace): number {
    if (this.#pendingBytes > pendingBytesMax) this.#flush()
    return this.#rows.add(key, places)
  }

  /** Writes a large part directly, to avoid two copies. */
  #append(bytes: Uint8Array): void {
    if (bytes.length > pendingBytesMax) {
      this.#flush()
      this.#store(bytes)
      return
    }
    // Copied, as most parts are views of much larger buffers.
    this.#pending.push(Buffer.from(bytes))
    this.#pendingBytes += bytes.length
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    this.#store(bytes)
  }

  #store(bytes: Uint8Array): void {
    if (!this.#isBroken) this.#isBroken = !this.#write(bytes)
    // Copied, as the caller may reuse its buffer.
    if (this.#isBroken) this.#unwritten.push({ start: this.#written, bytes: Buffer.from(bytes) })
    this.#written += bytes.length
  }

  #write(bytes: Uint8Array): boolean {
    try {
      this.#file ??= openNew(this.#named.path)
      let written = 0
      while (written < bytes.length) {
        // A full disk may silently write less than requested.
        const at = this.#written + written
        written += writeSync(this.#file, bytes, written, bytes.length - written, at)
      }
      return true
    } catch {
      return false
    }
  }
}

const pendingBytesMax = 1024 * 1024

function openNew(path: string): number {
  makeFolders(dirname(path))
  return openSync(path, 'wx+', 0o600)
}
