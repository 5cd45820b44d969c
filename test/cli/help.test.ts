import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commandNodes } from '../../src/cli/completion/tree.ts'
import { examples } from '../../src/cli/examples.ts'
import { createProgram } from '../../src/cli/program.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { pathWithQuickNpm } from '../support/quick-npm.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')
const paths = commandNodes(createProgram()).map(({ path }) => path)

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
  // Servers do not end by themselves, and other hosts are not there: these examples are read by the same
  // command line, and go no further.
  const all = Object.entries(examples).flatMap(([path, lines]) =>
    lines.map(({ line }) => ({ path, line })),
  )
  const needsServer = ({ line }: { readonly line: string }) =>
    /^quarry (dev|serve|doctor|publish|follow|notify)\b/.test(line)

  it('can be run', async () => {
    const folder = emptyFolder({
      'old-blog/_posts/2026-01-01-hello.md': 'Hello.',
      'old-blog.xml':
        '<rss><channel><item><title>Old</title><wp:post_date>2026-01-01 00:00:00</wp:post_date></item></channel></rss>',
    })
    const home = emptyFolder({ '.config/fish/completions/other.fish': '' })
    const bin = join(home, 'quarry')
    writeFileSync(
      bin,
      `#!/bin/sh\nexec '${process.execPath}' '${root}/.lib/command/main.js' "$@"\n`,
    )
    chmodSync(bin, 0o755)
    const env = { PATH: `${home}:${pathWithQuickNpm()}`, HOME: home }
    for (const { line } of all.filter((example) => !needsServer(example))) {
      const isBeforeProject = line.startsWith('quarry init')
      const cwd = isBeforeProject ? folder : join(folder, 'my-site')
      // Two commands have it; it makes the project in which the others are run.
      if (line === 'quarry init my-site' && existsSync(join(folder, 'my-site'))) continue
      // What zsh alone understands is shown to it by other tests.
      const command = line.includes('zsh') ? 'quarry completion zsh' : line
      const running = promisify(execFile)('bash', ['-c', command], { cwd, env })
      running.child.stdin?.end('qk_not-a-key')
      const { stderr } = await running
      expect(stderr, line).not.toContain('error')
      if (line !== 'quarry init my-site') continue
      mkdirSync(join(folder, 'my-site/node_modules'))
      symlinkSync(root, join(folder, 'my-site/node_modules/quarry'))
    }
    expect(existsSync(join(folder, 'handbook/content/handbook/posts'))).toBe(true)
    expect(existsSync(join(folder, 'my-site/next/manifest.json'))).toBe(true)
    expect(existsSync(join(home, '.config/fish/completions/quarry.fish'))).toBe(true)
  })

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
