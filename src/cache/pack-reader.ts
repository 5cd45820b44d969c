// A finished pack: its index is in memory, its parts are read on demand.
// Its bytes may come from anybody: damage of every kind is a CacheDamageError.
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { digestBytes } from '../api/fragment.ts'
import type { CacheSecret } from './cache-access.ts'
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

/** A pack, or why it is not read: `other` is a pack of another layout, `unsigned` one without the right signature. */
export type OpenedPack =
  | { readonly kind: 'pack'; readonly pack: PackReader }
  | { readonly kind: 'absent' | 'other' | 'damaged' | 'unsigned' }

/** An open pack. */
export class PackReader {
  readonly bytes: number
  readonly #file: OpenFile
  readonly #rows: PackRows
  /** Where its parts end. */
  readonly #partsEnd: number
  readonly #used = new Set<number>()
  #isAllUsed = false
  readonly #memo = new RecordMemo()

  /** @throws RangeError when the index is none */
  private constructor(file: OpenFile, { bytes, partsEnd, index }: PackIndex) {
    this.bytes = bytes
    this.#file = file
    this.#rows = new PackRows(index)
    this.#partsEnd = partsEnd
  }

  /** Bytes of all records. */
  get recordBytes(): number {
    return this.#partsEnd - packHeader.length
  }

  get path(): string {
    return this.#file.named.path
  }

  /**
   * Bytes of the records that are used.
   *
   * @throws CacheDamageError when the index was not made by a PackWriter; so do all methods that take a key or a row
   */
  get usedBytes(): number {
    if (this.#isAllUsed) return this.recordBytes
    return this.#checked(() => {
      let bytes = 0
      for (const row of this.#used) bytes += this.#rows.storedBytesOf(row)
      return bytes
    })
  }

  /**
   * Opens a pack.
   *
   * @param secret the one that must have signed it. @default none: signatures are not looked at
   */
  static open(path: string, secret?: CacheSecret): OpenedPack {
    let file: number
    try {
      file = openSync(path, flags)
    } catch {
      return { kind: 'absent' }
    }
    const opened = PackReader.#opened({ file, named: { path } }, secret)
    if (opened.kind !== 'pack') closeSync(file)
    return opened
  }

  static #opened(file: OpenFile, secret: CacheSecret | undefined): OpenedPack {
    try {
      const index = readIndex(file.file, secret)
      if (typeof index === 'string') return { kind: index }
      return { kind: 'pack', pack: new PackReader(file, index) }
    } catch {
      return { kind: 'damaged' }
    }
  }

  /** Hexadecimal, each once, in the order in which their records lie. */
  *keys(): Generator<string, void, undefined> {
    try {
      yield* this.#rows.keys()
    } catch (error) {
      throw this.#damageOf(error)
    }
  }

  /** The number of a record's row; undefined when there is none of that key. */
  find(key: string): number | undefined {
    return this.#checked(() => this.#rows.find(key))
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

  /** Bytes of a record in the pack. */
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

  /** @throws CacheDamageError when the bytes are not those that were written */
  read(place: PartPlace): Uint8Array {
    return this.#read(place)
  }

  /** The same as text. */
  text(place: PartPlace): string {
    return textOf(this.#read(place))
  }

  /** The same bytes, for any thread to read. */
  stored(place: PartPlace): FilePlace {
    return filePlace(this.#file, place)
  }

  /**
   * A record as it is in the pack, which is not checked.
   *
   * @param place of one of its parts
   * @throws CacheDamageError when it cannot be read
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

  /** Before anything is allocated for it. */
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

  /** Rows throw RangeErrors alone. */
  #damageOf(error: unknown): unknown {
    return error instanceof RangeError ? new CacheDamageError(this.path) : error
  }
}

// A FIFO does not block where the system can do that; on Windows the flag does not exist.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

interface PackIndex {
  /** Size of the pack. */
  readonly bytes: number
  readonly partsEnd: number
  readonly index: Buffer
}

function readIndex(
  file: number,
  secret?: CacheSecret,
): PackIndex | 'other' | 'damaged' | 'unsigned' {
  const stats = fstatSync(file)
  const bytes = stats.size
  if (!stats.isFile() || bytes < packHeader.length + footerBytes) return 'damaged'
  const end = Buffer.alloc(footerBytes)
  if (!readWhole(file, end, bytes - footerBytes)) return 'damaged'
  const footer = decodeFooter(end, bytes)
  if (typeof footer === 'string') return footer
  const index = Buffer.allocUnsafeSlow(footer.length)
  if (!readWhole(file, index, footer.offset)) return 'damaged'
  if (isGenuine(index, footer, secret)) return { bytes, partsEnd: footer.offset, index }
  return secret === undefined ? 'damaged' : 'unsigned'
}

/** The UTF-8 text of bytes, without a copy of them. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString()
}
