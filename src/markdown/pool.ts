// Renders bodies in threads: the interface of this room for the build. The HTML contains destinations as written;
// `replaceInHtml` and `replaceInMarkdown` (destinations.ts) replace those in `files` by URLs.
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
  /** Absent if a diagnostic is an error. */
  readonly body?: RenderedBody
  /** Sorted diagnostics. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface RenderPoolOptions {
  /** Maximum number of worker threads. @default the cores available to this process */
  readonly workers?: number
  /** Time limit for rendering a body, in seconds. @default 8 */
  readonly secondsPerBody?: number
  /** Heap limit of a thread, in MB. @default 400 */
  readonly heapLimitMb?: number
  /** Options of Markdown. @default the options of a site without a configuration */
  readonly markdown?: MarkdownOptions
}

/** Worker threads that render. They start with the first jobs and stay until the pool is closed. */
export interface RenderPool {
  /**
   * Renders jobs. It pulls them lazily, at most a few ahead of a slow caller.
   *
   * @returns one outcome per job, in order. A body that exceeds a limit has the error `render-timeout` or
   *   `render-out-of-memory`
   * @throws the errors of `jobs`; an Error if threads cannot run, or if the pool is closed
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

  // Most builds render nothing, so tinypool is loaded with the first body.
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
      // Threads do not inherit loaders and the inspector.
      execArgv: [],
      // Node grants an ending thread 16 MB. V8 would abort the process if more, a third of the young generation,
      // had to be promoted to a full heap at once.
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
      // The time of a body begins when it is sent, because no body waits for a thread.
      return pMapIterable(jobs, run, { concurrency: workers, backpressure: 64 })
    },
    async close() {
      isClosed = true
      await (await pool)?.destroy()
    },
  }
}
