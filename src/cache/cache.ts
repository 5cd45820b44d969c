// What earlier builds worked out, found again by the hash of all that it was made from. A folder of a few packs
// that never change once they are there, so that builds may come, go and die side by side.
// Knows nothing of what is kept.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markAsCache, openPacks, packName, temporaryPath } from './cache-folder.ts'
import { PackReader } from './pack-reader.ts'
import { PackWriter } from './pack-writer.ts'
import type { PackedPart, PartPlace } from './part-place.ts'
import type { CacheDamageError, StoredBytes } from './stored-bytes.ts'

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

/**
 * Records by key. All that is found or added can be read until `close`.
 *
 * Files: `{number}-{random}.pack`, of which the highest number wins, and `{pid}-{random}.tmp`, one for each
 * build under way.
 */
export class Cache {
  readonly #folder: string
  readonly #isKept: boolean
  /** Packs that are there. */
  #latestFirst: readonly PackReader[]
  /** What is in no list any more, but may still be read. */
  readonly #retired: (PackReader | PackWriter)[] = []
  #writer: PackWriter
  #alsoWanted: (() => Iterable<string>) | undefined

  private constructor(folder: string, isKept: boolean) {
    this.#folder = folder
    this.#isKept = isKept
    this.#latestFirst = isKept ? openPacks(folder) : []
    this.#writer = new PackWriter(temporaryPath(folder))
  }

  /**
   * Opens a cache. Never fails: a folder that cannot be read is an empty one.
   *
   * @param folder made when there is something to keep; null for a cache that ends with the process
   */
  static open(folder: string | null): Cache {
    if (folder !== null) return new Cache(folder, true)
    return new Cache(mkdtempSync(join(tmpdir(), 'quarry-')), false)
  }

  /**
   * Removes a damaged file.
   *
   * @returns the folder of a cache without it: null where it cannot be removed
   */
  static withoutDamage(folder: string | null, { path }: CacheDamageError): string | null {
    try {
      rmSync(path, { force: true })
      return folder
    } catch {
      return null
    }
  }

  /** The record of a key; it counts as used. */
  find(key: string): CacheRecord | undefined {
    const row = this.#writer.find(key)
    if (row !== undefined) return new StoredRecord(this.#writer, row)
    for (const pack of this.#latestFirst) {
      const found = pack.find(key)
      if (found === undefined) continue
      pack.use(found)
      return new StoredRecord(pack, found)
    }
    return undefined
  }

  /** Keys that need not be found by a complete build to be wanted by the next; asked for when one is saved. */
  alsoWants(keys: () => Iterable<string>): void {
    this.#alsoWanted = keys
  }

  /** Keeps a record. @param key SHA-256, hexadecimal */
  add(key: string, parts: Readonly<Record<string, PackedPart>>): CacheRecord {
    return new StoredRecord(this.#writer, this.#writer.add(key, parts))
  }

  /**
   * Writes down what was added. Small packs are put together with it, so that there are never many.
   *
   * @param isComplete all that is still wanted was found or added, or told to `alsoWants`: packs that are mostly
   * something else go
   * @returns false when it could not be written: the next build starts from less
   */
  save({ isComplete }: { readonly isComplete: boolean }): boolean {
    const writer = this.#writer
    if (!this.#isKept || writer.isEmpty) return true
    const absorbed = this.#absorb(writer, isComplete)
    const path = join(this.#folder, packName(this.#latestFirst))
    if (!writer.finish(path)) return false
    for (const pack of absorbed) rmSync(pack.path, { force: true })
    const pack = PackReader.open(path)
    pack?.useAll()
    const kept = this.#latestFirst.filter((old) => !absorbed.includes(old))
    this.#latestFirst = pack === undefined ? kept : [pack, ...kept]
    this.#retired.push(writer, ...absorbed)
    this.#writer = new PackWriter(temporaryPath(this.#folder))
    return pack !== undefined && markAsCache(this.#folder)
  }

  /** Closes all files; what was added and not saved is gone. */
  close(): void {
    for (const file of [...this.#latestFirst, ...this.#retired, this.#writer]) file.close()
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true })
  }

  /**
   * Copies what is wanted of packs that are not much larger than the new one, or mostly unused. So each pack
   * that stays is at least four times as large as the next: a handful, and a record is seldom copied.
   */
  #absorb(writer: PackWriter, isComplete: boolean): readonly PackReader[] {
    const absorbed: PackReader[] = []
    if (isComplete) this.#useAlsoWanted()
    for (const pack of this.#latestFirst) {
      const isWasteful = isComplete && pack.usedBytes < pack.bytes / 2
      if (pack.bytes > 4 * writer.bytes && !isWasteful) continue
      for (const key of pack.keys()) {
        const isWanted = !isComplete || pack.isUsed(pack.find(key) ?? 0)
        const latest = this.#latestFirst.find((one) => one.find(key) !== undefined)
        const isKnown = writer.find(key) !== undefined || latest !== pack
        if (isWanted && !isKnown) copyRecord(key, pack, writer)
      }
      absorbed.push(pack)
    }
    return absorbed
  }

  /** What is found counts as used. */
  #useAlsoWanted(): void {
    for (const key of this.#alsoWanted?.() ?? []) this.find(key)
  }
}

/** A pack, finished or not. */
type PackFile = Pick<PackReader | PackWriter, 'partOf' | 'read' | 'text' | 'stored'>

/** A row of a file; taken apart when it is asked for something, so that it is small. */
class StoredRecord implements CacheRecord {
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

/** A damaged record is left behind. */
function copyRecord(key: string, pack: PackReader, writer: PackWriter): void {
  const places = pack.partsOf(pack.find(key) ?? 0)
  try {
    const parts = [...places].map(([name, place]) => [name, pack.read(place)])
    writer.add(key, Object.fromEntries(parts))
  } catch {}
}
