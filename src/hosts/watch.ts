// Reports possible changes below a folder, soon after an event and at regular intervals.
import { FolderWatchers } from './folder-watchers.ts'

/** Quiet time that ends a burst of events, in milliseconds: editors write in several steps. */
const quietMilliseconds = 10

/** Longest burst before it is reported, in milliseconds. */
const burstMilliseconds = 100

/** Interval of checks without an event, in milliseconds; longer when a check is slow. */
const heartbeatMilliseconds = 1000

/** The largest share of time spent on checks. */
const heartbeatShare = 1 / 30

/**
 * Watches a folder.
 *
 * The callback gets no list of changes and has to check everything: events have gaps, and some file systems send
 * none. Folders may disappear and come back, including the watched one.
 *
 * @param look not called again before it settles
 * @param heartbeat interval of checks without an event, in milliseconds. @default 1000
 * @returns a function that stops watching
 */
export function watchFolder(
  folder: string,
  look: () => Promise<void>,
  heartbeat: number = heartbeatMilliseconds,
): () => void {
  const watched = new WatchedFolder(folder, look, heartbeat)
  return () => watched.close()
}

/** Watches several folders; calls of `look` never overlap. @returns a function that stops watching */
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
    // Must precede the check: the check sees earlier files, and the watchers report later ones.
    this.#folders.follow(isHeartbeat)
    await this.#look()
    this.#isLooking = false
    if (this.#isWanted) this.#wait(0, false)
    else this.#wait(Math.max(this.#heartbeat, (performance.now() - started) / heartbeatShare), true)
    this.#isWanted = false
  }
}
