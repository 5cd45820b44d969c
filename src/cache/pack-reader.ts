// A pack that is there: its index is in memory, its parts are read when they are asked for.
// Knows nothing of what the parts mean, nor of other packs.
import { closeSync, fstatSync, openSync } from 'node:fs'
import { digestOf } from './digested.ts'
import { decodeFooter, footerBytes, packHeader } from './pack-format.ts'
import { PackRows, type RecordPlace } from './pack-rows.ts'
import type { PartPlace } from './part-place.ts'
import { type FilePlace, filePlace, type OpenFile, readPlace, readWhole } from './stored-bytes.ts'

/** An open pack. */
export class PackReader {
  readonly bytes: number
  readonly #file: OpenFile
  readonly #rows: PackRows
  readonly #used = new Set<number>()
  #isAllUsed = false

  private constructor(file: OpenFile, bytes: number, index: Buffer) {
    this.bytes = bytes
    this.#file = file
    this.#rows = new PackRows(index)
  }

  get path(): string {
    return this.#file.named.path
  }

  /** Bytes of the records that are used. */
  get usedBytes(): number {
    if (this.#isAllUsed) return this.bytes
    let bytes = 0
    for (const row of this.#used) bytes += this.#rows.bytesOf(row)
    return bytes
  }

  /** Opens a pack; undefined when it is not there, is not ours, was cut, or its index was changed. */
  static open(path: string): PackReader | undefined {
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { size } = fstatSync(file)
      const index = readIndex(file, size)
      if (index !== undefined) return new PackReader({ file, named: { path } }, size, index)
    } catch {
      // Whatever is wrong with it, there is nothing to be had from it.
    }
    if (file !== undefined) closeSync(file)
    return undefined
  }

  keys(): Iterable<string> {
    return this.#rows.keys()
  }

  /** The number of a record's row; undefined when there is none of that key. */
  find(key: string): number | undefined {
    return this.#rows.find(key)
  }

  /** Notes that a record is wanted. */
  use(row: number): void {
    this.#used.add(row)
  }

  /** Notes that all of them are. */
  useAll(): void {
    this.#isAllUsed = true
  }

  isUsed(row: number): boolean {
    return this.#isAllUsed || this.#used.has(row)
  }

  partsOf(row: number): RecordPlace {
    return this.#rows.partsOf(row)
  }

  partOf(row: number, name: string): PartPlace | undefined {
    return this.#rows.partOf(row, name)
  }

  /** @throws CacheDamageError when the bytes are not those that were written */
  read(place: PartPlace): Uint8Array {
    return readPlace(this.#file, place, Buffer.allocUnsafeSlow(place.length))
  }

  /** The same as text. */
  text(place: PartPlace): string {
    return readPlace(this.#file, place, Buffer.allocUnsafe(place.length)).toString()
  }

  /** The same bytes, for any thread to read. */
  stored(place: PartPlace): FilePlace {
    return filePlace(this.#file, place)
  }

  close(): void {
    closeSync(this.#file.file)
  }
}

function readIndex(file: number, size: number): Buffer | undefined {
  if (size < packHeader.length + footerBytes) return undefined
  const footer = Buffer.alloc(footerBytes)
  if (!readWhole(file, footer, size - footerBytes)) return undefined
  const place = decodeFooter(footer, size)
  if (place === undefined) return undefined
  const index = Buffer.allocUnsafeSlow(place.length)
  const isRead = readWhole(file, index, place.offset)
  return isRead && Buffer.compare(digestOf(index), place.digest) === 0 ? index : undefined
}
