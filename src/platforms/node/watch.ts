// Tells when something below a folder may have changed, soon after it did and now and then besides.
import { FolderWatchers } from './folder-watchers.ts'

/** How long it must be quiet before a burst is over, in milliseconds: editors write in several steps. */
const quietMilliseconds = 10

/** A burst is reported after this time even if it goes on, in milliseconds. */
const burstMilliseconds = 100

/** Between two looks without an event, in milliseconds; more where a look takes long. */
const heartbeatMilliseconds = 1000

/** A look costs at most this part of the time. */
const heartbeatShare = 1 / 30

/**
 * Watches a folder.
 *
 * The callback gets no list of changes: events have gaps, and some file systems send none. The caller looks at
 * everything. Folders may disappear and come back, the watched one too.
 *
 * @param look is not called again before it has ended
 * @param heartbeat milliseconds between two looks without an event @default 1000
 * @returns ends the watching
 */
export function watchFolder(
  folder: string,
  look: () => Promise<void>,
  heartbeat: number = heartbeatMilliseconds,
): () => void {
  const watched = new WatchedFolder(folder, look, heartbeat)
  return () => watched.close()
}

/** Watches several folders; looks follow one another. @returns ends the watching */
export function watchFolders(folders: readonly string[], look: () => Promise<void>): () => void {
  let looking = Promise.resolve()
  const lookInTurn = () => {
    looking = looking.then(look)
    return looking
  }
  const ends = folders.map((folder) => watchFolder(folder, lookInTurn))
  return () => {
    for (const end of ends) end()
  }
}

class WatchedFolder {
  readonly #look: () => Promise<void>
  readonly #heartbeat: number
  readonly #folders: FolderWatchers
  #timer: NodeJS.Timeout | undefined
  #burstStartedAt: number | undefined
  #isLooking = false
  #isWanted = false
  #isClosed = false

  constructor(folder: string, look: () => Promise<void>, heartbeat: number) {
    this.#look = look
    this.#heartbeat = heartbeat
    this.#folders = new FolderWatchers(folder, () => this.#changed())
    this.#folders.follow(true)
    this.#wait(heartbeat, true)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#folders.close()
  }

  #changed(): void {
    if (this.#isLooking) this.#isWanted = true
    else {
      this.#burstStartedAt ??= performance.now()
      const burst = performance.now() - this.#burstStartedAt
      this.#wait(burst > burstMilliseconds ? 0 : quietMilliseconds, false)
    }
  }

  #wait(milliseconds: number, isHeartbeat: boolean): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#lookNow(isHeartbeat), milliseconds)
    this.#timer.unref()
  }

  async #lookNow(isHeartbeat: boolean): Promise<void> {
    const started = performance.now()
    this.#isLooking = true
    this.#burstStartedAt = undefined
    // Before the look: it sees files that were there before the watcher, and the watcher reports later ones.
    this.#folders.follow(isHeartbeat)
    await this.#look()
    this.#isLooking = false
    if (this.#isWanted) this.#wait(0, false)
    else this.#wait(Math.max(this.#heartbeat, (performance.now() - started) / heartbeatShare), true)
    this.#isWanted = false
  }
}
