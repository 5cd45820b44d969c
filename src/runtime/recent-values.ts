// Values that were used lately, kept within a bound.

/**
 * A cache that forgets what was not used for longest, roughly: of two generations the older one leaves as a
 * whole, and what is used again moves to the younger one. A hit costs one look-up and, unlike in a cache that
 * keeps the order of use, no write.
 */
export class RecentValues<V> {
  readonly #generationMax: number
  #younger = new Map<string, Weighed<V>>()
  #older = new Map<string, Weighed<V>>()
  #weight = 0

  /** @param weightMax of all values together, in the unit of `set`; 0 keeps nothing */
  constructor(weightMax: number) {
    this.#generationMax = weightMax / 2
  }

  /** Undefined when there is none, or no longer. */
  get(key: string): V | undefined {
    const young = this.#younger.get(key)
    if (young !== undefined) return young.value
    const old = this.#older.get(key)
    if (old === undefined) return undefined
    this.#older.delete(key)
    this.#add(key, old)
    return old.value
  }

  /** Keeps a value in the place of an earlier one, unless it weighs more than half of the bound. */
  set(key: string, value: V, weight: number): void {
    if (weight > this.#generationMax) return
    this.#weight -= this.#younger.get(key)?.weight ?? 0
    this.#younger.delete(key)
    this.#older.delete(key)
    this.#add(key, { value, weight })
  }

  /** Forgets everything. */
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
