// The hashes of files that were read before, for as long as the system says that nobody has touched them since.
// Knows nothing of what is in the files.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import { areTelling, type PathStats } from './path-stats.ts'

/** What a file is known by. */
export type FileMark = Pick<PathStats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>

/**
 * Files below one folder by path.
 *
 * A file is known by its times, its size and its number together, as in the index of git: whoever writes other bytes
 * of the same length and puts the time of the last change back changes `ctimeMs`. Two changes may share one time, so
 * a file is remembered only when its times were clearly older than its hash.
 */
export class FileMemory {
  readonly #key: string
  readonly #files = new Map<string, KnownFile>()
  #learned = 0
  #newFiles = 0

  /**
   * @param root absolute, free of links: numbers and times are those of its files alone
   * @param version what another version kept counts as unknown. @default none: nothing is kept
   */
  constructor(root: string, version = '') {
    this.#key = hash('sha256', `files ${schema} ${version} ${root}`)
  }

  /** @throws CacheDamageError when what was kept was changed */
  recall(cache: Cache): void {
    const record = cache.find(this.#key)
    if (record === undefined) return
    const rows: readonly Row[] = JSON.parse(record.text('json'))
    for (const [path, mtimeMs, ctimeMs, size, ino, content] of rows) {
      this.#files.set(path, { mtimeMs, ctimeMs, size, ino, content })
    }
  }

  /** How many files were learned that are new, or have other bytes: in a fresh clone few of all that were touched. */
  get newFiles(): number {
    return this.#newFiles
  }

  /** The SHA-256 of a file that was not touched, hexadecimal. */
  find(path: string, mark: FileMark): string | undefined {
    const known = this.#files.get(path)
    const isSame =
      known?.ctimeMs === mark.ctimeMs &&
      known.mtimeMs === mark.mtimeMs &&
      known.size === mark.size &&
      known.ino === mark.ino
    return isSame ? known.content : undefined
  }

  /**
   * @param mark what was said of the file before it was read: what is changed in between looks changed the next time
   * @param hashedAt when that was, in milliseconds since 1970
   */
  learn(path: string, mark: FileMark, content: string, hashedAt: number): void {
    const { mtimeMs, ctimeMs, size, ino } = mark
    if (this.#files.get(path)?.content !== content) this.#newFiles += 1
    if (!areTelling(mark, hashedAt)) return
    this.#files.set(path, { mtimeMs, ctimeMs, size, ino, content })
    this.#learned += 1
  }

  /**
   * Adds what is known to a cache, once there is much that it did not know.
   *
   * @param paths those that are still there @returns false when nothing was added
   */
  keep(cache: Cache, paths: Iterable<string>): boolean {
    if (this.#learned <= Math.min(this.#files.size / keptShare, keptMax)) return false
    const rows: Row[] = []
    for (const path of paths) {
      const known = this.#files.get(path)
      if (known === undefined) continue
      const { mtimeMs, ctimeMs, size, ino, content } = known
      rows.push([path, mtimeMs, ctimeMs, size, ino, content])
    }
    cache.add(this.#key, { json: Buffer.from(JSON.stringify(rows)) })
    this.#learned = 0
    return true
  }
}

interface KnownFile extends FileMark {
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
const keptShare = 64

/** Files that are read again at most: they count as new for as long as their rows are not written. */
const keptMax = 4
