// Yields to the event loop during long work, so that waiting requests are handled in between.
import { setImmediate as turn } from 'node:timers/promises'

/** The longest time between two yields. */
const turnMilliseconds = 10

/** Yields when the last yield was long enough ago. */
export class Yielder {
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
