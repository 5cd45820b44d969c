// A fault of the renderer is an error of its body, never an exception.
// Knows nothing of why a renderer would throw.
import { expect, it, vi } from 'vitest'
import { renderJob } from '../../src/markdown/encode.ts'
import { markdownDefaults } from '../../src/markdown/options.ts'

const thrown = vi.hoisted(() => ({ value: undefined as unknown }))

vi.mock('../../src/markdown/render.ts', () => ({
  renderMarkdown: () => {
    throw thrown.value
  },
}))

it.each([
  [new TypeError('no such node\n    at somewhere'), 'no such node'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('turns %s into one line', (value, line) => {
  thrown.value = value
  const { body, diagnostics } = renderJob(
    { key: 1, file: 'a.md', body: 'b', bodyLine: 4 },
    markdownDefaults,
    {},
  )
  expect(body).toBeUndefined()
  expect(diagnostics).toMatchObject([
    { code: 'render-failed', severity: 'error', file: 'a.md', line: 4, column: 1 },
  ])
  expect(diagnostics[0]?.message).toBe(`The Markdown could not be rendered: ${line}`)
})
