// Worker threads that render batches within budgets, and report the job on which a thread ended.
import { WorkerPool } from '../workers/worker-pool.ts'
import type { Batch } from './batches.ts'
import type { Outcome, RenderJob } from './job.ts'
import type { MarkdownOptions } from './options.ts'
import { Pace } from './pace.ts'
import { type Packed, unpack } from './packing.ts'

/** The limits per body. */
export interface Budgets {
  readonly secondsPerBody: number
  /** The heap limit of a thread; the current body takes almost all of it. */
  readonly heapLimitMb: number
}

/** The options of threads. */
export interface RenderOptions extends Budgets {
  /** Adds its duration to every outcome. */
  readonly markdown: MarkdownOptions
}

/** A batch for a thread. */
export interface RenderTask extends Pick<RenderOptions, 'markdown'> {
  readonly jobs: readonly RenderJob[]
  /** One shared number: the current job, counted from 1; 0 before the first. */
  readonly progress: Int32Array
}

/** The reason why a job killed a thread. */
export type Death = 'timeout' | 'memory' | 'crash'

/** The end of a batch. */
export type BatchEnd =
  | { readonly kind: 'done'; readonly outcomes: readonly Outcome[] }
  /** The job at `index` killed the thread. */
  | {
      readonly kind: 'died'
      readonly index: number
      readonly death: Death
      readonly error: unknown
    }
  /** The batch was stopped. */
  | { readonly kind: 'dropped' }
  /** No thread could be started, or the pool was closed: not caused by the content. */
  | { readonly kind: 'fault'; readonly error: unknown }

/** Renders up to `size` batches at a time. A quarantined job gets a fresh thread for itself. */
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

  /** Starts a thread: starting takes longer than rendering a few bodies. */
  prepare(): void {
    // Failures are reported by the first real batch.
    if (!this.#isClosed) void this.run({ jobs: [] })
  }

  /** Renders a batch. Never rejects. */
  async run(batch: Batch): Promise<BatchEnd> {
    if (this.#isClosed) return { kind: 'fault', error: new Error('The render pool is closed.') }
    const running = new RunningBatch(this.#options.secondsPerBody * 1000)
    const pool = batch.isQuarantined === true ? this.#newPool(1) : this.#sharedPool()
    this.#watch(running)
    try {
      const { markdown } = this.#options
      const task = { jobs: batch.jobs, progress: running.progress, markdown }
      const packed = await pool.run(task, running.signal)
      return { kind: 'done', outcomes: unpack(packed) }
    } catch (error) {
      return running.endWith(error)
    } finally {
      this.#unwatch(running)
      if (batch.isQuarantined === true) await pool.close()
    }
  }

  /** Drops all batches. The next batch starts new threads. */
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

  /** Checks running batches until none is left. */
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

/** A batch in a thread, and the time of its current job. */
class RunningBatch {
  readonly progress = new Int32Array(new SharedArrayBuffer(4))
  readonly #controller = new AbortController()
  readonly #msMax: number
  #latest = 0
  #ms = 0
  #isLate = false
  #isStopped = false

  /** @param msMax time limit per job, counted from the first check of it */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The current job, counted from 1; 0 for none. */
  get job(): number {
    return Atomics.load(this.progress, 0)
  }

  /** Ends the thread when the current job, which got `ms` more since the last check, exceeds its limit. */
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
