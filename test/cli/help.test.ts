// Help, and the reference that is generated from the same table. test/blackbox has the errors of use.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { type CommandEntry, commands } from '../../src/cli/commands.ts'
import { wordsOf } from '../../src/cli/program.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { main } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('prints the usage of every command, with examples and a page that exists', async () => {
  const folder = emptyFolder()
  for (const [path, { examples, isPassedOn }] of Object.entries(commands)) {
    if (isPassedOn) continue
    const { exitCode, stdout, stderr } = await call(folder, [...path.split(' '), '--help'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain(`Usage: quarry ${path} `)
    for (const line of Object.keys(examples)) expect(stdout).toContain(`\n  ${line}\n`)
    const [, page = ''] = /^More: (.+)$/m.exec(stdout) ?? []
    expect(existsSync(resolve(folder, page)), page).toBe(true)
  }
})

it('has the reference of docs/cli.md', () => {
  const file = join(import.meta.dirname, '../../docs/cli.md')
  const text = readFileSync(file, 'utf8')
  const start = text.indexOf('-->\n') + '-->\n\n'.length
  const reference = cliReference()
  if (process.env['UPDATE'] === '1') writeFileSync(file, `${text.slice(0, start)}${reference}`)
  else expect(text.slice(start)).toBe(reference)
})

it('repeats no key from the command line', async () => {
  const key = encodeKey(new Uint8Array(32).fill(42))
  const { folder } = temporarySite().post('first')
  for (const line of [
    ...['KEY', 'build KEY', 'build --config KEY', 'build --content KEY', 'serve --port KEY'],
    ...['serve --host=KEY --port 0', 'check --format KEY', 'init KEY', 'explain /v2/posts?key=KEY'],
    ...['explain /v2/posts --key KEY', 'keys KEY', 'keys create --workspace KEY'],
    ...['keys create --workspace acme --name KEY', 'keys create --workspace acme --scopes KEY'],
    ...['keys create --workspace acme --expires KEY', 'keys revoke --workspace acme KEY'],
    'keys list --workspace KEY',
  ]) {
    const words = line.split(' ').map((word) => word.replace('KEY', key))
    const { exitCode, stdout, stderr } = await call(folder, words)
    expect([line, exitCode]).toEqual([line, 2])
    expect(`${stdout}${stderr}`).not.toContain(key.slice(0, 16))
    expect(stderr).not.toBe('')
  }
})

it.runIf(existsSync('/dev/full'))('fails if its result cannot be written', () => {
  const shell = (line: string) =>
    spawnSync('bash', ['-o', 'pipefail', '-c', line, process.execPath, main])
  const { status, stderr } = shell('"$0" "$1" --help > /dev/full')
  expect(status).toBe(2)
  expect(stderr.toString()).toContain('no space left on device')
  // A reader that ends early has what it wants.
  expect(shell('"$0" "$1" --help | sleep 0').status).toBe(0)
})

it('names the path of a system error first, then what helps', async () => {
  const { folder } = temporarySite().posts(1).write('file', '')
  const errorOf = async (...words: string[]) => (await call(folder, words)).stderr
  expect(await errorOf('unused', 'root.json', '--names', 'missing')).toBe(
    'error: missing: no such file or directory (ENOENT).\n',
  )
  expect(await errorOf('schema', '--to', 'file')).toBe('error: file: not a directory (ENOTDIR).\n')
  expect(await errorOf('editor', 'decap', '--to', 'content')).toBe(
    `error: ${join(folder, 'content')} is a folder. Name a file with --to.\n`,
  )
  symlinkSync('looped', join(folder, 'looped'))
  expect(await errorOf('serve', '--out', 'looped')).toMatch(/^error: .*root\.json: .*\(ELOOP\)/)
  await call(folder, ['build'])
  expect(await errorOf('serve', '--host', 'missing.invalid', '--port', '0')).toMatch(
    /^error: getaddrinfo \w+ missing\.invalid\. Choose an address of this machine with --host\.\n/,
  )
})

/** The flags and variables of several commands in one list, then a section for each command that does something. */
function cliReference(): string {
  const all = Object.entries(commands).filter(([, { load }]) => load !== undefined)
  const lines = all.flatMap(([, entry]) => linesOf(entry))
  const shared = lines.filter(
    (line, at) => lines.indexOf(line) === at && lines.lastIndexOf(line) > at,
  )
  const sections = all.map(([path, entry]) => section(`quarry ${path}`, entry, shared))
  return [`${shared.join('\n')}\n`, ...sections].join('\n')
}

function section(path: string, entry: CommandEntry, shared: readonly string[]): string {
  const lines = linesOf(entry)
  const own = lines.filter((line) => !shared.includes(line))
  const others = lines
    .filter((line) => shared.includes(line))
    .map((line) => /`[^` ]+/.exec(line)?.[0])
  const usage = [path, ...Object.keys(entry.argument ?? {}).map(placeholder)].join(' ')
  const paragraphs = [
    `### ${path}`,
    `${entry.about}: \`${usage}\``,
    ...(own.length === 0 ? [] : [own.join('\n')]),
    ...(others.length === 0 ? [] : [`Also ${others.map((name) => `${name}\``).join(', ')}.`]),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** Lines of a list: arguments, flags and environment variables. */
function linesOf({ argument = {}, flags = {}, variables = {} }: CommandEntry): readonly string[] {
  return [
    ...Object.entries({ ...argument, ...flags })
      .filter(([, about]) => typeof about === 'string' || !about.isHidden)
      .map(([words, about]) => `- \`${placeholder(words)}\`: ${wordsOf(about).about}`),
    ...Object.entries(variables).map(([name, about]) => `- \`${name}\`: ${about}`),
  ]
}

function placeholder(words: string): string {
  return words.replace('...', '')
}
