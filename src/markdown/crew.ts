// The workers of a pool: started as there are batches for them, the least busy one first.
// Knows nothing of what is rendered, nor of jobs that end badly.
import type { Batch } from './batches.ts'
import { Pace } from './pace.ts'
import { type BatchEnd, RenderThread, type ThreadOptions } from './thread.ts'

/**
 * Heap of a worker for small bodies, in MB; it grows to some 100 of them. They cannot fill even the budget
 * (the worst ones known take under 300 MB), but V8 collects a heap below 2 GB so often that rendering takes
 * a tenth longer.
 */
const roomyHeapMb = 2048

/** A worker, and what it may be given. */
interface Member {
  readonly thread: RenderThread
  readonly kinds: readonly Batch['kind'][]
}

/** With a heap of the budget, which large bodies need; small ones do not mind. */
const strict: Member['kinds'] = ['small', 'large']
const roomy: Member['kinds'] = ['small']
const alone: Member['kinds'] = ['suspect']

/**
 * Up to `size` workers, of which every second one is for large bodies too, and one for each suspect alone. They share
 * the work, as each has to compile all code for itself: with as many again for large bodies, two cores took a sixth
 * longer.
 */
export class Crew {
  /** The most workers that share the work. */
  readonly size: number
  readonly #options: ThreadOptions
  #members: readonly Member[] = []
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
    await Promise.all(this.#members.map(({ thread }) => thread.stop()))
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
    const busy = this.#members.filter(({ thread }) => thread.load > 0)
    const ms = pace.elapsedMs(busy.length)
    for (const { thread } of busy) thread.look(ms)
  }

  async #run(batch: Batch): Promise<BatchEnd> {
    const thread = this.#pick(batch.kind)
    const end = await thread.run(batch)
    if (batch.kind === 'suspect') await thread.stop()
    return end
  }

  /** The least busy of those that may have it; a suspect gets a worker that nothing was rendered in before. */
  #pick(kind: Batch['kind']): RenderThread {
    this.#members = this.#members.filter(({ thread }) => thread.isAlive)
    if (kind === 'suspect') return this.#start(alone)
    const [idlest] = this.#threadsFor(kind).sort((a, b) => a.load - b.load)
    if (idlest?.load === 0) return idlest
    const shared = this.#threadsFor('small').length
    const isFull = shared >= this.size
    if (isFull && idlest !== undefined) return idlest
    const isStrict = kind === 'large' || 2 * this.#threadsFor('large').length <= shared
    return this.#start(isStrict ? strict : roomy)
  }

  #threadsFor(kind: Batch['kind']): RenderThread[] {
    return this.#members.flatMap(({ thread, kinds }) => (kinds.includes(kind) ? [thread] : []))
  }

  #start(kinds: Member['kinds']): RenderThread {
    const { heapLimitMb } = this.#options
    const thread = new RenderThread({
      ...this.#options,
      heapLimitMb: kinds === roomy ? Math.max(roomyHeapMb, heapLimitMb) : heapLimitMb,
    })
    this.#members = [...this.#members, { thread, kinds }]
    return thread
  }
}
