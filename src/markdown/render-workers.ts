// Worker threads that render batches within budgets, and which job a thread was on when it ended.
import { WorkerPool } from '../workers/worker-pool.ts'
import type { Batch } from './batches.ts'
import type { Outcome, RenderJob } from './job.ts'
import type { MarkdownOptions } from './options.ts'
import { Pace } from './pace.ts'
import { type Packed, unpack } from './packing.ts'

/** The most that one body may cost. */
export interface Budgets {
  readonly secondsPerBody: number
  /** The heap of a thread; it holds little but the body under way. */
  readonly heapLimitMb: number
}

/** How threads render. */
export interface RenderOptions extends Budgets {
  /** Says of every outcome how long it took. */
  readonly isTimed: boolean
  readonly markdown: MarkdownOptions
}

/** A batch for a thread. */
export interface RenderTask extends Pick<RenderOptions, 'isTimed' | 'markdown'> {
  readonly jobs: readonly RenderJob[]
  /** One shared number: the job under way, counted from 1; 0 before the first. */
  readonly progress: Int32Array
}

/** Why a thread did not survive a job. */
export type Death = 'timeout' | 'memory' | 'crash'

/** How a batch ended. */
export type BatchEnd =
  | { readonly kind: 'done'; readonly outcomes: readonly Outcome[] }
  /** The thread did not survive the job at `index`. */
  | {
      readonly kind: 'died'
      readonly index: number
      readonly death: Death
      readonly error: unknown
    }
  /** It was stopped. */
  | { readonly kind: 'dropped' }
  /** No thread could be started, or the pool was closed: not the content's fault. */
  | { readonly kind: 'fault'; readonly error: unknown }

/** Renders up to `size` batches at a time. A suspect has a thread to itself, in which nothing was rendered before. */
export class RenderWorkers {
  readonly size: number
  readonly #options: RenderOptions
  #pool: WorkerPool<RenderTask, Packed> | undefined
  readonly #running = new Set<RunningBatch>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(size: number, options: RenderOptions) {
    this.size = size
    this.#options = options
  }

  /** Starts a thread: it takes longer to be ready than to render a few bodies. */
  prepare(): void {
    // The first batch reports a failure.
    if (!this.#isClosed) void this.run({ jobs: [] })
  }

  /** Renders a batch. Never rejects. */
  async run(batch: Batch): Promise<BatchEnd> {
    if (this.#isClosed) return { kind: 'fault', error: new Error('The render pool is closed.') }
    const running = new RunningBatch(this.#options.secondsPerBody * 1000)
    const pool = batch.isQuarantined === true ? this.#newPool(1) : this.#sharedPool()
    this.#watch(running)
    try {
      const { isTimed, markdown } = this.#options
      const task = { jobs: batch.jobs, progress: running.progress, isTimed, markdown }
      const packed = await pool.run(task, running.signal)
      return { kind: 'done', outcomes: unpack(packed) }
    } catch (error) {
      return running.endWith(error)
    } finally {
      this.#unwatch(running)
      if (batch.isQuarantined === true) await pool.close()
    }
  }

  /** Drops all batches. Other threads start with the next one. */
  async stop(): Promise<void> {
    for (const running of this.#running) running.stop()
    const pool = this.#pool
    this.#pool = undefined
    await pool?.close()
  }

  /** Ends all threads for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.stop()
  }

  #sharedPool(): WorkerPool<RenderTask, Packed> {
    this.#pool ??= this.#newPool(this.size)
    return this.#pool
  }

  #newPool(threads: number): WorkerPool<RenderTask, Packed> {
    const file = new URL(import.meta.resolve('#render-worker'))
    return new WorkerPool({ file, threads, heapLimitMb: this.#options.heapLimitMb })
  }

  /** Looks at the batches while any is under way. */
  #watch(running: RunningBatch): void {
    this.#running.add(running)
    if (this.#timer !== undefined) return
    const pace = new Pace()
    const lookMs = Math.min(250, Math.max(10, this.#options.secondsPerBody * 50))
    this.#timer = setInterval(() => {
      const busy = [...this.#running].filter(({ job }) => job > 0)
      const ms = pace.elapsedMs(busy.length)
      for (const one of busy) one.look(ms)
    }, lookMs)
  }

  #unwatch(running: RunningBatch): void {
    this.#running.delete(running)
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** A batch in a thread, and the time of the job that the thread is on. */
class RunningBatch {
  readonly progress = new Int32Array(new SharedArrayBuffer(4))
  readonly #controller = new AbortController()
  readonly #msMax: number
  #latest = 0
  #ms = 0
  #isLate = false
  #isStopped = false

  /** @param msMax time that a job may take, counted from the first look at it */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The job under way, counted from 1; 0 for none. */
  get job(): number {
    return Atomics.load(this.progress, 0)
  }

  /** Ends the thread when it is late with a job, which had `ms` more since the last look. */
  look(ms: number): void {
    const { job } = this
    this.#ms = job === this.#latest ? this.#ms + ms : 0
    this.#latest = job
    if (this.#ms < this.#msMax) return
    this.#isLate = true
    this.#controller.abort()
  }

  stop(): void {
    this.#isStopped = true
    this.#controller.abort()
  }

  /** @param error of the thread, or of the pool */
  endWith(error: unknown): BatchEnd {
    const index = this.job - 1
    if (this.#isLate) return { kind: 'died', index, death: 'timeout', error }
    if (this.#isStopped) return { kind: 'dropped' }
    if (index < 0) return { kind: 'fault', error }
    return { kind: 'died', index, death: isOutOfMemory(error) ? 'memory' : 'crash', error }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
