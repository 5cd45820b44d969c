// Rendering in threads: the same results as without, and within budgets.
// Knows nothing of how threads are told apart.
import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { collect } from './collect.ts'
import { endless, it, jobsOf } from './pools.ts'
import { renderMarkdown } from './rendered.ts'

const kinds: readonly string[] = [
  '# Post\n\nSome *text* and `code` é 日本 "quoted" \\ \u2028\n\n- a\n- b[^1]\n\n[^1]: c\n',
  '',
  '<div></div>\n\n[a](tel:1) [b](#nowhere)',
  `${'> '.repeat(60)}deep`,
  '> '.repeat(120),
]
const mixed = [
  ...Array.from({ length: 40 }, (_, index) => `${kinds[index % kinds.length]}${index}`),
  'large '.repeat(8000),
]

const heavy = '*a* '.repeat(100_000)

describe('an outcome', () => {
  const body = '# Title "é"\n\n日本 *text* \u2028 \\ end'

  it('holds the HTML and the Markdown as JSON literals, and the visible text', async ({
    render,
  }) => {
    const [outcome] = await render(jobsOf([body]))
    const parse = (bytes: Uint8Array = new Uint8Array()) =>
      JSON.parse(Buffer.from(bytes).toString())
    expect(parse(outcome?.body?.html.bytes)).toBe(renderMarkdown(body).html)
    expect(parse(outcome?.body?.markdown.bytes)).toBe(body)
    expect(Buffer.from(outcome?.body?.text.bytes ?? []).toString()).toBe(renderMarkdown(body).text)
  })

  it('has digests of its bytes', async ({ render }) => {
    const [outcome] = await render(jobsOf([body]))
    for (const part of [outcome?.body?.html, outcome?.body?.markdown, outcome?.body?.text]) {
      const sha256 = createHash('sha256').update(part?.bytes ?? '')
      expect(Buffer.from(part?.digest ?? [])).toEqual(sha256.digest().subarray(0, 16))
    }
  })

  it('places problems in the file, sorted', async ({ render }) => {
    const jobs = [{ key: 1, file: 'a.md', bodyLine: 5, body: '[a](#b)\n\n<nav>\n\n[c](tel:1)\n' }]
    const [outcome] = await render(jobs)
    expect(outcome?.diagnostics).toMatchObject([
      { code: 'broken-anchor', file: 'a.md', line: 5, column: 1, lineText: '[a](#b)' },
      { code: 'raw-html', file: 'a.md', line: 7, column: 1, lineText: '<nav>' },
      { code: 'unsafe-url', file: 'a.md', line: 9, column: 1, lineText: '[c](tel:1)' },
    ])
    expect(outcome?.body).toBeDefined()
  })

  it('has no body when there is an error', async ({ render }) => {
    const [outcome] = await render(jobsOf(['> '.repeat(120)]))
    expect(outcome).toMatchObject({ diagnostics: [{ code: 'too-deep', severity: 'error' }] })
    expect(outcome).not.toHaveProperty('body')
  })

  it('tells no line that is too long to be shown', async ({ render }) => {
    const [outcome] = await render(jobsOf([`${'a '.repeat(5000)}[b](tel:1)`]))
    expect(outcome?.diagnostics[0]).not.toHaveProperty('lineText')
  })
})

describe('the outcomes', () => {
  it('are the same for any number of workers and any size of batch', async ({ render }) => {
    const jobs = jobsOf(mixed)
    const [expected, ...others] = await Promise.all([
      render(jobs, { workers: 1 }),
      render(jobs, { workers: 2, batchBytes: 1 }),
      render(jobs, { workers: 3, batchBytes: 20_000 }),
    ])
    expect(expected?.map(({ key }) => key)).toEqual(jobs.map(({ key }) => key))
    for (const other of others) expect(other).toEqual(expected)
  })

  it('are none for no jobs', async ({ render }) => {
    expect(await render([])).toEqual([])
  })

  it('come from jobs that are read on the way', async ({ render }) => {
    async function* read() {
      for (const job of jobsOf(mixed)) yield await Promise.resolve(job)
    }
    expect(await render(read())).toEqual(await render(jobsOf(mixed)))
  })

  it('come from two runs at a time', async ({ open }) => {
    const pool = open({ batchBytes: 1 })
    const runs = [jobsOf(mixed.slice(0, 20)), jobsOf(mixed.slice(20))]
    const counts = runs.map(async (jobs) => (await collect(pool.render(jobs))).length)
    expect(await Promise.all(counts)).toEqual(runs.map((jobs) => jobs.length))
  })
})

describe('a body that is over a budget', () => {
  it('is the only one of its batch to be blamed, wherever it stands', async ({ render }) => {
    const bodies = ['a', endless, 'b', 'c', endless, 'd']
    const outcomes = await render(jobsOf(bodies), { workers: 1, secondsPerBody: 1 })
    const blamed = outcomes.filter(({ body }) => body === undefined)
    expect(blamed).toMatchObject([
      { key: 10, diagnostics: [{ code: 'render-timeout', severity: 'error', line: 2, column: 1 }] },
      { key: 40, diagnostics: [{ code: 'render-timeout', severity: 'error', line: 5, column: 1 }] },
    ])
  })

  it('of memory is blamed alone', async ({ render }) => {
    const bodies = ['a', heavy, 'b']
    const options = { workers: 1, heapLimitMb: 48, secondsPerBody: 60 }
    const outcomes = await render(jobsOf(bodies), options)
    expect(outcomes.map(({ body }) => body !== undefined)).toEqual([true, false, true])
    expect(outcomes[1]?.diagnostics).toMatchObject([
      { code: 'render-out-of-memory', file: 'posts/1.md', line: 2, column: 1 },
    ])
    expect(outcomes[1]?.diagnostics[0]?.message).toContain('48 MB')
  })
})

it('gives outcomes of the documented shape', async ({ render }) => {
  const [outcome] = await render(jobsOf(['a']))
  expect(Object.keys(outcome ?? {}).toSorted()).toEqual(['body', 'diagnostics', 'key'])
})
