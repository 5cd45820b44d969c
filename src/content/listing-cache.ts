// The latest listing of a content folder, valid for as long as the system says that no folder in it was changed.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Cache } from '../cache/cache.ts'
import type { Entry, Listing } from './entries.ts'
import type { Mount } from './mounts.ts'
import { areReliable, type PathStats, statsOf } from './path-stats.ts'
import { nameWithin } from './relative-path.ts'

/**
 * The latest listing of one folder.
 *
 * A name that is added or removed, or becomes another kind of entry, changes the times of its folder, as the untracked
 * cache of git relies on too. A listing is valid where the times, the number and the disk of all its folders are the
 * same. Two changes may have one time, so a listing is recorded only where all folders are clearly older.
 */
export class ListingCache {
  readonly #root: string
  readonly #mounts: readonly Mount[]
  readonly #key: string
  #latest: RecordedListing | undefined
  #isNew = false

  /**
   * @param root absolute, free of links: numbers and times are those of its folders alone
   * @param version changes with what is listed of a folder
   * @param mounts what is listed next to it
   */
  constructor(root: string, version: string, mounts: readonly Mount[] = []) {
    this.#root = root
    this.#mounts = mounts
    this.#key = hash('sha256', `listing ${schema} ${version} ${JSON.stringify(mounts)} ${root}`)
  }

  /**
   * Loads the listing of an earlier build. A record that no build makes is ignored: its paths say what is read.
   *
   * @throws CacheDamageError when the cache is damaged
   */
  load(cache: Cache): void {
    const record = cache.find(this.#key)
    if (record === undefined) return
    const { folders, paths, kinds }: StoredListing = JSON.parse(record.text('json'))
    const entries = paths.map((path, at): Entry => ({ path, kind: kindOf(kinds[at]) }))
    if (isListing(entries, folders, this.#mounts)) this.#latest = { entries, folders }
  }

  /**
   * The listing, where no folder in it was changed.
   *
   * Cost: an `lstat` a folder.
   */
  find(): Listing | undefined {
    const { entries, folders } = this.#latest ?? {}
    if (entries === undefined || folders === undefined) return undefined
    const isSame = folders.every(
      ({ path, fingerprint }) => fingerprintOf(this.#lookAt(path)) === fingerprint,
    )
    if (!isSame) return undefined
    return { entries, diagnostics: [] }
  }

  /**
   * Records a listing in which every folder could be listed.
   *
   * @param listedAt when that began, in milliseconds since 1970
   */
  record({ entries, diagnostics }: Listing, listedAt: number): void {
    this.#latest = undefined
    if (diagnostics.length > 0) return
    const folders: RecordedFolder[] = []
    const inside = entries.filter(({ kind }) => kind === 'folder')
    for (const path of ['', ...inside.map(({ path }) => path)]) {
      const stats = this.#lookAt(path)
      const fingerprint = fingerprintOf(stats)
      if (stats === undefined || fingerprint === undefined || !areReliable(stats, listedAt)) return
      folders.push({ path, fingerprint })
    }
    this.#latest = { entries, folders }
    this.#isNew = true
  }

  /** Stores the listing, where it is new. @returns false when nothing was stored */
  store(cache: Cache): boolean {
    if (!this.#isNew || this.#latest === undefined) return false
    const { entries, folders } = this.#latest
    const stored: StoredListing = {
      folders,
      paths: entries.map(({ path }) => path),
      kinds: entries.map(({ kind }) => kinds.indexOf(kind)).join(''),
    }
    cache.add(this.#key, { json: Buffer.from(JSON.stringify(stored)) })
    this.#isNew = false
    return true
  }

  #lookAt(path: string): PathStats | undefined {
    return statsOf(join(this.#root, path))
  }
}

/** @returns undefined for what is no folder, or not there */
function fingerprintOf(stats: PathStats | undefined): string | undefined {
  if (!stats?.isDirectory()) return undefined
  const { dev, ino, mtimeMs, ctimeMs } = stats
  return `${dev} ${ino} ${mtimeMs} ${ctimeMs}`
}

/**
 * Whether entries can be a listing whose folders are all recorded.
 *
 * Cost: O(paths); 10 ms for 100,000.
 */
function isListing(
  entries: readonly Entry[],
  folders: readonly RecordedFolder[],
  mounts: readonly Mount[],
): boolean {
  const recorded = new Set(folders.map(({ path }) => path))
  const isWhole = mounts.every(({ path, isFolder }) => !isFolder || recorded.has(path))
  if (!isWhole || !recorded.has('')) return false
  let previous = ''
  for (const { path, kind } of entries) {
    const name = nameWithin(path, mounts)
    const isNamed = path > previous && name !== undefined && !unlisted.test(name)
    const isInside = name === '' || recorded.has(dirname(path))
    const isRecorded = isInside && (kind !== 'folder' || recorded.has(path))
    if (!isNamed || !isRecorded) return false
    previous = path
  }
  return true
}

/** The folder that a path is in; empty for the root. */
function dirname(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Names that `listEntries` leaves out. */
const unlisted = /(?:^|\/)(?:\.|node_modules(?:\/|$))/

interface RecordedListing {
  readonly entries: readonly Entry[]
  readonly folders: readonly RecordedFolder[]
}

/** A folder, and what the system said of it. */
interface RecordedFolder {
  /** Below the root, which itself has none. */
  readonly path: string
  readonly fingerprint: string
}

interface StoredListing {
  readonly folders: readonly RecordedFolder[]
  readonly paths: readonly string[]
  /** A digit a path: its place in `kinds`. */
  readonly kinds: string
}

const kinds: readonly Entry['kind'][] = ['file', 'folder', 'link', 'other']

function kindOf(digit: string | undefined): Entry['kind'] {
  return kinds[Number(digit)] ?? 'other'
}

/** Layout of a record. */
const schema = 1
