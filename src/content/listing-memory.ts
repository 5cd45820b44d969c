// What a content folder held when it was last listed, for as long as the system says that nobody has touched any
// folder in it since. Knows nothing of what the names mean.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Cache } from '../cache/cache.ts'
import type { Entry, Listing } from './entries.ts'
import type { Mount } from './mounts.ts'
import { areTelling, type PathStats, statsOf } from './path-stats.ts'
import { nameWithin } from './relative-path.ts'

/**
 * The latest listing of one folder.
 *
 * A name that comes, goes or becomes another kind of thing changes the times of the folder that it stands in, as the
 * untracked cache of git relies on too. All folders of a listing are known, or none: by their times, their number and
 * their disk. Two changes may share one time, so a listing is remembered only where all of them are clearly older.
 */
export class ListingMemory {
  readonly #root: string
  readonly #mounts: readonly Mount[]
  readonly #key: string
  #known: KnownListing | undefined
  #hasLearned = false

  /**
   * @param root absolute, free of links: numbers and times are those of its folders alone
   * @param version changes with what is listed of a folder
   * @param mounts what is listed beside it
   */
  constructor(root: string, version: string, mounts: readonly Mount[] = []) {
    this.#root = root
    this.#mounts = mounts
    this.#key = hash('sha256', `listing ${schema} ${version} ${JSON.stringify(mounts)} ${root}`)
  }

  /**
   * Reads what an earlier build kept. A record that no build makes counts as none: its paths say what is read.
   *
   * @throws CacheDamageError when what was kept was changed
   */
  recall(cache: Cache): void {
    const record = cache.find(this.#key)
    if (record === undefined) return
    const { folders, paths, kinds }: KeptListing = JSON.parse(record.text('json'))
    const entries = paths.map((path, at): Entry => ({ path, kind: kindOf(kinds[at]) }))
    if (isListing(entries, folders, this.#mounts)) this.#known = { entries, folders }
  }

  /**
   * The listing, where no folder in it was touched.
   *
   * Cost: an `lstat` a folder.
   */
  find(): Listing | undefined {
    const { entries, folders } = this.#known ?? {}
    if (entries === undefined || folders === undefined) return undefined
    for (const { path, mark } of folders) if (markOf(this.#lookAt(path)) !== mark) return undefined
    return { entries, diagnostics: [] }
  }

  /**
   * Remembers a listing in which every folder could be listed.
   *
   * @param listedAt when that began, in milliseconds since 1970
   */
  learn({ entries, diagnostics }: Listing, listedAt: number): void {
    this.#known = undefined
    if (diagnostics.length > 0) return
    const folders: KnownFolder[] = []
    const inside = entries.filter(({ kind }) => kind === 'folder')
    for (const path of ['', ...inside.map(({ path }) => path)]) {
      const stats = this.#lookAt(path)
      const mark = markOf(stats)
      if (stats === undefined || mark === undefined || !areTelling(stats, listedAt)) return
      folders.push({ path, mark })
    }
    this.#known = { entries, folders }
    this.#hasLearned = true
  }

  /** Adds what is known to a cache, where that is new. @returns false when nothing was added */
  keep(cache: Cache): boolean {
    if (!this.#hasLearned || this.#known === undefined) return false
    const { entries, folders } = this.#known
    const kept: KeptListing = {
      folders,
      paths: entries.map(({ path }) => path),
      kinds: entries.map(({ kind }) => kinds.indexOf(kind)).join(''),
    }
    cache.add(this.#key, { json: Buffer.from(JSON.stringify(kept)) })
    this.#hasLearned = false
    return true
  }

  #lookAt(path: string): PathStats | undefined {
    return statsOf(join(this.#root, path))
  }
}

/** @returns undefined for what is no folder, or not there */
function markOf(stats: PathStats | undefined): string | undefined {
  if (!stats?.isDirectory()) return undefined
  const { dev, ino, mtimeMs, ctimeMs } = stats
  return `${dev} ${ino} ${mtimeMs} ${ctimeMs}`
}

/**
 * Whether entries can be a listing whose folders are all marked.
 *
 * Cost: O(paths); 10 ms for 100,000.
 */
function isListing(
  entries: readonly Entry[],
  folders: readonly KnownFolder[],
  mounts: readonly Mount[],
): boolean {
  const marked = new Set(folders.map(({ path }) => path))
  const isWhole = mounts.every(({ path, isFolder }) => !isFolder || marked.has(path))
  if (!isWhole || !marked.has('')) return false
  let previous = ''
  for (const { path, kind } of entries) {
    const name = nameWithin(path, mounts)
    const isNamed = path > previous && name !== undefined && !unlisted.test(name)
    const isInside = name === '' || marked.has(dirname(path))
    const isMarked = isInside && (kind !== 'folder' || marked.has(path))
    if (!isNamed || !isMarked) return false
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

interface KnownListing {
  readonly entries: readonly Entry[]
  readonly folders: readonly KnownFolder[]
}

/** A folder, and what the system says of it. */
interface KnownFolder {
  /** Below the root, which itself has none. */
  readonly path: string
  readonly mark: string
}

interface KeptListing {
  readonly folders: readonly KnownFolder[]
  readonly paths: readonly string[]
  /** A digit a path: its place in `kinds`. */
  readonly kinds: string
}

const kinds: readonly Entry['kind'][] = ['file', 'folder', 'link', 'other']

function kindOf(digit: string | undefined): Entry['kind'] {
  return kinds[Number(digit)] ?? 'other'
}

/** Layout of what is kept. */
const schema = 1
