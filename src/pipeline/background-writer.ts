// Writes sites in the background: only the latest one, after a quiet period.
import { setTimeout as pause } from 'node:timers/promises'
import { LockError } from '../emit/file-lock.ts'

/** The steps of writing. */
export interface WritingSteps<T> {
  /** Rejects with the signal's reason when it is aborted. */
  readonly write: (site: T, signal: AbortSignal) => Promise<void>
  /** Called with every other error. */
  readonly onError: (error: unknown) => void
}

/** Pause between attempts while another process holds the lock. */
const lockPauseMilliseconds = 250

/**
 * Quiet period before writing. Authors often save several files in a row; until then the processor is free for
 * responses.
 */
const calmMilliseconds = 400

/** Writes one site at a time; skips sites that are outdated before their turn. */
export class BackgroundWriter<T> {
  readonly #steps: WritingSteps<T>
  readonly #closing = new AbortController()
  #unwritten: T | undefined
  #work: { readonly ended: Promise<void>; readonly stop: AbortController } | undefined

  constructor(steps: WritingSteps<T>) {
    this.#steps = steps
  }

  /** Schedules a site, in place of any earlier one. */
  write(site: T): void {
    this.stop()
    this.#unwritten = site
    this.resume()
  }

  /** Stops the current write; `resume` restarts it. */
  stop(): void {
    this.#work?.stop.abort()
  }

  /** Restarts an unfinished write. */
  resume(): void {
    const site = this.#unwritten
    if (site === undefined) return
    const before = this.#work?.ended
    const stop = new AbortController()
    this.#work = { ended: this.#run(site, stop.signal, before), stop }
  }

  /** Finishes pending writes at once. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#work?.ended
  }

  /** Never rejects. */
  async #run(site: T, signal: AbortSignal, before: Promise<void> | undefined): Promise<void> {
    try {
      await before
      await this.#calm(signal)
      await this.#writeWhenFree(site, signal)
      if (this.#unwritten === site) this.#unwritten = undefined
    } catch (error) {
      if (!signal.aborted) this.#steps.onError(error)
    }
  }

  async #calm(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#closing.signal])
    await pause(calmMilliseconds, undefined, { signal: either }).catch(() => {})
    signal.throwIfAborted()
  }

  /** Waits while another command works in the output folder, until this writer is closed. */
  async #writeWhenFree(site: T, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#steps.write(site, signal)
        return
      } catch (error) {
        if (!(error instanceof LockError) || this.#closing.signal.aborted) throw error
        await pause(lockPauseMilliseconds, undefined, { signal })
      }
    }
  }
}
