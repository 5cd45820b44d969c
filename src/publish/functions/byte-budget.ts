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
  /** Waiting reads, and when each of them looked last. */
  readonly #queue: { lookedAt: number }[] = []

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
    const ticket = { lookedAt: Date.now() }
    this.#queue.push(ticket)
    for (;;) {
      ticket.lookedAt = Date.now()
      const longAgo = ticket.lookedAt - queueMilliseconds
      while ((this.#queue[0] ?? ticket).lookedAt < longAgo) this.#queue.shift()
      const isNext = this.#queue[0] === ticket || !this.#queue.includes(ticket)
      if (isNext && this.#used() + share <= this.#max) break
      await pause(lookMilliseconds)
    }
    const at = this.#queue.indexOf(ticket)
    if (at !== -1) this.#queue.splice(at, 1)
    const lease = { bytes: share, since: Date.now() }
    this.#leases.add(lease)
    return lease
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
