// Cached file hashes, valid while the file's metadata is unchanged.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import { areReliable, type PathStats } from './path-stats.ts'

/** The metadata that reveals a change of a file. */
export type StatFingerprint = Pick<PathStats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>

/**
 * Hashes of the files below one folder, by path.
 *
 * A file is unchanged if its times, size and inode are, as in git's index. A program that writes other bytes of the
 * same length and resets `mtime` still changes `ctime`. Two changes may have the same time, so a file is recorded only
 * if its times were clearly older than its hash.
 */
export class HashCache {
  readonly #key: string
  readonly #files = new Map<string, HashedFile>()
  #recorded = 0
  #newFiles = 0

  /**
   * @param root absolute, with links resolved: inodes and times are valid only for its files
   * @param version entries of other versions are not loaded. @default none
   */
  constructor(root: string, version = '') {
    this.#key = hash('sha256', `files ${schema} ${version} ${root}`)
  }

  /** @throws CacheDamageError when the cache is damaged */
  load(cache: Cache): void {
    const record = cache.find(this.#key)
    if (record === undefined) return
    const rows: readonly Row[] = JSON.parse(record.text('json'))
    for (const [path, mtimeMs, ctimeMs, size, ino, content] of rows) {
      this.#files.set(path, { mtimeMs, ctimeMs, size, ino, content })
    }
  }

  /**
   * Number of recorded files that are new or have other bytes. It is low in a fresh clone, although all times changed.
   */
  get newFiles(): number {
    return this.#newFiles
  }

  /** Returns the SHA-256 of an unchanged file, hexadecimal. */
  find(path: string, stats: StatFingerprint): string | undefined {
    const file = this.#files.get(path)
    const isSame =
      file?.ctimeMs === stats.ctimeMs &&
      file.mtimeMs === stats.mtimeMs &&
      file.size === stats.size &&
      file.ino === stats.ino
    return isSame ? file.content : undefined
  }

  /**
   * @param stats of the file before it was read, so that a concurrent change is detected next time
   * @param hashedAt when it was read, in milliseconds since 1970
   */
  record(path: string, stats: StatFingerprint, content: string, hashedAt: number): void {
    const { mtimeMs, ctimeMs, size, ino } = stats
    if (this.#files.get(path)?.content !== content) this.#newFiles += 1
    if (!areReliable(stats, hashedAt)) return
    this.#files.set(path, { mtimeMs, ctimeMs, size, ino, content })
    this.#recorded += 1
  }

  /**
   * Stores all hashes, if enough of them are new.
   *
   * @param paths of the existing files @returns false if nothing was stored
   */
  store(cache: Cache, paths: Iterable<string>): boolean {
    if (this.#recorded <= Math.min(this.#files.size / storedShare, unstoredMax)) return false
    const rows: Row[] = []
    for (const path of paths) {
      const file = this.#files.get(path)
      if (file === undefined) continue
      const { mtimeMs, ctimeMs, size, ino, content } = file
      rows.push([path, mtimeMs, ctimeMs, size, ino, content])
    }
    cache.add(this.#key, { json: Buffer.from(JSON.stringify(rows)) })
    this.#recorded = 0
    return true
  }
}

interface HashedFile extends StatFingerprint {
  readonly content: string
}

type Row = readonly [
  path: string,
  mtimeMs: number,
  ctimeMs: number,
  size: number,
  ino: number,
  content: string,
]

/** Version of the row layout. */
const schema = 1

/** Reading one of this many files again costs less than writing all rows. */
const storedShare = 64

/** Maximum number of files that are read again: they count as new until their rows are written. */
const unstoredMax = 4
