// Watches each folder of a tree: a folder reports changes of its files, and there are few folders.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/**
 * Watches a folder and all folders below it, except dot folders and `node_modules`. Does not follow links.
 *
 * On Linux, Node's recursive watching adds a watcher per file. A library that finds changes by comparing whole
 * folders costs 25 ms per edit in a folder of a thousand files.
 */
export class FolderWatchers {
  readonly #root: string
  readonly #onEvent: () => void
  readonly #watched = new Map<string, Watched>()
  /** A name appeared or disappeared, so the set of folders may have changed. */
  #isStale = true

  /** @param onEvent called for every event of any folder */
  constructor(root: string, onEvent: () => void) {
    this.#root = root
    this.#onEvent = onEvent
  }

  /** The number of watched folders. */
  get size(): number {
    return this.#watched.size
  }

  /**
   * Adds watchers for new folders and removes those of deleted folders.
   *
   * @param isCertain also without a pending event: not every file system sends events
   *
   * Cost: one system call per folder; none when no event is pending and `isCertain` is false.
   */
  follow(isCertain: boolean): void {
    if (!isCertain && !this.#isStale) return
    this.#isStale = false
    const gone = new Set(this.#watched.keys())
    for (const folder of foldersBelow(this.#root)) {
      gone.delete(folder)
      this.#watch(folder)
    }
    for (const folder of gone) this.#unwatch(folder)
  }

  close(): void {
    for (const folder of [...this.#watched.keys()]) this.#unwatch(folder)
  }

  #watch(folder: string): void {
    const inode = inodeOf(folder)
    // A folder that was deleted and recreated has another inode; its old watcher reports nothing.
    if (this.#watched.get(folder)?.inode === inode) return
    this.#unwatch(folder)
    if (inode === null) return
    try {
      const watcher = watch(folder, (event) => {
        if (event === 'rename') this.#isStale = true
        this.#onEvent()
      })
      watcher.on('error', () => this.#unwatch(folder))
      this.#watched.set(folder, { watcher, inode })
    } catch {
      // No watches left, or an unreadable or deleted folder: the periodic check still covers it.
    }
  }

  #unwatch(folder: string): void {
    this.#watched.get(folder)?.watcher.close()
    this.#watched.delete(folder)
  }
}

interface Watched {
  readonly watcher: FSWatcher
  readonly inode: number
}

function* foldersBelow(folder: string): Generator<string> {
  yield folder
  for (const entry of entriesOf(folder)) {
    const isPassedOver = entry.name.startsWith('.') || entry.name === 'node_modules'
    if (entry.isDirectory() && !isPassedOver) yield* foldersBelow(join(folder, entry.name))
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** @returns null for a folder that is missing or unreadable */
function inodeOf(folder: string): number | null {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.ino ?? null
  } catch {
    return null
  }
}
