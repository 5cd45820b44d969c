// Help, the reference that is made of it, and what an error says of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { createProgram } from '../../src/cli/program.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { cliReference } from '../support/cli-reference.ts'
import { call } from '../support/command-call.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

describe('help', () => {
  it('of every command has a usage, examples and a page that is there', async () => {
    const folder = emptyFolder()
    for (const [path, { examples, isPassedOn }] of Object.entries(commands)) {
      if (isPassedOn) continue
      const { exitCode, stdout, stderr } = await call(folder, [...path.split(' '), '--help'])
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout).toContain(`Usage: quarry ${path} `)
      for (const [line] of examples) expect(stdout).toContain(`\n  ${line}\n`)
      const [, page = ''] = /^More: (.+)$/m.exec(stdout) ?? []
      expect(existsSync(resolve(folder, page)), page).toBe(true)
    }
  })

  it('gives the version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const flag of ['--version', '-V'])
      expect(await call(emptyFolder(), [flag])).toMatchObject({
        exitCode: 0,
        stdout: `${version}\n`,
      })
  })

  it('has examples that are understood', async () => {
    for (const [line = ''] of Object.values(commands).flatMap(({ examples }) => examples)) {
      const program = createProgram()
      const given: object[] = []
      for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
        command.action((...words: readonly unknown[]) => void given.push(words.at(-2) as object))
      const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, text]) => text ?? word)
      await program.parseAsync(words.slice(1), { from: 'user' })
      expect([line, given.length]).toEqual([line, 1])
      if (line.includes('--port')) expect(given[0]).toMatchObject({ port: 8080 })
    }
  })
})

describe('docs/cli.md', () => {
  const file = join(root, 'docs/cli.md')
  const text = readFileSync(file, 'utf8')

  it('has the reference that the table of commands makes', () => {
    const start = text.indexOf('-->\n') + '-->\n\n'.length
    const made = cliReference()
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

describe('an error', () => {
  it.each([
    [[], 'quarry init my-site'],
    [['bulid'], 'Did you mean build?'],
    [['keys', 'crate'], 'Did you mean create?'],
    [['build', '--ouy', 'x'], 'Did you mean --out?'],
    [['build', '--ouy', 'x'], 'npx quarry build --help for its flags'],
    [['keys', 'create'], 'npx quarry keys create --help for its flags'],
    [['serve', '--out', 'nowhere'], 'Run npx quarry build first.'],
    [['explain', '/', '--out', 'nowhere'], 'Run npx quarry build first.'],
    [['init', 'content'], 'Name a new folder: npx quarry init my-site'],
    [['doctor'], 'Pass the URL of the deployment'],
    [['doctor', 'ftp://example.com'], 'must be an address'],
    [['doctor', '--probe', 'http://127.0.0.1:1', '--files', '0'], 'must be a number'],
  ])('says what to do next: %j', async (words, step) => {
    const { exitCode, stdout, stderr } = await call(temporarySite().folder, words)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(step)
    expect(stderr).not.toContain('    at ')
  })

  it('repeats no key that somebody put among the words', async () => {
    const key = encodeKey(new Uint8Array(32).fill(42))
    const { folder } = temporarySite().post('first')
    for (const words of [
      [key],
      ['build', key],
      ['build', '--config', key],
      ['build', '--content', key],
      ['serve', '--port', key],
      ['serve', `--host=${key}`, '--port', '0'],
      ['check', '--format', key],
      ['init', key],
      ['explain', `/v2/posts?key=${key}`],
      ['explain', '/v2/posts', '--key', key],
      ['keys', key],
      ['keys', 'create', '--workspace', key],
      ['keys', 'create', '--workspace', 'acme', '--name', key],
      ['keys', 'create', '--workspace', 'acme', '--scopes', key],
      ['keys', 'create', '--workspace', 'acme', '--expires', key],
      ['keys', 'revoke', '--workspace', 'acme', key],
      ['keys', 'list', '--workspace', key],
    ]) {
      const { exitCode, stdout, stderr } = await call(folder, words)
      expect(exitCode).toBe(2)
      expect(`${stdout}${stderr}`).not.toContain(key.slice(0, 16))
      expect(stderr).not.toBe('')
    }
  })
})
