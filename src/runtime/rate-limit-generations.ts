// A bounded map that forgets what was not added for long, without ever looking for it.

/**
 * Two generations: values are added to the young one. In its turn the old one is dropped as a whole and
 * the young one becomes old; so everything is O(1), and nothing needs a timer.
 *
 * ```
 * add ──► young ──(full, or older than ageMs)──► old ──(the next turn)──► dropped
 * ```
 */
export class Generations<Value> {
  readonly #sizeMax: number
  readonly #ageMs: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #now = Number.NEGATIVE_INFINITY
  #turnedAt = Number.NEGATIVE_INFINITY

  /**
   * @param sizeMax values held at most, at least 2; one goes for room only when half as many came after it
   * @param ageMs a value is held for so long after it was added, unless there is no room
   */
  constructor({ sizeMax, ageMs }: { readonly sizeMax: number; readonly ageMs: number }) {
    this.#sizeMax = sizeMax
    this.#ageMs = ageMs
  }

  /** Values that are held. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** Takes a value out; undefined when it is not held. */
  remove(key: string): Value | undefined {
    const value = this.#young.get(key) ?? this.#old.get(key)
    if (value !== undefined && !this.#young.delete(key)) this.#old.delete(key)
    return value
  }

  /** Holds a value whose key is not held. */
  add(key: string, value: Value): void {
    if (this.#young.size >= Math.max(1, Math.floor(this.#sizeMax / 2))) this.#turn()
    this.#young.set(key, value)
  }

  /** Lets time pass, in milliseconds: what was not added again for `ageMs`, or for twice that, is dropped. */
  age(now: number): void {
    this.#now = now
    // The distance, so that a clock that was set back does not keep everything.
    if (Math.abs(now - this.#turnedAt) >= this.#ageMs) this.#turn()
  }

  #turn(): void {
    this.#turnedAt = this.#now
    this.#old = this.#young
    this.#young = new Map()
  }
}
