import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examples } from '../../src/cli/examples.ts'
import { createProgram } from '../../src/cli/program.ts'
import { commandPaths } from '../support/cli-reference.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')
const paths = commandPaths(createProgram()).filter((path) => path !== 'quarry import')

describe('help', () => {
  it.each(paths)('of %s has a usage, examples and a document that is there', async (path) => {
    const folder = emptyFolder()
    const { exitCode, stdout, stderr } = await call(folder, [...path.split(' ').slice(1), '--help'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain(`Usage: ${path} `)
    for (const { line } of examples[path] ?? []) expect(stdout).toContain(`\n  ${line}\n`)
    const [, document = ''] = /^More: (.+)$/m.exec(stdout) ?? []
    expect(existsSync(resolve(folder, document)), document).toBe(true)
  })

  it('is shown for quarry alone, which is wrong use', async () => {
    const { exitCode, stdout, stderr } = await call(emptyFolder(), [])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('quarry init my-site')
  })

  it.each([['--version'], ['-V']])('gives the version for %s', async (flag) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(await run(emptyFolder(), [flag])).toEqual({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })
})

describe('an example of the help', () => {
  // Servers do not end by themselves, and other hosts do not exist here: these examples are parsed, and go no further.
  const all = Object.entries(examples).flatMap(([path, lines]) =>
    lines.map(({ line }) => ({ path, line })),
  )
  const needsServer = ({ line }: { readonly line: string }) =>
    /^quarry (dev|serve|doctor|notify)\b/.test(line)

  it.each(all.filter(needsServer).map(({ line }) => line))('is understood: %s', async (line) => {
    const program = createProgram()
    const given: object[] = []
    for (const command of program.commands) {
      command.action((...words: readonly unknown[]) => void given.push(words.at(-2) as object))
    }
    await program.parseAsync(line.split(' ').slice(1), { from: 'user' })
    expect(given).toHaveLength(1)
    expect(given[0]).toMatchObject(line.includes('--port') ? { port: 8080 } : {})
  })
})

describe('an error says what to do next', () => {
  it.each([
    [['bulid'], 'Did you mean build?'],
    [['bulid'], 'npx quarry --help for the commands'],
    [['keys', 'crate'], 'Did you mean create?'],
    [['build', '--ouy', 'x'], 'Did you mean --out?'],
    [['build', '--ouy', 'x'], 'npx quarry build --help for its flags'],
    [['keys', 'create'], 'npx quarry keys create --help for its flags'],
    [['build', '--content', 'nowhere'], 'quarry init my-site'],
    [['serve', '--out', 'nowhere'], 'Run npx quarry build first.'],
    [['explain', '/', '--out', 'nowhere'], 'Run npx quarry build first.'],
    [['init', 'content'], 'Name a new folder: npx quarry init my-site'],
  ])('for %j', async (words, step) => {
    const { exitCode, stdout, stderr } = await call(temporarySite().folder, words)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(step)
  })

  it.each([['serve'], ['dev', '--strict-port']])(
    'for a port that is in use: %s %s',
    async (command, ...flags) => {
      const site = temporarySite().post('first')
      if (command === 'serve') await site.build()
      const taken = createServer().listen(0, '127.0.0.1')
      onTestFinished(() => void taken.close())
      await new Promise((done) => taken.once('listening', done))
      const address = taken.address()
      const port = typeof address === 'object' ? String(address?.port) : ''
      const { exitCode, stderr } = await run(site.folder, [command, ...flags, '--port', port])
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(
        new RegExp(
          `${port}(?: is taken)?\\. Choose another with --port; 0 takes any that is free\\.`,
        ),
      )
      // Told before anything was built.
      expect(existsSync(site.out)).toBe(command === 'serve')
    },
  )
})
