// A bounded map that drops stale entries in constant time.

/**
 * A map of two generations. New values are added to the young one. Each turn drops the old generation as a whole, and
 * the young one becomes old. All operations are O(1), and no timer is needed.
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
   * @param sizeMax capacity, at least 2; for lack of room, a value is dropped only after half as many newer ones
   * @param ageMs minimum lifetime of a value, unless room is lacking
   */
  constructor({ sizeMax, ageMs }: { readonly sizeMax: number; readonly ageMs: number }) {
    this.#sizeMax = sizeMax
    this.#ageMs = ageMs
  }

  /** The number of values. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** Removes a value and returns it; undefined when absent. */
  remove(key: string): Value | undefined {
    const value = this.#young.get(key) ?? this.#old.get(key)
    if (value !== undefined && !this.#young.delete(key)) this.#old.delete(key)
    return value
  }

  /** Adds a value under an absent key. */
  add(key: string, value: Value): void {
    if (this.#young.size >= Math.max(1, Math.floor(this.#sizeMax / 2))) this.#turn()
    this.#young.set(key, value)
  }

  /** Advances the time, in milliseconds. Values not added again for `ageMs` to twice `ageMs` are dropped. */
  age(now: number): void {
    this.#now = now
    // The absolute distance: otherwise a clock that was set back would keep everything.
    if (Math.abs(now - this.#turnedAt) >= this.#ageMs) this.#turn()
  }

  #turn(): void {
    this.#turnedAt = this.#now
    this.#old = this.#young
    this.#young = new Map()
  }
}
