// Messages and exit codes of the compiled command; see README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import type { Run } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { brokenFiles, filesOfCases, good } from './cases.ts'
import { expectGolden, readGolden } from './golden.ts'
import { quarry } from './programs.ts'
import { now } from './site.ts'

it.each(['text', 'json', 'github'])(
  'reports every problem of a broken site as %s',
  async (format) => {
    const site = emptyFolder(brokenFiles)
    const run = await quarry(site, ['check', '--format', format])
    expectGolden({
      [`cli/broken-${format}.txt`]: runLines(`quarry check --format ${format}`, run, site),
    })
  },
)

/** The cases and their commands are those of the golden file: to add one, write its `$` line there. */
it('says what is wrong, and exits with the code for it', async () => {
  const cases = readGolden('cli/messages.txt')
    .split(/^== /m)
    .slice(1)
    .map((text) => text.split('\n').filter((line, at) => at === 0 || line.startsWith('$ ')))
  const blocks: string[] = []
  const waiting = [...cases.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, [name = '', ...commands]] = next
      const site = emptyFolder(filesOfCases[name] ?? good)
      blocks[index] = `== ${name}\n`
      for (const line of commands) blocks[index] += await runOf(line.slice(2), site)
    }
  }
  await Promise.all([work(), work(), work()])
  expectGolden({ 'cli/messages.txt': blocks.join('\n') })
})

/** Runs a line such as `QUARRY_OUT=x quarry build`; words end at spaces, and `NOW` is the time of the suite. */
async function runOf(line: string, site: string): Promise<string> {
  const [variables = '', words = ''] = line.split(/quarry (.*)/)
  const environment = Object.fromEntries(
    [...variables.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  const given = words === '' ? [] : words.split(' ').map((word) => (word === 'NOW' ? now : word))
  return runLines(line, await quarry(site, given, environment), site)
}

/** A command, its exit code, and what it wrote: `|` to stdout, `!` to stderr. */
function runLines(line: string, { exitCode, stdout, stderr }: Run, site: string): string {
  const stream = (mark: string, text: string) => {
    const lines = stable(text, site).replace(/\n$/, '').split('\n')
    return text === '' ? '' : lines.map((line) => `${`  ${mark} ${line}`.trimEnd()}\n`).join('')
  }
  return `$ ${line}\n  exit ${exitCode}\n${stream('|', stdout)}${stream('!', stderr)}`
}

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
)

/** Without what differs from machine to machine and from run to run. */
function stable(text: string, site: string): string {
  return text
    .replaceAll(site, '<site>')
    .replaceAll(join(import.meta.dirname, '../..'), '<quarry>')
    .replaceAll(version, '<version>')
    .replace(/qk_[0-9A-Za-z]{49}/g, '<key>')
    .replace(/(?<=Web \()[a-z0-9]{8}(?=\))|(?<=^ *acme +)[a-z0-9]{8}(?= )/gm, '<key id>')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b[0-9a-f]{32}\b/g, '<etag>')
    .replace(/\b[0-9a-f]{16}\b/g, '<build>')
    .replace(/\bin \d[\d.,]* m?s\b/g, 'in <time>')
    .replace(/\b[\d,]+ files, [\d.]+ [kM]?B\b/g, '<count> files, <size>')
    .replace(/\([\d,]+ written, [\d,]+ unchanged, [\d,]+ removed\)/g, '(<counts>)')
    .replace(/"(files|milliseconds)":\{[^}]*\}/g, '"$1":{…}')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '<address>')
}
