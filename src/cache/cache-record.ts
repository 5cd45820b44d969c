// A record of a cache: its parts are read on demand.
import type { PackReader } from './pack-reader.ts'
import type { PackWriter } from './pack-writer.ts'
import type { PartPlace } from './part-place.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** Named runs of bytes, read when they are asked for. */
export interface CacheRecord {
  has(part: string): boolean
  /** Length in bytes; 0 for a part that is not there. */
  size(part: string): number
  /** The first 16 bytes of the SHA-256 of its bytes; empty for a part that is not there. */
  digest(part: string): Uint8Array
  /**
   * A part's bytes; none for a part that is not there.
   *
   * @throws CacheDamageError when they are not those that were written
   */
  read(part: string): Uint8Array
  /** The same as text, which was UTF-8. */
  text(part: string): string
  /** The same bytes as any thread can have them: `readStored`. */
  stored(part: string): StoredBytes
}

/** A pack, finished or not. */
type PackFile = Pick<PackReader | PackWriter, 'partOf' | 'read' | 'text' | 'stored'>

/** A row of a file; taken apart when it is asked for something, so that it is small. */
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
