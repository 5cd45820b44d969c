// Renders the first small bodies in the calling thread, and leaves the others to a worker pool: a worker is ready when
// the calling thread has rendered some ten bodies.
import { createContext, Script } from 'node:vm'
import type { Outcome, RenderJob, RenderJobs } from './job.ts'
import type { MarkdownOptions } from './options.ts'
import type { RenderPool } from './pool.ts'
import type { Stages } from './stages.ts'

/** Sum of the bodies that are rendered inline, in UTF-16 code units: as much as one batch for a worker. */
const inlineLettersMax = 64 * 1024

/** The longest body that is rendered inline, in UTF-16 code units. */
const smallBodyMax = 32 * 1024

/** The longest time that a body may take here: only hostile ones, which have budgets elsewhere, take a third of it. */
const inlineMillisecondsMax = 250

/** The file that threads run, in a thread that is none of them. */
type Renderer = typeof import('./worker.ts')

interface InlineOptions {
  /** Says of every outcome how long it took. */
  readonly isTimed: boolean
  readonly markdown: MarkdownOptions
}

/** A pool of which threads are needed only once there is much to render, or something hostile. */
export class InlineRenderer implements RenderPool {
  readonly #threads: RenderPool
  readonly #isTimed: boolean
  readonly #markdown: MarkdownOptions
  readonly #stages: Stages = {}
  #renderer: Promise<Renderer | undefined> | undefined
  #lettersLeft = inlineLettersMax

  /** @param threads for all else; closed with this */
  constructor(threads: RenderPool, { isTimed, markdown }: InlineOptions) {
    this.#threads = threads
    this.#isTimed = isTimed
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
    const started = performance.now()
    const outcome = await renderer.withStages(this.#stages, () =>
      within(inlineMillisecondsMax, () => renderer.renderJob(job, this.#markdown, this.#stages)),
    )
    // It was stopped in the midst of something: nothing more is rendered with what it left behind.
    if (outcome === undefined) this.#lettersLeft = 0
    if (outcome?.body === undefined) return undefined
    return this.#isTimed ? { ...outcome, milliseconds: performance.now() - started } : outcome
  }
}

/** The very code that threads run. @returns undefined where it cannot be loaded, which they will tell */
async function loadRenderer(): Promise<Renderer | undefined> {
  try {
    return await import(import.meta.resolve('#render-worker'))
  } catch {
    return undefined
  }
}

/** Jobs one by one, so that what is left of them can be handed on. */
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

/** The result of a function; undefined where it takes longer, in which case it is stopped wherever it is. */
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

/** @param error of the context's own kind where the time was over: no instance of our `Error` */
function isTimeout(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
