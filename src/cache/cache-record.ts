// A record of a cache: its parts are read on demand.
import type { PackReader } from './pack-reader.ts'
import type { PackWriter } from './pack-writer.ts'
import type { PartPlace } from './part-place.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** Named byte strings, read on demand. */
export interface CacheRecord {
  has(part: string): boolean
  /** Length in bytes; 0 for a missing part. */
  size(part: string): number
  /** First 16 bytes of the SHA-256 of its bytes; empty for a missing part. */
  digest(part: string): Uint8Array
  /**
   * Returns the bytes of a part; none for a missing part.
   *
   * @throws CacheDamageError if the bytes are damaged
   */
  read(part: string): Uint8Array
  /** Returns a part as text, decoded as UTF-8. */
  text(part: string): string
  /** Returns a reference to a part that threads can read. */
  stored(part: string): StoredBytes
}

/** A pack, finished or not. */
type PackFile = Pick<PackReader | PackWriter, 'partOf' | 'read' | 'text' | 'stored'>

/** A row of a file, parsed on demand to keep it small. */
export class StoredRecord implements CacheRecord {
  readonly #file: PackFile
  readonly #row: number

  constructor(file: PackFile, row: number) {
    this.#file = file
    this.#row = row
  }

  has(part: string): boolean {
    return this.#place(part) !== undefined
  }

  size(part: string): number {
    return this.#place(part)?.length ?? 0
  }

  digest(part: string): Uint8Array {
    return this.#place(part)?.digest ?? new Uint8Array(0)
  }

  read(part: string): Uint8Array {
    const place = this.#place(part)
    return place === undefined ? new Uint8Array(0) : this.#file.read(place)
  }

  text(part: string): string {
    const place = this.#place(part)
    return place === undefined ? '' : this.#file.text(place)
  }

  stored(part: string): StoredBytes {
    const place = this.#place(part)
    return place === undefined ? new Uint8Array(0) : this.#file.stored(place)
  }

  #place(part: string): PartPlace | undefined {
    return this.#file.partOf(this.#row, part)
  }
}
