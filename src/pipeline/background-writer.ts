// Writing that nobody waits for: of the latest site alone, once it has been calm for a while.
import { setTimeout as pause } from 'node:timers/promises'
import { LockError } from '../emit/file-lock.ts'

/** How something is written down. */
export interface WritingSteps<T> {
  /** Ends with the signal's reason when it is aborted. */
  readonly write: (site: T, signal: AbortSignal) => Promise<void>
  /** Called with every further error. */
  readonly onError: (error: unknown) => void
}

/** Between two attempts to write where somebody else writes. */
const lockPauseMilliseconds = 250

/** Who saves a file often saves the next one soon: until then the processor is free for its response. */
const calmMilliseconds = 400

/** Writes one site after the other; those that are out of date before they are written are not. */
export class BackgroundWriter<T> {
  readonly #steps: WritingSteps<T>
  readonly #closing = new AbortController()
  #unwritten: T | undefined
  #work: { readonly ended: Promise<void>; readonly stop: AbortController } | undefined

  constructor(steps: WritingSteps<T>) {
    this.#steps = steps
  }

  /** Writes a site down, instead of any before it. */
  write(site: T): void {
    this.stop()
    this.#unwritten = site
    this.resume()
  }

  /** Ends what is being written; it is begun again with `resume`. */
  stop(): void {
    this.#work?.stop.abort()
  }

  /** Goes on with what was not written to its end. */
  resume(): void {
    const site = this.#unwritten
    if (site === undefined) return
    const before = this.#work?.ended
    const stop = new AbortController()
    this.#work = { ended: this.#run(site, stop.signal, before), stop }
  }

  /** Finishes what is to be written, now. */
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

  /** While another command is at work in the output folder its end is waited for, until this one is closed. */
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
