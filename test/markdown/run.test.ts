// Who is blamed when a worker dies, with workers that die on cue.
// Knows nothing of real threads.
import { describe, expect, it } from 'vitest'
import { type Batch, batchesOf } from '../../src/markdown/batches.ts'
import type { Outcome, RenderJob } from '../../src/markdown/job.ts'
import type { BatchEnd, Death } from '../../src/markdown/render-workers.ts'
import { runBatches } from '../../src/markdown/run.ts'
import { collect } from './collect.ts'

const budgets = { secondsPerBody: 5, heapLimitMb: 400 }

/** Jobs are named by their bodies. */
function jobsOf(bodies: string): readonly RenderJob[] {
  return [...bodies].map((body, key) => ({ key, file: `${body}.md`, body, bodyLine: 3 }))
}

async function run(bodies: string, work: (batch: Batch) => BatchEnd): Promise<readonly Outcome[]> {
  const sent: string[] = []
  const workers = {
    size: 2,
    run: async (batch: Batch) => {
      sent.push(namesOf(batch))
      if (sent.length > 100) throw new Error('runs on and on')
      return work(batch)
    },
    stop: () => Promise.resolve(),
  }
  const outcomes = await collect(runBatches(batchesOf(jobsOf(bodies), 1000), workers, budgets))
  return outcomes.toSorted((a, b) => a.key - b.key)
}

const namesOf = ({ jobs }: Batch): string => jobs.map(({ body }) => body).join('')

function done({ jobs }: Batch): BatchEnd {
  return { kind: 'done', outcomes: jobs.map(({ key }) => ({ key, diagnostics: [] })) }
}

function dieOf(batch: Batch, body: string, death: Death): BatchEnd {
  const index = namesOf(batch).indexOf(body)
  const error = new Error('first line\nsecond line')
  return index === -1 ? done(batch) : { kind: 'died', index, death, error }
}

function codesOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ diagnostics }) => diagnostics[0]?.code ?? 'fine')
}

describe('a worker that dies', () => {
  it.each([
    ['timeout', 'render-timeout'],
    ['memory', 'render-out-of-memory'],
    ['crash', 'render-failed'],
  ] as const)('of %s leaves %s on the job it was on, and on no other', async (death, code) => {
    const outcomes = await run('abXcd', (batch) => dieOf(batch, 'X', death))
    expect(codesOf(outcomes)).toEqual(['fine', 'fine', code, 'fine', 'fine'])
    expect(outcomes[2]?.diagnostics).toMatchObject([{ file: 'X.md', line: 3, column: 1 }])
  })

  it('tells the first line of what it died of', async () => {
    const [outcome] = await run('X', (batch) => dieOf(batch, 'X', 'crash'))
    expect(outcome?.diagnostics[0]?.message).toMatch(/first line$/)
  })

  it('of memory that others filled leaves no blame', async () => {
    const outcomes = await run('abXcd', (batch) =>
      batch.isQuarantined === true ? done(batch) : dieOf(batch, 'X', 'memory'),
    )
    expect(codesOf(outcomes)).toEqual(['fine', 'fine', 'fine', 'fine', 'fine'])
  })

  it('leaves blame on every job that it deserves', async () => {
    const outcomes = await run('XaXXbX', (batch) => dieOf(batch, 'X', 'memory'))
    const blamed = codesOf(outcomes).map((code) => code === 'render-out-of-memory')
    expect(blamed).toEqual([true, false, true, true, false, true])
  })

  it('takes other batches with it, which are run again', async () => {
    let drops = 3
    const outcomes = await run('ab', (batch) => {
      drops -= 1
      return drops >= 0 ? { kind: 'dropped' } : done(batch)
    })
    expect(codesOf(outcomes)).toEqual(['fine', 'fine'])
  })

  it('while it renders nothing ends the run with its reason', async () => {
    const fault: BatchEnd = { kind: 'fault', error: new Error('no such file') }
    await expect(run('ab', () => fault)).rejects.toThrow('no such file')
  })
})
