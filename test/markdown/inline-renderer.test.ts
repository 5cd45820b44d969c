// Few bodies rendered without a thread: the same outcomes, and whatever is large, hostile or wrong left to threads.
import { Worker } from 'node:worker_threads'
import { describe, expect } from 'vitest'
import { InlineRenderer } from '../../src/markdown/inline-renderer.ts'
import type { Outcome, RenderJob, RenderJobs } from '../../src/markdown/job.ts'
import { markdownDefaults } from '../../src/markdown/options.ts'
import type { RenderPool } from '../../src/markdown/pool.ts'
import { collect } from './collect.ts'
import { endless, it, jobsOf } from './pools.ts'

const small = [
  '# One\n\n[a](#b) and *more*\n',
  '',
  '日本 "quoted" \\ \u2028\n',
  'Text.\n\n<div></div>',
]
const large = 'large '.repeat(8000)
/** Takes far longer than it may here, though it is small. */
const hostile = endless.slice(0, 32 * 1024)

describe('few bodies', () => {
  it('are rendered without a thread, to what threads make of them', async ({ render }) => {
    const outcomes = await collect(hereAlone().render(jobsOf(small)))
    expect(plain(outcomes)).toEqual(plain(await render(jobsOf(small))))
  })

  it('are rendered as they come', async () => {
    const pulled: number[] = []
    function* jobs() {
      for (const job of jobsOf(small)) {
        pulled.push(job.key)
        yield job
      }
    }
    const outcomes = hereAlone().render(jobs())
    expect((await outcomes.next()).value).toMatchObject({ key: 0 })
    expect(pulled).toEqual([0])
    await outcomes.return()
    expect(pulled).toEqual([0])
  })
})

describe('threads', () => {
  it('are left a large body, and what comes behind it', async ({ open, render }) => {
    const jobs = jobsOf([...small, large, ...small])
    const left = new Left(open())
    const outcomes = await collect(
      new InlineRenderer(left, { markdown: markdownDefaults }).render(jobs),
    )
    expect(left.keys).toEqual(jobs.slice(small.length).map(({ key }) => key))
    expect(plain(outcomes.toSorted((a, b) => a.key - b.key))).toEqual(plain(await render(jobs)))
  })

  it('are left all that is more than goes to a thread at a time', async ({ open }) => {
    const jobs = jobsOf(Array.from({ length: 8 }, (_, at) => `${at} ${'word '.repeat(2500)}`))
    const left = new Left(open())
    const pool = new InlineRenderer(left, { markdown: markdownDefaults })
    const first = await collect(pool.render(jobs.slice(0, 3)))
    expect([first.length, left.keys]).toEqual([3, []])
    expect(await collect(pool.render(jobs))).toHaveLength(8)
    expect(left.keys).toEqual(jobs.slice(2).map(({ key }) => key))
  })

  it('are left a body that does not end, and everything after it', async ({ open }) => {
    const left = new Left(open({ secondsPerBody: 0.3 }))
    const pool = new InlineRenderer(left, { markdown: markdownDefaults })
    const jobs = jobsOf([hostile, ...small])
    const outcomes = await collect(pool.render(jobs))
    expect(outcomes.find(({ key }) => key === 0)).toMatchObject({
      diagnostics: [{ code: 'render-timeout' }],
    })
    expect(outcomes).toHaveLength(jobs.length)
    await collect(pool.render(jobsOf(small)))
    expect(left.keys).toEqual([...jobs, ...jobsOf(small)].map(({ key }) => key))
  })

  it('tell what is wrong with a body', async ({ open, render }) => {
    const jobs = jobsOf([...small, '> '.repeat(120)])
    const left = new Left(open())
    const outcomes = await collect(
      new InlineRenderer(left, { markdown: markdownDefaults }).render(jobs),
    )
    expect(left.keys).toEqual([jobs.at(-1)?.key])
    expect(plain(outcomes)).toEqual(plain(await render(jobs)))
  })
})

it('leaves the messages of a thread alone that is not its own', async () => {
  const code = `
    import { parentPort } from 'node:worker_threads'
    await import(${JSON.stringify(import.meta.resolve('#render-worker'))})
    parentPort.postMessage(parentPort.listenerCount('message'))
  `
  const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
  for (const workerData of [undefined, null, { progress: new Int32Array(1) }]) {
    const worker = new Worker(file, { workerData, execArgv: [] })
    const listeners = await new Promise((resolve) => worker.once('message', resolve))
    expect(listeners).toBe(0)
    await worker.terminate()
  }
})

/** Bytes as text: here they are buffers of Node's, and from a thread they are not. */
function plain(outcomes: readonly Outcome[]): unknown {
  return outcomes.map(({ body, ...rest }) => ({
    ...rest,
    files: body?.files,
    parts: [body?.html, body?.markdown, body?.text].map((part) => [
      Buffer.from(part?.bytes ?? []).toString(),
      Buffer.from(part?.digest ?? []).toString('hex'),
    ]),
  }))
}

/** A pool without threads. */
function hereAlone(): RenderPool {
  const none: RenderPool = {
    render: () => expect.unreachable('a thread was asked'),
    prepare: () => expect.unreachable('a thread was started'),
    close: async () => {},
  }
  return new InlineRenderer(none, { markdown: markdownDefaults })
}

/** Threads, and what they were given. */
class Left implements RenderPool {
  readonly keys: number[] = []
  readonly #pool: RenderPool

  constructor(pool: RenderPool) {
    this.#pool = pool
  }

  render(jobs: RenderJobs): AsyncGenerator<Outcome, void, undefined> {
    return this.#pool.render(this.#noted(jobs))
  }

  async *#noted(jobs: RenderJobs): AsyncGenerator<RenderJob> {
    for await (const job of jobs) {
      this.keys.push(job.key)
      yield job
    }
  }

  prepare(): void {
    this.#pool.prepare()
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}
