// When one bucket's requests came, for as long as they count.
// Knows neither limits nor other buckets, and reads no clock.

/**
 * Instants of requests, in the order they came.
 *
 * Memory follows the requests that still count: 8 bytes for each, and up to twice as much for room to grow
 * and for those that just ceased to count.
 */
export class RequestLog {
  readonly #windowMs: number
  /** Those before `#start` no longer count. */
  #instants: number[] = []
  #start = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Requests that still counted when `forget` was last called, and those since. */
  get count(): number {
    return this.#instants.length - this.#start
  }

  /** @param now milliseconds */
  add(now: number, count = 1): void {
    for (let request = 0; request < count; request++) this.#instants.push(now)
  }

  /**
   * Drops what has left the window `(now - windowMs, now]`.
   *
   * An instant ahead of the clock, which was set back, counts until it is a window ahead.
   *
   * Cost: O(1) for each instant ever added, however often it is called.
   */
  forget(now: number): void {
    while (this.#start < this.#instants.length && this.roomInMs(now) === 0) this.#start++
    if (this.#start * 2 < this.#instants.length) return
    this.#instants = this.#instants.slice(this.#start)
    this.#start = 0
  }

  /** Milliseconds until so many of the oldest instants have left the window; 0 when they have, or there are fewer. */
  roomInMs(now: number, count = 1): number {
    const last = this.#instants[this.#start + count - 1]
    if (last === undefined || Math.abs(now - last) >= this.#windowMs) return 0
    return last + this.#windowMs - now
  }
}
