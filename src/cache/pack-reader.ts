// A finished pack: its index is in memory, its parts are read on demand. Its bytes are not trusted: damage of every
// kind is a CacheDamageError.
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { digestBytes } from '../api/fragment.ts'
import { decodeFooter, footerBytes, isGenuine, packHeader } from './pack-format.ts'
import { PackRows, type RecordPlace } from './pack-rows.ts'
import type { PartPlace } from './part-place.ts'
import {
  CacheDamageError,
  type FilePlace,
  filePlace,
  type OpenFile,
  RecordMemo,
  readBytes,
  readPlace,
  readWhole,
} from './stored-bytes.ts'

/** A pack, or why it is not used: `other` is another layout. */
export type OpenedPack =
  | { readonly kind: 'pack'; readonly pack: PackReader }
  | { readonly kind: 'absent' | 'other' | 'damaged' }

/** An open pack. */
export class PackReader {
  readonly bytes: number
  readonly #file: OpenFile
  readonly #rows: PackRows
  /** End of its parts. */
  readonly #partsEnd: number
  readonly #used = new Set<number>()
  #isAllUsed = false
  readonly #memo = new RecordMemo()

  /** @throws RangeError if the index is invalid */
  private constructor(file: OpenFile, { bytes, partsEnd, index }: PackIndex) {
    this.bytes = bytes
    this.#file = file
    this.#rows = new PackRows(index)
    this.#partsEnd = partsEnd
  }

  /** Total size of all records. */
  get recordBytes(): number {
    return this.#partsEnd - packHeader.length
  }

  get path(): string {
    return this.#file.named.path
  }

  /**
   * Total size of the used records.
   *
   * @throws CacheDamageError if the index is damaged, like all methods that take a key or a row
   */
  get usedBytes(): number {
    if (this.#isAllUsed) return this.recordBytes
    return this.#checked(() => {
      let bytes = 0
      for (const row of this.#used) bytes += this.#rows.storedBytesOf(row)
      return bytes
    })
  }

  /** Opens a pack. */
  static open(path: string): OpenedPack {
    let file: number
    try {
      file = openSync(path, flags)
    } catch {
      return { kind: 'absent' }
    }
    const opened = PackReader.#opened({ file, named: { path } })
    if (opened.kind !== 'pack') closeSync(file)
    return opened
  }

  static #opened(file: OpenFile): OpenedPack {
    try {
      const index = readIndex(file.file)
      if (typeof index === 'string') return { kind: index }
      return { kind: 'pack', pack: new PackReader(file, index) }
    } catch {
      return { kind: 'damaged' }
    }
  }

  /** Hexadecimal and unique, in the order of their records. */
  *keys(): Generator<string, void, undefined> {
    try {
      yield* this.#rows.keys()
    } catch (error) {
      throw this.#damageOf(error)
    }
  }

  /** Returns the row of a record; undefined for an unknown key. */
  find(key: string): number | undefined {
    return this.#checked(() => this.#rows.find(key))
  }

  /** Marks a record as used. */
  use(row: number): void {
    this.#used.add(row)
  }

  /** Marks all records as used. */
  useAll(): void {
    this.#isAllUsed = true
  }

  isUsed(row: number): boolean {
    return this.#isAllUsed || this.#used.has(row)
  }

  /** Returns the stored size of a record. */
  storedBytesOf(row: number): number {
    return this.#checked(() => this.#rows.storedBytesOf(row))
  }

  partsOf(row: number): RecordPlace {
    return this.#checked(() => {
      const parts = this.#rows.partsOf(row)
      for (const place of parts.values()) this.#checkPlace(place)
      return parts
    })
  }

  partOf(row: number, name: string): PartPlace | undefined {
    return this.#checked(() => {
      const place = this.#rows.partOf(row, name)
      if (place !== undefined) this.#checkPlace(place)
      return place
    })
  }

  /** @throws CacheDamageError if the bytes are damaged */
  read(place: PartPlace): Uint8Array {
    return this.#read(place)
  }

  /** Reads a part as text. */
  text(place: PartPlace): string {
    return textOf(this.#read(place))
  }

  /** Returns a reference to a part that threads can read. */
  stored(place: PartPlace): FilePlace {
    return filePlace(this.#file, place)
  }

  /**
   * Returns a record as stored, unverified.
   *
   * @param place of one of its parts
   * @throws CacheDamageError if it cannot be read
   */
  storedRecord({ offset, storedBytes }: PartPlace): Uint8Array {
    const bytes = readBytes(this.#file, offset, storedBytes)
    if (bytes === undefined) throw new CacheDamageError(this.path)
    return bytes
  }

  close(): void {
    closeSync(this.#file.file)
  }

  #read(place: PartPlace): Uint8Array {
    return readPlace(this.#file, place, this.#memo.read(this.#file, place))
  }

  /** Validates a location before memory is allocated for it. */
  #checkPlace({ offset, storedBytes, recordBytes, start, length, digest }: PartPlace): void {
    const isWithin =
      Number.isSafeInteger(offset) &&
      offset >= packHeader.length &&
      offset + storedBytes <= this.#partsEnd &&
      storedBytes <= recordBytes &&
      start + length <= recordBytes &&
      digest.length === digestBytes
    if (!isWithin) throw new RangeError('a part beyond its pack')
  }

  #checked<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw this.#damageOf(error)
    }
  }

  /** Rows throw only RangeErrors. */
  #damageOf(error: unknown): unknown {
    return error instanceof RangeError ? new CacheDamageError(this.path) : error
  }
}

// Does not block on a FIFO, where the system supports that; Windows lacks the flag.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

interface PackIndex {
  /** Size of the pack. */
  readonly bytes: number
  readonly partsEnd: number
  readonly index: Buffer
}

function readIndex(file: number): PackIndex | 'other' | 'damaged' {
  const stats = fstatSync(file)
  const bytes = stats.size
  if (!stats.isFile() || bytes < packHeader.length + footerBytes) return 'damaged'
  const end = Buffer.alloc(footerBytes)
  if (!readWhole(file, end, bytes - footerBytes)) return 'damaged'
  const footer = decodeFooter(end, bytes)
  if (typeof footer === 'string') return footer
  const index = Buffer.allocUnsafeSlow(footer.length)
  if (!readWhole(file, index, footer.offset)) return 'damaged'
  return isGenuine(index, footer) ? { bytes, partsEnd: footer.offset, index } : 'damaged'
}

/** Decodes UTF-8 without copying the bytes. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString()
}
