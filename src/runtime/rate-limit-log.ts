// The times of the requests of one bucket, as long as they count. Reads no clock.

/**
 * Times of requests, in order of arrival.
 *
 * Memory: 8 bytes per counted request, and up to twice as much for growth and for requests that have just expired.
 */
export class RequestLog {
  readonly #windowMs: number
  /** Entries before `#start` have expired. */
  #instants: number[] = []
  #start = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Requests that counted at the last call of `forget`, plus those added since. */
  get count(): number {
    return this.#instants.length - this.#start
  }

  /** @param now milliseconds */
  add(now: number, count = 1): void {
    for (let request = 0; request < count; request++) this.#instants.push(now)
  }

  /**
   * Drops entries outside of the window `(now - windowMs, now]`.
   *
   * After the clock was set back, a future entry counts until it is one window ahead.
   *
   * Cost: amortized O(1) per entry.
   */
  forget(now: number): void {
    while (this.#start < this.#instants.length && this.roomInMs(now) === 0) this.#start++
    if (this.#start * 2 < this.#instants.length) return
    this.#instants = this.#instants.slice(this.#start)
    this.#start = 0
  }

  /** Milliseconds until the `count` oldest entries have expired; 0 when they have, or there are fewer. */
  roomInMs(now: number, count = 1): number {
    const last = this.#instants[this.#start + count - 1]
    if (last === undefined || Math.abs(now - last) >= this.#windowMs) return 0
    return last + this.#windowMs - now
  }
}
