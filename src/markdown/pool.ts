// Renders bodies in threads: the interface of this room to the build. The HTML has the destinations as they are written;
// `placeInHtml` and `placeInMarkdown` (destinations.ts) replace those in `files` that are files.
import { availableParallelism } from 'node:os'
import { pMapIterable } from 'p-map'
import type { Tinypool } from 'tinypool'
import type { Diagnostic } from '../diagnostics.ts'
import { type MarkdownOptions, markdownDefaults } from './options.ts'
import { diagnose, memoryProblem, type PlacedText, timeoutProblem } from './problem.ts'
import type { Rendered } from './render.ts'

/** A body to render. */
export interface RenderJob extends PlacedText {
  /** The caller's identifier, repeated in the outcome. */
  readonly key: number
  /** True for MDX, regardless of the site's options. @default false */
  readonly isMdx?: boolean
}

/** A rendered body. */
export interface RenderedBody extends Omit<Rendered, 'problems'> {
  /** The body of the job. */
  readonly markdown: string
}

/** The outcome of a job. */
export interface Outcome {
  /** The job's key. */
  readonly key: number
  /** Absent when a diagnostic is an error. */
  readonly body?: RenderedBody
  /** Sorted. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface RenderPoolOptions {
  /** Maximum number of worker threads. @default the cores available to this process */
  readonly workers?: number
  /** Time limit of a body. @default 8 */
  readonly secondsPerBody?: number
  /** Heap limit of a thread, in MB. @default 400 */
  readonly heapLimitMb?: number
  /** How to render Markdown. @default the options of a site without a configuration */
  readonly markdown?: MarkdownOptions
}

/** Worker threads that render. They start with the first jobs and stay until the pool is closed. */
export interface RenderPool {
  /**
   * Renders jobs, which are pulled lazily: a few ahead of a slow caller at most.
   *
   * @returns one outcome per job, in order. A body that exceeds a limit has the error `render-timeout` or
   *   `render-out-of-memory`
   * @throws the errors of `jobs`; an Error when threads cannot run, or the pool is closed
   */
  render(jobs: Iterable<RenderJob> | AsyncIterable<RenderJob>): AsyncIterable<Outcome>
  /** Terminates all threads. Unfinished jobs fail. */
  close(): Promise<void>
}

/** Creates a pool without starting a thread. */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const { workers = availableParallelism(), secondsPerBody = 8, heapLimitMb = 400 } = options
  const { markdown = markdownDefaults } = options
  let isClosed = false
  let pool: Promise<Tinypool> | undefined

  // Most builds render nothing: tinypool is loaded with the first body.
  const start = async () => {
    const { Tinypool } = await import('tinypool')
    return new Tinypool({
      filename: import.meta.resolve('#render-worker'),
      workerData: markdown,
      minThreads: 0,
      maxThreads: workers,
      // Threads live as long as the pool; idle ones do not keep the process alive.
      idleTimeout: 2 ** 31 - 1,
      useAtomics: false,
      trackUnmanagedFds: false,
      // Threads inherit no loaders and no inspector.
      execArgv: [],
      // More than a third of the young generation could not be promoted to a full heap at once, and V8 would abort the
      // process: Node grants 16 MB until the thread has ended.
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb, maxYoungGenerationSizeMb: 48 },
    })
  }
  const run = async (job: RenderJob): Promise<Outcome> => {
    const signal = AbortSignal.timeout(secondsPerBody * 1000)
    try {
      if (isClosed) throw new Error('closed')
      pool ??= start()
      return await (await pool).run(job, { signal })
    } catch (error) {
      if (isClosed) throw new Error('The render pool is closed.')
      const { code, message } = error as NodeJS.ErrnoException
      if (!signal.aborted && code !== 'ERR_WORKER_OUT_OF_MEMORY')
        throw new Error(`The render workers cannot start. ${message}`, { cause: error })
      const problem = signal.aborted ? timeoutProblem(secondsPerBody) : memoryProblem(heapLimitMb)
      return { key: job.key, diagnostics: diagnose(job, [problem]) }
    }
  }
  return {
    render(jobs) {
      // The time of a body begins when it is sent: none waits for a thread.
      return pMapIterable(jobs, run, { concurrency: workers, backpressure: 64 })
    },
    async close() {
      isClosed = true
      await (await pool)?.destroy()
    },
  }
}
