// The build cache: results of earlier builds by a hash of their input. A folder of a few immutable packs, so that
// concurrent builds, even killed ones, do not disturb each other.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CacheAccess } from './cache-access.ts'
import {
  markAsCache,
  openPacks,
  packName,
  packPaths,
  removeDeadFiles,
  removeFile,
  temporaryPath,
} from './cache-folder.ts'
import { type CacheRecord, StoredRecord } from './cache-record.ts'
import { compressRecord } from './compression.ts'
import { PackReader } from './pack-reader.ts'
import { PackWriter } from './pack-writer.ts'
import type { PackedPart } from './part-place.ts'
import { CacheDamageError } from './stored-bytes.ts'

/** Options of a cache. */
export interface CacheOptions extends CacheAccess {
  /** Reads nothing; the packs of a complete build replace the existing ones. @default false */
  readonly isUnread?: boolean | undefined
}

/**
 * Records by key. Records that were found or added can be read until `close`.
 *
 * Files: `{number}-{random}.pack`, where the highest number takes precedence, and `{pid}-{random}.tmp`, one per running
 * build.
 */
export class Cache {
  readonly #folder: string
  readonly #isKept: boolean
  readonly #options: CacheOptions
  /** Packs in use. */
  #latestFirst: readonly PackReader[] = []
  /** Paths of packs that are not read, latest first. */
  #unread: readonly string[] = []
  /** Packs that are no longer searched but may still be read. */
  readonly #retired: (PackReader | PackWriter)[] = []
  #writer: PackWriter
  #hasFound = false

  private constructor(folder: string, isKept: boolean, options: CacheOptions) {
    this.#folder = folder
    this.#isKept = isKept
    this.#options = options
    this.#writer = this.#newWriter()
    if (!isKept) return
    removeDeadFiles(folder)
    if (options.isUnread === true) this.#unread = packPaths(folder)
    else this.#latestFirst = this.#openPacks()
  }

  /**
   * Opens a cache. Never fails: an unreadable folder is an empty cache.
   *
   * @param folder created by the first save; null for a cache that ends with the process
   */
  static open(folder: string | null, options: CacheOptions = {}): Cache {
    if (folder !== null) return new Cache(folder, true, options)
    return new Cache(mkdtempSync(join(tmpdir(), 'quarry-')), false, options)
  }

  /**
   * Removes a damaged file.
   *
   * @returns the folder, or null for a temporary cache if the file cannot be removed
   */
  static withoutDamage(
    folder: string | null,
    { path }: CacheDamageError,
    { onWarning }: CacheOptions = {},
  ): string | null {
    onWarning?.(damagedFiles(1))
    return removeFile(path) ? folder : null
  }

  /** Reports whether a record of an earlier build was found. */
  get hasFound(): boolean {
    return this.#hasFound
  }

