import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examples } from '../../src/cli/examples.ts'
import { createProgram } from '../../src/cli/program.ts'
import { cliReference, commandPaths } from '../support/cli-reference.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

const file = join(import.meta.dirname, '../../docs/cli.md')
const text = readFileSync(file, 'utf8')

describe('the reference of the command line', () => {
  it('says what the commands are', () => {
    const start = text.indexOf('-->\n') + '-->\n\n'.length
    const made = cliReference(createProgram())
    if (process.env['UPDATE'] === '1') writeFileSync(file, `${text.slice(0, start)}${made}`)
    else expect(text.slice(start)).toBe(made)
  })

  it('shows an explanation as it is printed', async () => {
    const [, command = '', shown = ''] =
      /^```\n\$ quarry (explain .+)\n([\s\S]*?)^```/m.exec(text) ?? []
    const site = temporarySite()
      .write('content/my-site/categories/news.md', '---\nname: News\n---\n')
      .write('content/my-site/tags/writing.md', '---\nname: Writing\n---\n')
      .write(
        'content/my-site/posts/2026-01-01-hello.md',
        '---\ntitle: Hello\ncategory: news\ntags: [writing]\n---\n',
      )
    await site.build()
    const words = command.replaceAll('"', '').split(' ')
    expect((await call(site.folder, words)).stdout.startsWith(shown)).toBe(true)
    expect(shown).toContain('source   ')
  })
})

describe('the examples', () => {
  it('are there for every command, and for no other', () => {
    expect(Object.keys(examples).sort()).toEqual(
      commandPaths(createProgram())
        .filter((path) => path !== 'quarry import')
        .sort(),
    )
  })
})
