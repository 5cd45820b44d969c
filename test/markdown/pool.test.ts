import { describe, expect, it } from 'vitest'
import { collect, endless, jobsOf, openPool, render } from './pools.ts'

it('an outcome places problems in the file, sorted, with the text of a long line once', async () => {
  const long = `[c](tel:1) ![](tel:2) ${'a'.repeat(1000)}`
  const body = `[a](#b) [b](#c)\n\n<nav>\n\n${long}\n`
  const jobs = [{ key: 1, file: 'a.md', bodyLine: 5, body }]
  const [outcome] = await render(jobs)
  expect(outcome?.diagnostics).toMatchObject([
    { code: 'broken-anchor', file: 'a.md', line: 5, column: 1, lineText: '[a](#b) [b](#c)' },
    { code: 'broken-anchor', file: 'a.md', line: 5, column: 9, lineText: '[a](#b) [b](#c)' },
    { code: 'raw-html', file: 'a.md', line: 7, column: 1, lineText: '<nav>' },
    { code: 'unsafe-url', file: 'a.md', line: 9, column: 1, lineText: long },
    { code: 'unsafe-url', file: 'a.md', line: 9, column: 12 },
  ])
  expect(outcome?.diagnostics[4]).not.toHaveProperty('lineText')
  expect(outcome?.body).toBeDefined()
})

describe('a body that is over a limit', () => {
  it('of time is the only one of its batch to be blamed', async () => {
    const bodies = ['a', endless, 'b', 'c']
    const outcomes = await render(jobsOf(bodies), { workers: 1, secondsPerBody: 1 })
    expect(outcomes.map(({ body }) => body !== undefined)).toEqual([true, false, true, true])
    expect(outcomes[1]?.diagnostics).toMatchObject([
      { code: 'render-timeout', severity: 'error', file: 'posts/1.md', line: 2, column: 1 },
    ])
    expect(outcomes[1]?.diagnostics[0]?.message).toContain('within 1 second')
  })

  it('of memory is blamed alone', async () => {
    const bodies = ['a', '*a* '.repeat(100_000), 'b']
    const options = { workers: 1, heapLimitMb: 48, secondsPerBody: 60 }
    const outcomes = await render(jobsOf(bodies), options)
    expect(outcomes.map(({ body }) => body !== undefined)).toEqual([true, false, true])
    expect(outcomes[1]?.diagnostics).toMatchObject([
      { code: 'render-out-of-memory', file: 'posts/1.md', line: 2, column: 1 },
    ])
    expect(outcomes[1]?.diagnostics[0]?.message).toContain('48 MB')
  })
})

it('a pool ends a run when it is closed', async () => {
  const pool = openPool()
  const run = collect(pool.render(jobsOf([endless])))
  setTimeout(() => pool.close(), 50)
  await expect(run).rejects.toThrow('closed')
})
