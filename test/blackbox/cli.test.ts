// Messages and exit codes of the compiled command; see README.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, it } from 'vitest'
import { brokenFiles, cases, type Files } from './cases.ts'
import { expectGolden } from './golden.ts'
import { quarry, type Run, temporaryFolder } from './programs.ts'
import { now } from './site.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

it.each(['text', 'json', 'github'])(
  'reports every problem of a broken site as %s',
  async (format) => {
    const site = write(`broken-${format}`, brokenFiles)
    const run = await quarry(site, ['check', '--format', format, '--no-cache'])
    expectGolden({ [`cli/broken-${format}.txt`]: runLines(`check --format ${format}`, run, site) })
  },
)

it('says what is wrong, and exits with the code for it', async () => {
  const blocks: string[] = []
  const waiting = [...cases.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { name, files, commands, environment }] = next
      const site = write(`case-${index}`, files)
      const runs: string[] = []
      for (const words of commands) {
        runs.push(runLines(words, await quarry(site, wordsOf(words), environment), site))
      }
      blocks[index] = `== ${name}\n${runs.join('')}`
    }
  }
  await Promise.all([work(), work(), work()])
  expectGolden({ 'cli/messages.txt': blocks.join('\n') })
})

function write(name: string, files: Files): string {
  const site = join(folder.path, name)
  mkdirSync(site)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), content)
  }
  return site
}

/** Words are split at spaces; `NOW` is the time of the suite. */
function wordsOf(line: string): readonly string[] {
  return line === '' ? [] : line.split(' ').map((word) => (word === 'NOW' ? now : word))
}

/** A command, its exit code, and what it wrote: `|` to stdout, `!` to stderr. */
function runLines(words: string, { exitCode, stdout, stderr }: Run, site: string): string {
  const stream = (mark: string, text: string) => {
    const lines = stable(text, site).replace(/\n$/, '').split('\n')
    return text === '' ? '' : lines.map((line) => `${`  ${mark} ${line}`.trimEnd()}\n`).join('')
  }
  return `$ quarry ${words}\n  exit ${exitCode}\n${stream('|', stdout)}${stream('!', stderr)}`
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
