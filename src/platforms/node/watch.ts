// Tells when something below a folder may have changed, soon after it did and now and then besides.
// Knows nothing of what the files are.
import { statSync } from 'node:fs'
import { type FSWatcher, watch } from 'chokidar'

/** How long it must be quiet before a burst is over, in milliseconds: editors write in several steps. */
const quietMilliseconds = 10

/** After so long a burst is told of while it goes on, in milliseconds. */
const burstMilliseconds = 100

/** Between two looks without an event, in milliseconds; more where a look takes long. */
const heartbeatMilliseconds = 1000

/** A look costs at most this part of the time. */
const heartbeatShare = 1 / 30

/**
 * Watches a folder.
 *
 * What changed is not told: lists of events have gaps, and some file systems give none at all, so that whoever is
 * told looks at everything. Folders may go away and come back, the watched one too.
 *
 * @param look waits for nobody: it is not called again before it has ended
 * @returns ends the watching
 */
export function watchFolder(folder: string, look: () => Promise<void>): () => Promise<void> {
  const watched = new WatchedFolder(folder, look)
  return () => watched.close()
}

class WatchedFolder {
  readonly #folder: string
  readonly #look: () => Promise<void>
  #watcher: FSWatcher
  #inode: number | null
  #timer: NodeJS.Timeout | undefined
  #burstStartedAt: number | undefined
  #isLooking = false
  #isWanted = false
  #isClosed = false

  constructor(folder: string, look: () => Promise<void>) {
    this.#folder = folder
    this.#look = look
    this.#inode = inodeOf(folder)
    this.#watcher = this.#watch()
    this.#wait(heartbeatMilliseconds)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#watcher.close()
  }

  /** Folders alone are watched: they tell of what happens to their files too, and there are few of them. */
  #watch(): FSWatcher {
    const watcher = watch(this.#folder, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (_, stats) => stats?.isFile() === true,
    })
    watcher.on('raw', () => this.#changed())
    watcher.on('all', () => this.#changed())
    // No watches left, or a folder that is closed: looking now and then goes on.
    watcher.on('error', () => {})
    return watcher
  }

  #changed(): void {
    if (this.#isLooking) this.#isWanted = true
    else {
      this.#burstStartedAt ??= performance.now()
      const burst = performance.now() - this.#burstStartedAt
      this.#wait(burst > burstMilliseconds ? 0 : quietMilliseconds)
    }
  }

  #wait(milliseconds: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#lookNow(), milliseconds)
    this.#timer.unref()
  }

  async #lookNow(): Promise<void> {
    const started = performance.now()
    this.#isLooking = true
    this.#burstStartedAt = undefined
    await this.#followFolder()
    await this.#look()
    this.#isLooking = false
    const took = performance.now() - started
    this.#wait(this.#isWanted ? 0 : Math.max(heartbeatMilliseconds, took / heartbeatShare))
    this.#isWanted = false
  }

  /** A folder that came back is another one. */
  async #followFolder(): Promise<void> {
    const inode = inodeOf(this.#folder)
    if (inode === this.#inode || inode === null || this.#isClosed) return
    await this.#watcher.close()
    this.#inode = inode
    this.#watcher = this.#watch()
  }
}

function inodeOf(folder: string): number | null {
  return statSync(folder, { throwIfNoEntry: false })?.ino ?? null
}
