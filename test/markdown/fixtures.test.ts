// Golden files: what each piece of Markdown becomes. They change only with UPDATE=1.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './rendered.ts'

const folder = new URL('../fixtures/markdown/', import.meta.url)

describe.each(readdirSync(folder))('%s', (name) => {
  const file = (part: string) => new URL(`${name}/${part}`, folder)
  const { html, text, problems } = renderMarkdown(readFileSync(file('input.md'), 'utf8'))

  it.each([
    ['output.html', html],
    ['text.txt', `${text}\n`],
  ])('%s is as recorded', (part, actual) => {
    if (process.env['UPDATE'] === '1') writeFileSync(file(part), actual)
    expect(actual).toBe(readFileSync(file(part), 'utf8'))
  })

  it('has no problem', () => {
    expect(problems).toEqual([])
  })
})
