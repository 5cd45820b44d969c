// The traps of the libraries: each is shown on the bare library first, then not to be one here.
// Knows nothing of threads but how to end one.
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { createRenderPool } from '../../src/markdown/pool.ts'
import { bareHtml, nestedStrong, wideTable } from './bare.ts'
import { collect } from './collect.ts'
import { valuesOf } from './html.ts'
import { endless } from './pools.ts'
import { renderMarkdown } from './rendered.ts'

const codes = (body: string) => renderMarkdown(body).problems.map(({ code }) => code)

describe('a raw HTML block', () => {
  const body = 'Before.\n\n<details>\nAll of this.\n</details>\n\nAfter.'

  it('is dropped with its text, without a word', () => {
    expect(bareHtml(body)).toBe('<p>Before.</p>\n<p>After.</p>\n')
  })

  it('is kept', () => {
    const { html, problems } = renderMarkdown(body)
    expect(html).toBe('<p>Before.</p>\n<details>\nAll of this.\n</details>\n<p>After.</p>\n')
    expect(problems).toEqual([])
  })

  it('is reported with its place where a site leaves it out', () => {
    const { html, problems } = renderMarkdown(body, { html: 'omit' })
    expect(html).toBe(bareHtml(body))
    expect(problems).toMatchObject([{ code: 'raw-html', severity: 'warning', line: 3, column: 1 }])
  })
})

describe('a link to a telephone', () => {
  it.each(['tel:+123', 'sms:+123'])('%s loses its target, without a word', (url) => {
    expect(bareHtml(`[call](${url})`)).toBe('<p><a>call</a></p>\n')
  })

  it.each(['tel:+123', 'sms:+123'])('%s is told of', (url) => {
    expect(codes(`[call](${url})`)).toEqual(['unsafe-url'])
  })
})

describe('footnotes', () => {
  const body = 'One[^1], two[^two], one[^1], ü[^ü].\n\n[^1]: A.\n\n[^two]: B.\n\n[^ü]: C.\n'

  function deadLinks(html: string): readonly string[] {
    const ids = new Set(valuesOf(html, 'id'))
    return valuesOf(html, 'href').filter((href) => href.startsWith('#') && !ids.has(href.slice(1)))
  }

  it('have dead links, because ids are prefixed twice', () => {
    const html = bareHtml(body)
    expect(valuesOf(html, 'id')).toContain('user-content-user-content-fn-1')
    expect(deadLinks(html)).toContain('#user-content-fn-1')
  })

  it('lead where they say, there and back', () => {
    const { html, problems } = renderMarkdown(body)
    expect(valuesOf(html, 'href')).toContain('#user-content-fn-1')
    expect(valuesOf(html, 'id')).toContain('user-content-fn-1')
    expect(deadLinks(html)).toEqual([])
    expect(problems).toEqual([])
  })

  it('have unique ids', () => {
    const ids = valuesOf(renderMarkdown(body).html, 'id')
    expect(ids).toEqual([...new Set(ids)])
  })
})

describe('an anchor that leads nowhere', () => {
  it('is kept, without a word', () => {
    expect(bareHtml('# A\n\n[a](#a)')).toBe('<h1>A</h1>\n<p><a href="#a">a</a></p>\n')
  })

  it('is told of', () => {
    expect(codes('# A\n\n[a](#b)')).toEqual(['broken-anchor'])
  })
})

describe('a scheme in capitals', () => {
  it('loses its target, without a word', () => {
    expect(bareHtml('[a](HTTPS://example.com)')).toBe('<p><a>a</a></p>\n')
  })

  it('is told of', () => {
    expect(codes('[a](HTTPS://example.com)')).toEqual(['unsafe-url'])
  })
})

describe('3 KB of quotes', () => {
  const body = '>'.repeat(3000)

  it('overflow the stack', () => {
    expect(() => bareHtml(body)).toThrow(RangeError)
  })

  it('are an error', () => {
    expect(codes(body)).toEqual(['too-deep'])
  })
})

describe('a wide table', () => {
  it('makes HTML that grows with the square of its source', () => {
    const [small, large] = [wideTable(50), wideTable(200)]
    expect(large.length / small.length).toBeLessThan(5)
    expect(bareHtml(large).length / bareHtml(small).length).toBeGreaterThan(10)
  })

  it('is an error before it is made', () => {
    expect(codes(wideTable(1000))).toEqual(['html-too-large'])
  })
})

describe.each([
  ['100 KB of brackets', endless],
  ['strong text in strong text', nestedStrong(20_000)],
])('%s', (_, body) => {
  it('cannot be stopped but with the thread', async () => {
    expect(await bareInThread(body)).toEqual(['started'])
  })

  it('is an error after its time, and nothing else is', async () => {
    const pool = createRenderPool({ workers: 1, secondsPerBody: 1 })
    const bodies = ['*before*', body, '*after*']
    const jobs = bodies.map((text, key) => ({ key, file: `${key}.md`, body: text, bodyLine: 7 }))
    const outcomes = (await collect(pool.render(jobs))).toSorted((a, b) => a.key - b.key)
    await pool.close()
    expect(outcomes).toMatchObject([
      { key: 0, diagnostics: [] },
      { key: 1, diagnostics: [{ code: 'render-timeout', file: '1.md', line: 7, column: 1 }] },
      { key: 2, diagnostics: [] },
    ])
    expect(outcomes.map((outcome) => outcome.body !== undefined)).toEqual([true, false, true])
    expect(outcomes[1]?.diagnostics[0]?.message).toContain('within 1 second')
  })
})

/** What the bare library told of itself before its thread was ended, a moment after it began. */
async function bareInThread(body: string): Promise<readonly unknown[]> {
  const messages: unknown[] = []
  const url = new URL('./bare-worker.mjs', import.meta.url)
  const worker = new Worker(url, { workerData: body, execArgv: [] })
  await new Promise((resolve, reject) => {
    worker.on('error', reject)
    worker.on('message', (message) => {
      messages.push(message)
      setTimeout(resolve, 500)
    })
  })
  await worker.terminate()
  return messages
}
