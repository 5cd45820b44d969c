// Hashes of files that were read before, valid for as long as the system says that nothing changed them.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import { areReliable, type PathStats } from './path-stats.ts'

/** The metadata that shows whether a file was changed. */
export type StatFingerprint = Pick<PathStats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>

/**
 * Hashes of the files below one folder, by path.
 *
 * A file is the same where its times, its size and its number are, as in the index of git: a program that writes other
 * bytes of the same length and sets the time of the last change back changes `ctimeMs`. Two changes may have one time,
 * so a file is recorded only when its times were clearly older than its hash.
 */
export class HashCache {
  readonly #key: string
  readonly #files = new Map<string, HashedFile>()
  #recorded = 0
  #newFiles = 0

  /**
   * @param root absolute, free of links: numbers and times are those of its files alone
   * @param version what another version stored is not loaded. @default none
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

  /** How many recorded files are new, or have other bytes: few in a fresh clone, although all were touched. */
  get newFiles(): number {
    return this.#newFiles
  }

  /** The SHA-256 of a file that was not changed, hexadecimal. */
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
   * @param stats of the file before it was read: a change in between is then found the next time
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
   * Stores all hashes, once many of them were recorded.
   *
   * @param paths of the files that are still there @returns false when nothing was stored
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

/** Layout of a row. */
const schema = 1

/** Reading one file in so many again costs less than writing all rows. */
const storedShare = 64

/** The most files that are read again: they count as new until their rows are written. */
const unstoredMax = 4
