// Bounds the bytes that concurrent work holds in memory.

/** Admits work while the bytes in use stay below a bound. Work that is larger than the bound runs alone. */
export class ByteGate {
  readonly #max: number
  readonly #leaseMilliseconds: number | undefined
  readonly #leases = new Set<Lease>()
  readonly #waiting: (() => void)[] = []

  /**
   * @param leaseMilliseconds after this time, work no longer counts: a host may have stopped it for good.
   *   @default work always ends
   */
  constructor(max: number, leaseMilliseconds?: number) {
    this.#max = max
    this.#leaseMilliseconds = leaseMilliseconds
  }

  /** Runs `work` once its bytes are free. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const share = Math.min(bytes, this.#max)
    while (this.#used() + share > this.#max) await this.#woken()
    const lease = { bytes: share, since: Date.now() }
    this.#leases.add(lease)
    try {
      return await work()
    } finally {
      this.#leases.delete(lease)
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  #used(): number {
    let used = 0
    const now = Date.now()
    for (const lease of this.#leases) {
      if (now - lease.since >= (this.#leaseMilliseconds ?? Number.POSITIVE_INFINITY)) {
        this.#leases.delete(lease)
      } else used += lease.bytes
    }
    return used
  }

  /** Resolves when work ends, or after the time of a lease. */
  #woken(): Promise<void> {
    return new Promise((resolve) => {
      const milliseconds = this.#leaseMilliseconds
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

interface Lease {
  readonly bytes: number
  readonly since: number
}
