// Measures each kind of change: processor time, wall time, peak memory, and the changed bytes of the function's
// files. Alternates with another checkout, if one is given.
// Usage: npm run bench:edits -- [posts …] [--mean-bytes 8000] [--repeats 3] [--against CHECKOUT]
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeCorpus } from './corpus.ts'
import { median, seconds } from './figures.ts'
import { type Figures, measure } from './measured-run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'mean-bytes': { type: 'string', default: '8000' },
    repeats: { type: 'string', default: '3' },
    against: { type: 'string' },
  },
})
const meanBytes = Number(values['mean-bytes'])
const repeats = Number(values.repeats)
const counts = positionals.length > 0 ? positionals.map(Number) : [1000, 5000, 20_000]
const others = values.against === undefined ? [] : [resolve(values.against)]
const root = mkdtempSync(join(tmpdir(), 'quarry-edits-'))

/** A kind of change. `posts` is the folder of posts; no two rounds change the same post. */
interface Change {
  readonly name: string
  readonly apply: (posts: string, round: number) => void
}

const changes: readonly Change[] = [
  { name: 'no change', apply: () => {} },
  { name: 'body', apply: edit((text, round) => `${text}\nEdited ${round}.\n`) },
  { name: 'title', apply: edit((text, round) => text.replace('title: "', `title: "${round} `)) },
  { name: 'new post', apply: addPost },
  {
    name: 'removed post',
    apply: (posts, round) => rmSync(join(posts, fileNames(posts)[round * 7 + 3] ?? '')),
  },
]

interface Site {
  readonly checkout: string
  readonly folder: string
}

interface Run extends Figures {
  readonly changedBytes: number
}

try {
  for (const count of counts) await compare(count)
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function compare(posts: number): Promise<void> {
  print(`${posts} posts of ${meanBytes} bytes; median of ${repeats}`)
  print('              processor, wall, peak memory, changed below dist/function')
  const sites = [process.cwd(), ...others].map((checkout, at): Site => {
    const folder = join(root, `${posts}-${at}`)
    writeCorpus(join(folder, 'content'), { posts, meanBytes })
    return { checkout, folder }
  })
  const cold: Run[][] = []
  for (const site of sites) cold.push([await run(site)])
  printRuns('cold', cold)
  for (const { name, apply } of changes) {
    const runs: Run[][] = sites.map(() => [])
    for (let round = 0; round < repeats; round++) {
      for (const [at, site] of sites.entries()) {
        apply(join(site.folder, 'content', 'bench', 'posts'), round)
        runs[at]?.push(await run(site))
      }
    }
    printRuns(name, runs)
  }
  for (const { folder } of sites) rmSync(folder, { recursive: true })
}

async function run({ checkout, folder }: Site): Promise<Run> {
  const before = functionFiles(folder)
  const main = join(checkout, '.lib', 'cli', 'main.js')
  const figures = await measure({ file: process.execPath, args: [main, 'build'], folder })
  const after = functionFiles(folder)
  const changed = [...after].filter(([name, { modified }]) => {
    return before.get(name)?.modified !== modified
  })
  return { ...figures, changedBytes: changed.reduce((sum, [, { size }]) => sum + size, 0) }
}

interface FileState {
  readonly size: number
  readonly modified: number
}

function functionFiles(site: string): ReadonlyMap<string, FileState> {
  const folder = join(site, 'dist', 'function')
  const stats = fileNames(folder).map((name) => [name, statSync(join(folder, name))] as const)
  return new Map(
    stats
      .filter(([, stat]) => stat.isFile())
      .map(([name, { size, mtimeMs }]) => [name, { size, modified: mtimeMs }]),
  )
}

/** Returns sorted file names; empty for a missing folder. */
function fileNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  } catch {
    return []
  }
}

function edit(change: (text: string, round: number) => string): Change['apply'] {
  return (posts, round) => {
    const names = fileNames(posts)
    const path = join(posts, names[Math.floor(names.length / 2) + round * 11] ?? '')
    writeFileSync(path, change(readFileSync(path, 'utf8'), round))
  }
}

function addPost(posts: string, round: number): void {
  const published = `2024-06-0${round + 1}`
  const frontMatter = `title: "New ${round}"\ncategory: category-1\npublishedAt: ${published}`
  writeFileSync(join(posts, `new-${round}.md`), `---\n${frontMatter}\n---\n\nA new post.\n`)
}

/** Prints one line with the figures of each checkout and their ratio of processor time. */
function printRuns(name: string, [ours = [], theirs]: readonly (readonly Run[])[]): void {
  const texts = [ours, ...(theirs === undefined ? [] : [theirs])].map(figuresOf)
  const ratio =
    theirs === undefined ? '' : `   × ${(processor(ours) / processor(theirs)).toFixed(2)}`
  print(`${name.padEnd(14)}${texts.join('   against   ')}${ratio}`)
}

function figuresOf(runs: readonly Run[]): string {
  const wall = median(runs.map(({ milliseconds }) => milliseconds))
  const memory = median(runs.map(({ peakBytes }) => peakBytes)) / 1e6
  const changed = median(runs.map(({ changedBytes }) => changedBytes)) / 1e6
  const times = `${seconds(processor(runs))} s ${seconds(wall)} s`
  return `${times} ${memory.toFixed(0)} MB ${changed.toFixed(2)} MB`
}

function processor(runs: readonly Run[]): number {
  return median(runs.map(({ processorMilliseconds }) => processorMilliseconds))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
