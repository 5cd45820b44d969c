// Renders bodies on all cores within budgets: the interface of this room to the build.
import { availableParallelism } from 'node:os'
import { batchesOf } from './batches.ts'
import type { Outcome, RenderedBody, RenderJob, RenderJobs } from './job.ts'
import { type MarkdownOptions, markdownDefaults } from './options.ts'
import { type Budgets, RenderWorkers } from './render-workers.ts'
import { runBatches } from './run.ts'

export type { Outcome, RenderedBody, RenderJob }

export interface RenderPoolOptions {
  /** Maximum number of worker threads. @default the cores available to this process */
  readonly workers?: number
  /** Time limit per body, without time taken by other processes. @default 5 */
  readonly secondsPerBody?: number
  /** Heap limit per body, in MB. @default 400 */
  readonly heapLimitMb?: number
  /** Source per worker batch, in UTF-16 code units. @default 65,536 */
  readonly batchBytes?: number
  /** How to render Markdown. @default the options of a site without a configuration */
  readonly markdown?: MarkdownOptions
}

/** Worker threads that render. They start with the first jobs and stay until the pool is closed. */
export interface RenderPool {
  /**
   * Renders jobs, which are pulled lazily: a few batches ahead of a slow caller at most. Leaving the loop early stops
   * all work. Jobs must not wait for outcomes.
   *
   * @returns one outcome per job, in no order; the same outcomes for any number of workers. A body that exceeds a
   *   budget has the error `render-timeout` or `render-out-of-memory`; one that makes the renderer throw has
   *   `render-failed`
   * @throws the errors of `jobs`; an Error when workers cannot run, or the pool is closed
   */
  render(jobs: RenderJobs): AsyncGenerator<Outcome, void, undefined>
  /** Starts a worker ahead of jobs: starting takes longer than rendering a few bodies. */
  prepare(): void
  /** Terminates all workers immediately. */
  close(): Promise<void>
}

/**
 * Creates a pool without starting a worker.
 *
 * @throws RangeError for an option that is not a positive number
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const workers = positive('workers', options.workers ?? availableParallelism())
  const batchBytes = positive('batchBytes', options.batchBytes ?? 64 * 1024)
  const budgets: Budgets = {
    secondsPerBody: positive('secondsPerBody', options.secondsPerBody ?? 5),
    heapLimitMb: positive('heapLimitMb', options.heapLimitMb ?? 400),
  }
  const threads = new RenderWorkers(workers, {
    ...budgets,
    markdown: options.markdown ?? markdownDefaults,
  })
  return {
    render: (jobs) => runBatches(batchesOf(jobs, batchBytes), threads, budgets),
    prepare: () => threads.prepare(),
    close: () => threads.close(),
  }
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw new RangeError(`${name} must be a positive number, got ${value}`)
}
