// A watcher for each folder below one: a folder reports changes of its files, and there are few folders.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/**
 * Follows the folders below one, itself too, but for dot folders and `node_modules`, never through a link.
 *
 * Node's own recursive watching gives every file a watcher on Linux; a library that compares whole folders to say
 * what changed costs 25 ms for each edit in a folder of a thousand files.
 */
export class FolderWatchers {
  readonly #root: string
  readonly #onEvent: () => void
  readonly #watched = new Map<string, Watched>()
  /** Some name came or went: there may be other folders. */
  #isStale = true

  /** @param onEvent called for everything that any of the folders tells */
  constructor(root: string, onEvent: () => void) {
    this.#root = root
    this.#onEvent = onEvent
  }

  /** How many folders are watched. */
  get size(): number {
    return this.#watched.size
  }

  /**
   * Gives those that are new a watcher, and takes it from those that are gone.
   *
   * @param isCertain also where no event said that one came or went: not every file system tells
   *
   * Cost: one call of the system a folder; none when it is not certain and nothing came or went.
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
    // One that came back is another one: its watcher looks at what is no more.
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
      // No watches left, or a folder that is closed or gone: looking now and then goes on.
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

/** @returns null for one that is not there, or may not be looked at */
function inodeOf(folder: string): number | null {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.ino ?? null
  } catch {
    return null
  }
}
