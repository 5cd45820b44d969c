// Rendering on all cores, within budgets: what the build uses of this room.
import { availableParallelism } from 'node:os'
import { batchesOf } from './batches.ts'
import type { Outcome, RenderedBody, RenderJob, RenderJobs } from './job.ts'
import { type MarkdownOptions, markdownDefaults } from './options.ts'
import { type Budgets, RenderWorkers } from './render-workers.ts'
import { runBatches } from './run.ts'

export type { Outcome, RenderedBody, RenderJob }

export interface RenderPoolOptions {
  /** The most worker threads; by default one for each core this process may use. */
  readonly workers?: number
  /** Longest time for one body, not counting what other processes took of the machine; by default 5. */
  readonly secondsPerBody?: number
  /** Largest heap for one body, in MB; by default 400. */
  readonly heapLimitMb?: number
  /** Source that goes to a worker at a time, in UTF-16 code units; by default 65,536. */
  readonly batchBytes?: number
  /** Says of every outcome how long it took; by default false. */
  readonly isTimed?: boolean
  /** How Markdown is rendered; by default as a site without a configuration has it. */
  readonly markdown?: MarkdownOptions
}

/** Worker threads that render. They start with the first jobs and stay for the next until closed. */
export interface RenderPool {
  /**
   * Renders jobs, pulled lazily: a caller that takes outcomes slowly is given no more than a few batches
   * ahead. Leaving the loop early ends what is under way. Jobs must not wait for outcomes.
   *
   * @returns one outcome for each job, in no order; the same ones for any number of workers. A body that
   *   goes over a budget has the error `render-timeout` or `render-out-of-memory`, one that the renderer
   *   fails at `render-failed`
   * @throws what `jobs` throws; an Error when workers cannot run, or the pool is closed
   */
  render(jobs: RenderJobs): AsyncGenerator<Outcome, void, undefined>
  /** Starts a worker for jobs that are to come: it takes longer to be ready than to render a few of them. */
  prepare(): void
  /** Ends all workers, now. */
  close(): Promise<void>
}

/**
 * A pool; no worker is started yet.
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
    isTimed: options.isTimed === true,
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
