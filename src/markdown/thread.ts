// One worker as the main thread sees it: fed with batches, watched, and ended when a job goes over its budget.
// Knows nothing of other workers, nor of what becomes of a batch that did not end well.
import { Worker } from 'node:worker_threads'
import type { Batch } from './batches.ts'
import type { Outcome } from './job.ts'
import type { MarkdownOptions } from './options.ts'
import { type Packed, unpack } from './packing.ts'
import { type BatchMessage, renderRole, type WorkerSetup } from './protocol.ts'
import { Watch } from './watch.ts'

/** What one body may cost. */
export interface Budgets {
  readonly secondsPerBody: number
  /** Of the worker; it holds little but the body under way. */
  readonly heapLimitMb: number
}

/** How a worker is set up. */
export interface ThreadOptions extends Budgets {
  /** Says of every outcome how long it took. */
  readonly isTimed: boolean
  readonly markdown: MarkdownOptions
}

/** Why a worker did not survive a job. */
export type Death = 'timeout' | 'memory' | 'crash'

/** How a batch ended. */
export type BatchEnd =
  | { readonly kind: 'done'; readonly outcomes: readonly Outcome[] }
  /** The worker did not survive the job at `index`. */
  | {
      readonly kind: 'died'
      readonly index: number
      readonly death: Death
      readonly error: unknown
    }
  /** The worker ended on another batch, or was stopped. */
  | { readonly kind: 'dropped' }
  /** The worker could not be started, or ended while it rendered nothing: not the content's fault. */
  | { readonly kind: 'fault'; readonly error: unknown }

/** A running worker. When it has ended, another one takes its place: see `isAlive`. */
export class RenderThread {
  readonly #worker: Worker
  readonly #progress: Int32Array
  readonly #tasks: Task[] = []
  readonly #watch: Watch
  #jobsPosted = 0
  #isAlive = true
  #end: End = { kind: 'fault', error: new Error('The render worker ended unasked.') }

  /** Starts a worker; it does not keep the process alive while it has nothing to do. */
  constructor({ secondsPerBody, heapLimitMb, isTimed, markdown }: ThreadOptions) {
    this.#watch = new Watch(secondsPerBody * 1000)
    this.#progress = new Int32Array(new SharedArrayBuffer(4))
    const setup = { role: renderRole, progress: this.#progress, isTimed, markdown } as const
    this.#worker = startWorker(setup, heapLimitMb)
    this.#worker.on('message', (packed: Packed) => this.#answered(packed))
    this.#worker.on('error', (error) => this.#failed(error))
    // By now every message that the worker could post has arrived.
    this.#worker.on('exit', () => this.#ended())
    this.#worker.unref()
  }

  /** False when it has ended or is about to: it must be given no more batches. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Batches given and not yet answered. */
  get load(): number {
    return this.#tasks.length
  }

  /** Renders a batch after those it was given before. Never rejects. */
  run(batch: Batch): Promise<BatchEnd> {
    const first = this.#jobsPosted + 1
    this.#jobsPosted += batch.jobs.length
    this.#worker.ref()
    return new Promise((settle) => {
      this.#tasks.push({ first, jobs: batch.jobs.length, settle })
      const message: BatchMessage = { first, jobs: batch.jobs }
      this.#worker.postMessage(message)
    })
  }

  /** Ends the worker when it is late with a job, which had `ms` more since the last look. */
  look(ms: number): void {
    const job = Atomics.load(this.#progress, 0)
    if (!this.#watch.isLate(job, ms)) return
    const error = new Error('A body went over its time.')
    void this.#terminate({ kind: 'died', job, death: 'timeout', error })
  }

  /** Ends the worker; its batches are dropped. */
  async stop(): Promise<void> {
    await this.#terminate({ kind: 'stopped' })
  }

  #answered(packed: Packed): void {
    this.#tasks.shift()?.settle({ kind: 'done', outcomes: unpack(packed) })
    // Its end is waited for too: an answer that was on its way must not end the process before.
    if (this.#tasks.length === 0 && this.#isAlive) this.#worker.unref()
  }

  #failed(error: unknown): void {
    this.#isAlive = false
    const job = Atomics.load(this.#progress, 0)
    const death = isOutOfMemory(error) ? 'memory' : 'crash'
    this.#end = job === 0 ? { kind: 'fault', error } : { kind: 'died', job, death, error }
  }

  async #terminate(end: End): Promise<void> {
    if (this.#isAlive) {
      this.#isAlive = false
      this.#end = end
    }
    await this.#worker.terminate()
  }

  #ended(): void {
    this.#isAlive = false
    for (const task of this.#tasks.splice(0)) task.settle(endOf(task, this.#end))
  }
}

/** A batch under way; `first` is the number of its first job among all that the worker was given. */
interface Task {
  readonly first: number
  readonly jobs: number
  readonly settle: (end: BatchEnd) => void
}

/** How a worker ended; `job` is the number of the one it was on. */
type End =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fault'; readonly error: unknown }
  | { readonly kind: 'died'; readonly job: number; readonly death: Death; readonly error: unknown }

function startWorker(workerData: WorkerSetup, heapLimitMb: number): Worker {
  // Compiled, also when this module is not: threads load no TypeScript.
  const file = new URL(import.meta.resolve('#render-worker'))
  return new Worker(file, {
    name: renderRole,
    workerData,
    // The caller's loaders and inspectors are none of a worker's business.
    execArgv: [],
    // Node gives a full heap 16 MB more until the worker has ended. A third of the young generation can be
    // promoted at once: were it more than that, the whole process would be aborted.
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb, maxYoungGenerationSizeMb: 48 },
  })
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function endOf({ first, jobs }: Task, end: End): BatchEnd {
  if (end.kind === 'fault') return end
  if (end.kind === 'stopped') return { kind: 'dropped' }
  const index = end.job - first
  if (index < 0 || index >= jobs) return { kind: 'dropped' }
  return { kind: 'died', index, death: end.death, error: end.error }
}
