// Bounds the bytes that concurrent requests of a function hold in memory.
import { pause } from '../../runtime/pause.ts'

/**
 * Milliseconds after which a read no longer counts. A host that stops a request for its processor time never ends its
 * reads; a slow read goes on, and others begin.
 */
const leaseMilliseconds = 5000

/** Milliseconds without a look after which a waiting request counts as stopped. */
const queueMilliseconds = 500

/** Milliseconds between two looks at whether bytes are free. */
const lookMilliseconds = 5

/**
 * Admits reads in their order, while the bytes in use stay below a bound. A larger read runs alone.
 *
 * A waiting request looks again with a timer of its own. In a worker of Cloudflare, requests must not wake each other:
 * the code after the `await` would run as a part of the other request.
 */
export class ByteBudget {
  readonly #max: number
  readonly #leases = new Set<Lease>()
  /** Waiting reads in their order, and when each of them looked last. */
  readonly #queue = new Set<{ lookedAt: number }>()

  constructor(max: number) {
    this.#max = max
  }

  /** Reads once the bytes are free. */
  async run<T>(bytes: number, read: () => Promise<T>): Promise<T> {
    const share = Math.min(bytes, this.#max)
    const lease = await this.#admit(share)
    try {
      return await read()
    } finally {
      this.#leases.delete(lease)
    }
  }

  async #admit(share: number): Promise<Lease> {
    const read = { lookedAt: 0 }
    for (;;) {
      read.lookedAt = Date.now()
      // Others may have dropped it when it looked too late.
      this.#queue.add(read)
      if (this.#next() === read && this.#used() + share <= this.#max) break
      await pause(lookMilliseconds)
    }
    this.#queue.delete(read)
    const lease = { bytes: share, since: Date.now() }
    this.#leases.add(lease)
    return lease
  }

  /** The first waiting read that was not stopped. */
  #next(): { lookedAt: number } | undefined {
    const longAgo = Date.now() - queueMilliseconds
    for (const read of this.#queue) {
      if (read.lookedAt >= longAgo) return read
      this.#queue.delete(read)
    }
    return undefined
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