  /**
   * Returns the record of a key, and marks it as used.
   *
   * @throws CacheDamageError if the index of a pack is damaged
   */
  find(key: string): CacheRecord | undefined {
    const row = this.#writer.find(key)
    if (row !== undefined) return new StoredRecord(this.#writer, row)
    for (const pack of this.#latestFirst) {
      const found = pack.find(key)
      if (found === undefined) continue
      pack.use(found)
      this.#hasFound = true
      return new StoredRecord(pack, found)
    }
    return undefined
  }

  /** Adds a record. @param key SHA-256, hexadecimal */
  add(key: string, parts: Readonly<Record<string, PackedPart>>): CacheRecord {
    return new StoredRecord(this.#writer, this.#writer.add(key, parts))
  }

  /**
   * Writes the added records. Merges small packs into the new one, which bounds their number.
   *
   * @param isComplete all wanted records were found or added, so packs of mostly other records are removed
   * @returns false if it could not be written: the next build has fewer records
   */
  save({ isComplete }: { readonly isComplete: boolean }): boolean {
    if (!this.#isKept || this.#writer.isEmpty) return true
    const writer = this.#newWriter()
    try {
      return this.#savePack(writer, isComplete)
    } finally {
      writer.close()
    }
  }

  #savePack(pack: PackWriter, isComplete: boolean): boolean {
    const added = this.#writer
    if (!added.flush()) return false
    for (const key of added.keys()) copyRecord(key, added, pack)
    const absorbed = this.#absorb(pack, isComplete)
    const path = join(this.#folder, packName(this.#latestFirst[0]?.path ?? this.#unread[0]))
    if (!pack.finish(path)) return false
    const replaced = absorbed.map((old) => old.path)
    if (isComplete) replaced.push(...this.#unread)
    for (const file of replaced) removeFile(file)
    const opened = PackReader.open(path)
    const saved = opened.kind === 'pack' ? opened.pack : undefined
    saved?.useAll()
    const remaining = this.#latestFirst.filter((old) => !absorbed.includes(old))
    this.#latestFirst = saved === undefined ? remaining : [saved, ...remaining]
    this.#retired.push(added, ...absorbed)
    this.#writer = this.#newWriter()
    return saved !== undefined && markAsCache(this.#folder)
  }

  /** Closes all files. Unsaved records are lost. */
  close(): void {
    for (const file of [...this.#latestFirst, ...this.#retired, this.#writer]) file.close()
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true })
  }

  /**
   * Copies the used records of packs that are not much larger than the new one, or mostly unused. Each remaining pack
   * is thus at least four times as large as the next: there are few packs, and a record is rarely copied.
   *
   * @returns packs that are no longer needed
   */
  #absorb(writer: PackWriter, isComplete: boolean): readonly PackReader[] {
    const absorbed: PackReader[] = []
    for (;;) {
      try {
        for (const pack of this.#latestFirst) {
          if (absorbed.includes(pack)) continue
          const isWasteful = isComplete && pack.usedBytes < usedShareMin * pack.recordBytes
          if (pack.bytes > 4 * writer.bytes && !isWasteful) continue
          this.#copyWanted(pack, writer, isComplete)
          absorbed.push(pack)
        }
        return absorbed
      } catch (error) {
        this.#discard(error)
      }
    }
  }

  #copyWanted(pack: PackReader, writer: PackWriter, isComplete: boolean): void {
    for (const key of pack.keys()) {
      const isWanted = !isComplete || pack.isUsed(pack.find(key) ?? 0)
      const latest = this.#latestFirst.find((one) => one.find(key) !== undefined)
      const isKnown = writer.find(key) !== undefined || latest !== pack
      if (isWanted && !isKnown) copyRecord(key, pack, writer)
    }
  }

  /** Stops using a damaged pack. @throws the error if it has another cause */
  #discard(error: unknown): void {
    const path = error instanceof CacheDamageError ? error.path : undefined
    const damaged = this.#latestFirst.find((pack) => pack.path === path)
    if (damaged === undefined) throw error
    this.#latestFirst = this.#latestFirst.filter((pack) => pack !== damaged)
    this.#retired.push(damaged)
    removeFile(damaged.path)
    this.#options.onWarning?.(damagedFiles(1))
  }

  #openPacks(): readonly PackReader[] {
    const { onWarning } = this.#options
    const { packs, damaged } = openPacks(this.#folder)
    if (damaged > 0) onWarning?.(damagedFiles(damaged))
    return packs
  }

  #newWriter(): PackWriter {
    return new PackWriter(temporaryPath(this.#folder))
  }
}

/** A pack with a smaller share of used records is rewritten, so that at most a fifth more than is used remains. */
const usedShareMin = 0.85

function damagedFiles(count: number): string {
  return count === 1
    ? 'A file of the cache is damaged and discarded. The build makes again what it held.'
    : `${count} files of the cache are damaged and discarded. The build makes again what they held.`
}

/**
 * Copies a record without decompression. Its bytes are verified when they are read.
 *
 * @throws CacheDamageError if it cannot be read
 */
function copyRecord(key: string, from: PackReader | PackWriter, to: PackWriter): void {
  const parts = from.partsOf(from.find(key) ?? 0)
  const [place] = parts.values()
  const stored = place === undefined ? new Uint8Array(0) : from.storedRecord(place)
  const isCompressed = place !== undefined && place.storedBytes < place.recordBytes
  to.addStored(key, parts, isCompressed ? stored : compressRecord(stored))
}
