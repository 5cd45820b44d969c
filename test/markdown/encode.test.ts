// A fault of the renderer is an error of its body, never an exception.
import { expect, it } from 'vitest'
import { renderJob } from '../../src/markdown/encode.ts'
import { markdownDefaults } from '../../src/markdown/options.ts'
import type { Stages } from '../../src/markdown/stages.ts'

/** A part of the renderer that throws a value for every body. */
const throwing = (value: unknown): Stages => ({
  mdx: {
    read: () => {
      throw value
    },
  },
})

it.each([
  [new TypeError('no such node\n    at somewhere'), 'no such node'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('turns %s into one line', (value, line) => {
  const job = { key: 1, file: 'a.mdx', body: 'b', bodyLine: 4, isMdx: true }
  const { body, diagnostics } = renderJob(job, markdownDefaults, throwing(value))
  expect(body).toBeUndefined()
  expect(diagnostics).toMatchObject([
    { code: 'render-failed', severity: 'error', file: 'a.mdx', line: 4, column: 1 },
  ])
  expect(diagnostics[0]?.message).toBe(`The Markdown could not be rendered: ${line}`)
})
