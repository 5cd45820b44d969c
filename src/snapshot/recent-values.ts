// A bounded cache of recently used values.

/** A cache with LRU eviction: a Map keeps its keys in the order of their last use. */
export class RecentValues<V> {
  readonly #weightMax: number
  readonly #values = new Map<string, { readonly value: V; readonly weight: number }>()
  #weight = 0

  /** @param weightMax total weight of all values, in the unit of `set`; 0 disables the cache */
  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  /** Undefined when the value is absent or evicted. */
  get(key: string): V | undefined {
    const found = this.#values.get(key)
    if (found === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, found)
    return found.value
  }

  /** Stores or replaces a value, unless it weighs more than the bound. */
  set(key: string, value: V, weight: number): void {
    this.#remove(key)
    if (weight > this.#weightMax) return
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight > this.#weightMax) this.#remove(oldest)
      else break
    }
  }

  /** Removes all values. */
  clear(): void {
    this.#values.clear()
    this.#weight = 0
  }

  #remove(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0
    this.#values.delete(key)
  }
}
