// Bounds the bytes that concurrent work holds in memory.

/** Admits work while the bytes in use stay below a bound. Work that is larger than the bound runs alone. */
export class ByteGate {
  readonly #max: number
  #used = 0
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Runs `work` once its bytes are free. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const share = Math.min(bytes, this.#max)
    while (this.#used + share > this.#max) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#used += share
    try {
      return await work()
    } finally {
      this.#used -= share
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }
}
