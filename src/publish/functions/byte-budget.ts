// Bounds the bytes that concurrent requests of a function hold in memory.
import { pause } from '../../runtime/pause.ts'

/**
 * Milliseconds after which a read no longer counts: a host that stops a request for its processor time never ends its
 * reads. All others take at most half of this.
 */
const leaseMilliseconds = 30_000

/** Milliseconds between two looks at whether bytes are free. */
const lookMilliseconds = 5

/**
 * Admits reads while the bytes in use stay below a bound. A larger read runs alone.
 *
 * A waiting request looks again with a timer of its own. In a worker of Cloudflare, requests must not wake each other:
 * the code after the `await` would run as a part of the other request.
 */
export class ByteBudget {
  readonly #max: number
  readonly #leases = new Set<Lease>()

  constructor(max: number) {
    this.#max = max
  }

  /** Reads once the bytes are free. */
  async run<T>(bytes: number, read: () => Promise<T>): Promise<T> {
    const share = Math.min(bytes, this.#max)
    while (this.#used() + share > this.#max) await pause(lookMilliseconds)
    const lease = { bytes: share, since: Date.now() }
    this.#leases.add(lease)
    try {
      return await read()
    } finally {
      this.#leases.delete(lease)
    }
  }

  #used(): number {
    let used = 0
    const started = Date.now() - leaseMilliseconds
    for (const lease of this.#leases) {
      if (lease.since > started) used += lease.bytes
      else this.#leases.delete(lease)
    }
    return used
  }
}

interface Lease {
  readonly bytes: number
  readonly since: number
}
