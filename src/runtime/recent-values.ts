// A bounded cache of recently used values.

/**
 * A cache with approximate LRU eviction in two generations. The older generation is evicted as a whole; used values
 * move to the younger one. Unlike in an exact LRU cache, a hit costs one look-up and no write.
 */
export class RecentValues<V> {
  readonly #generationMax: number
  #younger = new Map<string, Weighed<V>>()
  #older = new Map<string, Weighed<V>>()
  #weight = 0

  /** @param weightMax total weight of all values, in the unit of `set`; 0 disables the cache */
  constructor(weightMax: number) {
    this.#generationMax = weightMax / 2
  }

  /** Undefined when the value is absent or evicted. */
  get(key: string): V | undefined {
    const young = this.#younger.get(key)
    if (young !== undefined) return young.value
    const old = this.#older.get(key)
    if (old === undefined) return undefined
    this.#older.delete(key)
    this.#add(key, old)
    return old.value
  }

  /** Stores or replaces a value, unless it weighs more than half of the bound. */
  set(key: string, value: V, weight: number): void {
    if (weight > this.#generationMax) return
    this.#weight -= this.#younger.get(key)?.weight ?? 0
    this.#younger.delete(key)
    this.#older.delete(key)
    this.#add(key, { value, weight })
  }

  /** Removes all values. */
  clear(): void {
    this.#younger.clear()
    this.#older.clear()
    this.#weight = 0
  }

  #add(key: string, weighed: Weighed<V>): void {
    if (this.#weight + weighed.weight > this.#generationMax) {
      this.#older = this.#younger
      this.#younger = new Map()
      this.#weight = 0
    }
    this.#younger.set(key, weighed)
    this.#weight += weighed.weight
  }
}

interface Weighed<V> {
  readonly value: V
  readonly weight: number
}
