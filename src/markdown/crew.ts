// The workers of a pool: started as there are batches for them, the least busy one first.
// Knows nothing of what is rendered, nor of jobs that end badly.
import type { Batch } from './batches.ts'
import { Pace } from './pace.ts'
import { type BatchEnd, RenderThread, type ThreadOptions } from './thread.ts'

/**
 * Heap of a worker for small bodies, in MB; it grows to some 100 of them. They cannot fill even the budget
 * (the worst ones known take under 300 MB), but V8 collects a heap below 2 GB so often that rendering took
 * a third longer.
 */
const roomyHeapMb = 2048

/** Up to `size` workers for small bodies and as many for large ones, and one for each suspect alone. */
export class Crew {
  /** The most workers of one kind at a time. */
  readonly size: number
  readonly #options: ThreadOptions
  readonly #threads = new Map<Batch['kind'], readonly RenderThread[]>()
  #isClosed = false
  #running = 0
  #timer: NodeJS.Timeout | undefined

  constructor(size: number, options: ThreadOptions) {
    this.size = size
    this.#options = options
  }

  /** Starts a worker for small bodies where there is none. */
  prepare(): void {
    try {
      if (!this.#isClosed) this.#pick('small')
    } catch {
      // The first batch will tell.
    }
  }

  /** Renders a batch. Never rejects: after `close`, or where no worker can be started, it is a fault. */
  async run(batch: Batch): Promise<BatchEnd> {
    if (this.#isClosed) return { kind: 'fault', error: new Error('The render pool is closed.') }
    this.#watchFrom()
    try {
      return await this.#run(batch)
    } catch (error) {
      return { kind: 'fault', error }
    } finally {
      this.#watchTo()
    }
  }

  /** Ends all workers: their batches are dropped. Others start with the next batch. */
  async stop(): Promise<void> {
    const threads = [...this.#threads.values()].flat()
    await Promise.all(threads.map((thread) => thread.stop()))
  }

  /** Ends all workers for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.stop()
  }

  /** Looks at the workers while any batch is under way. */
  #watchFrom(): void {
    this.#running += 1
    if (this.#running > 1) return
    const pace = new Pace()
    const lookMs = Math.min(250, Math.max(10, this.#options.secondsPerBody * 50))
    this.#timer = setInterval(() => this.#look(pace), lookMs)
  }

  #watchTo(): void {
    this.#running -= 1
    if (this.#running === 0) clearInterval(this.#timer)
  }

  #look(pace: Pace): void {
    const busy = [...this.#threads.values()].flat().filter((thread) => thread.load > 0)
    const ms = pace.elapsedMs(busy.length)
    for (const thread of busy) thread.look(ms)
  }

  async #run(batch: Batch): Promise<BatchEnd> {
    const thread = this.#pick(batch.kind)
    const end = await thread.run(batch)
    if (batch.kind === 'suspect') await thread.stop()
    return end
  }

  /** A suspect gets a worker that nothing was rendered in before. */
  #pick(kind: Batch['kind']): RenderThread {
    const threads = (this.#threads.get(kind) ?? []).filter((thread) => thread.isAlive)
    const [idlest] = threads.toSorted((a, b) => a.load - b.load)
    const isFull = threads.length >= this.size
    if (kind !== 'suspect' && idlest !== undefined && (idlest.load === 0 || isFull)) return idlest
    const thread = new RenderThread(this.#optionsFor(kind))
    this.#threads.set(kind, [...threads, thread])
    return thread
  }

  #optionsFor(kind: Batch['kind']): ThreadOptions {
    if (kind !== 'small') return this.#options
    const heapLimitMb = Math.max(roomyHeapMb, this.#options.heapLimitMb)
    return { ...this.#options, heapLimitMb }
  }
}
