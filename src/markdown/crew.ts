// The workers of a pool: started as there are batches for them, the least busy one first.
// Knows nothing of what is rendered, nor of jobs that end badly.
import type { Batch } from './batches.ts'
import { type BatchEnd, type Budgets, RenderThread } from './thread.ts'

/** Up to `size` workers, and one more for each job that is run alone. */
export class Crew {
  /** The most workers at a time. */
  readonly size: number
  readonly #budgets: Budgets
  #threads: readonly RenderThread[] = []
  readonly #alone = new Set<RenderThread>()
  #isClosed = false

  constructor(size: number, budgets: Budgets) {
    this.size = size
    this.#budgets = budgets
  }

  /** Renders a batch. Never rejects: after `close`, or where no worker can be started, it is a fault. */
  async run(batch: Batch): Promise<BatchEnd> {
    if (this.#isClosed) return { kind: 'fault', error: new Error('The render pool is closed.') }
    try {
      return await (batch.isRetry ? this.#runAlone(batch) : this.#leastBusy().run(batch))
    } catch (error) {
      return { kind: 'fault', error }
    }
  }

  /** Ends all workers: their batches are dropped. Others start with the next batch. */
  async stop(): Promise<void> {
    const threads = [...this.#threads, ...this.#alone]
    await Promise.all(threads.map((thread) => thread.stop()))
  }

  /** Ends all workers for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.stop()
  }

  #leastBusy(): RenderThread {
    this.#threads = this.#threads.filter((thread) => thread.isAlive)
    const [idlest] = this.#threads.toSorted((a, b) => a.load - b.load)
    const isFull = this.#threads.length >= this.size
    if (idlest !== undefined && (idlest.load === 0 || isFull)) return idlest
    const thread = new RenderThread(this.#budgets)
    this.#threads = [...this.#threads, thread]
    return thread
  }

  /** In a worker that nothing was rendered in before. */
  async #runAlone(batch: Batch): Promise<BatchEnd> {
    const thread = new RenderThread(this.#budgets)
    this.#alone.add(thread)
    try {
      return await thread.run(batch)
    } finally {
      await thread.stop()
      this.#alone.delete(thread)
    }
  }
}
