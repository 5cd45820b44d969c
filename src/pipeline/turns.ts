// Long work in turns: requests that wait are answered in between.
import { setImmediate as turn } from 'node:timers/promises'

/** How long nothing else gets a turn. */
const turnMilliseconds = 10

/** Gives others a turn when one has lasted long enough. */
export class Turns {
  readonly #signal: AbortSignal | undefined
  #startedAt: number = performance.now()

  /** @param signal ends the work at the end of a turn */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** @throws the signal's reason */
  async next(): Promise<void> {
    if (performance.now() - this.#startedAt < turnMilliseconds) return
    await turn()
    this.#signal?.throwIfAborted()
    this.#startedAt = performance.now()
  }
}
