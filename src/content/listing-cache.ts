// The cached listing of a content folder, valid while the metadata of its folders is unchanged.
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
 * A name that is added or removed, or changes its kind, changes the times of its folder; git's untracked cache relies
 * on this too. A listing is valid while the times, inodes and devices of all its folders are unchanged. Two changes may
 * have the same time, so a listing is recorded only if all folders are clearly older.
 */
export class ListingCache {
  readonly #root: string
  readonly #mounts: readonly Mount[]
  readonly #key: string
  #latest: RecordedListing | undefined
  #isNew = false

  /**
   * @param root absolute, with links resolved: inodes and times are valid only for its folders
   * @param version changes with the rules of listing
   * @param mounts listed in addition to the folder
   */
  constructor(root: string, version: string, mounts: readonly Mount[] = []) {
    this.#root = root
    this.#mounts = mounts
    this.#key = hash('sha256', `listing ${schema} ${version} ${JSON.stringify(mounts)} ${root}`)
  }

  /**
   * Loads the listing of an earlier build. Ignores a record that no build writes, as its paths decide what is read.
   *
   * @throws CacheDamageError if the cache is damaged
   */
  load(cache: Cache): void {
    const record = cache.find(this.#key)
    if (record === undefined) return
    const { folders, paths, kinds }: StoredListing = JSON.parse(record.text('json'))
    const entries = paths.map((path, at): Entry => ({ path, kind: kindOf(kinds[at]) }))
    if (isListing(entries, folders, this.#mounts)) this.#latest = { entries, folders }
  }

  /**
   * Returns the listing if no folder in it changed.
   *
   * Cost: one `lstat` per folder.
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
   * Records a listing, unless a folder could not be listed.
   *
   * @param listedAt start of the listing, in milliseconds since 1970
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

  /** Stores the listing if it is new. @returns false if nothing was stored */
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

/** @returns undefined if the path is not a folder or does not exist */
function fingerprintOf(stats: PathStats | undefined): string | undefined {
  if (!stats?.isDirectory()) return undefined
  const { dev, ino, mtimeMs, ctimeMs } = stats
  return `${dev} ${ino} ${mtimeMs} ${ctimeMs}`
}

/**
 * Reports whether entries can be a listing whose folders are all recorded.
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

/** Returns the folder of a path; empty for the root. */
function dirname(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Names that `listEntries` leaves out. */
const unlisted = /(?:^|\/)(?:\.|node_modules(?:\/|$))/

interface RecordedListing {
  readonly entries: readonly Entry[]
  readonly folders: readonly RecordedFolder[]
}

/** A folder and its fingerprint. */
interface RecordedFolder {
  /** Below the root; empty for the root itself. */
  readonly path: string
  readonly fingerprint: string
}

interface StoredListing {
  readonly folders: readonly RecordedFolder[]
  readonly paths: readonly string[]
  /** One digit per path: an index into `kinds`. */
  readonly kinds: string
}

const kinds: readonly Entry['kind'][] = ['file', 'folder', 'link', 'other']

function kindOf(digit: string | undefined): Entry['kind'] {
  return kinds[Number(digit)] ?? 'other'
}

/** Version of the record layout. */
const schema = 1
