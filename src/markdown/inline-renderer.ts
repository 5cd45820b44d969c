// Renders the first small bodies in the calling thread and the rest in a worker pool: by the time a worker has
// started, the calling thread has rendered about ten bodies.
import { createContext, Script } from 'node:vm'
import type { Outcome, RenderJob, RenderJobs } from './job.ts'
import type { MarkdownOptions } from './options.ts'
import type { RenderPool } from './pool.ts'
import type { Stages } from './stages.ts'

/** Total size of inline bodies, in UTF-16 code units: one worker batch. */
const inlineLettersMax = 64 * 1024

/** The longest inline body, in UTF-16 code units. */
const smallBodyMax = 32 * 1024

/** Time limit per inline body. Only hostile bodies, for which the pool has budgets, take even a third of it. */
const inlineMillisecondsMax = 250

/** The worker's module, loaded into this thread. */
type Renderer = typeof import('./worker.ts')

interface InlineOptions {
  readonly markdown: MarkdownOptions
}

/** A pool that starts threads only for large or hostile workloads. */
export class InlineRenderer implements RenderPool {
  readonly #threads: RenderPool
  readonly #markdown: MarkdownOptions
  readonly #stages: Stages = {}
  #renderer: Promise<Renderer | undefined> | undefined
  #lettersLeft = inlineLettersMax

  /** @param threads for all other bodies; closed with this pool */
  constructor(threads: RenderPool, { markdown }: InlineOptions) {
    this.#threads = threads
    this.#markdown = markdown
  }

  async *render(jobs: RenderJobs): AsyncGenerator<Outcome, void, undefined> {
    const all = inTurn(jobs)
    try {
      for (let next = await all.next(); next.done !== true; next = await all.next()) {
        const outcome = await this.#renderInline(next.value)
        if (outcome === undefined)
          return yield* this.#threads.render(beginningWith(next.value, all))
        yield outcome
      }
    } finally {
      await all.return()
    }
  }

  prepare(): void {
    this.#renderer ??= loadRenderer()
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }

  /** @returns undefined for a body that is left to a thread: only threads report problems */
  async #renderInline(job: RenderJob): Promise<Outcome | undefined> {
    const { length } = job.body
    if (length > smallBodyMax || length > this.#lettersLeft) return undefined
    this.#lettersLeft -= length
    this.prepare()
    const renderer = await this.#renderer
    if (renderer === undefined) return undefined
    const outcome = await renderer.withStages(this.#stages, () =>
      within(inlineMillisecondsMax, () => renderer.renderJob(job, this.#markdown, this.#stages)),
    )
    // The renderer was interrupted in an unknown state, so this thread renders nothing more.
    if (outcome === undefined) this.#lettersLeft = 0
    if (outcome?.body === undefined) return undefined
    return outcome
  }
}

/** Loads the code that threads run. @returns undefined on failure, which the threads will report */
async function loadRenderer(): Promise<Renderer | undefined> {
  try {
    return await import(import.meta.resolve('#render-worker'))
  } catch {
    return undefined
  }
}

/** Iterates over jobs one by one, so that the rest can be handed on. */
async function* inTurn(jobs: RenderJobs): AsyncGenerator<RenderJob, void, undefined> {
  yield* jobs
}

async function* beginningWith(
  job: RenderJob,
  rest: AsyncIterable<RenderJob>,
): AsyncGenerator<RenderJob, void, undefined> {
  yield job
  yield* rest
}

const runs = new Script('run()')

/** Returns the result of a function, or undefined when it exceeds the time limit and is interrupted. */
function within<T>(milliseconds: number, run: () => T): T | undefined {
  let result: T | undefined
  const context = createContext({
    run: () => {
      result = run()
    },
  })
  try {
    runs.runInContext(context, { timeout: milliseconds })
  } catch (error) {
    if (!isTimeout(error)) throw error
    return undefined
  }
  return result
}

/** @param error on a timeout, an object of another context: not an instance of our `Error` */
function isTimeout(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
