// Measures builds of seeded corpora and of Markdown folders by quarry and its peers, after each kind of change, and
// plain remark on the same bodies. Runs on all cores and on one.
// Usage: npm run bench:build -- [posts …] [--tree FOLDER …] [--without auto,hugo,eleventy,velite,remark,seeded]
// [--repeats 3] [--cores all,1]
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { provideProgram } from '../test/support/programs.ts'
import { buildKinds } from './build-kinds.ts'
import {
  type Contender,
  eleventy,
  hugo,
  installPeers,
  quarry,
  type ReadPosts,
  velite,
} from './contenders.ts'
import { corpusPosts } from './corpus.ts'
import { medianBy, seconds } from './figures.ts'
import { type Figures, measure, onCores } from './measured-run.ts'
import { oneWorker } from './one-worker.ts'
import { RemarkAlone } from './remark-alone.ts'
import { treePosts } from './tree-posts.ts'

const meanBytes = 7500
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tree: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', default: '' },
    repeats: { type: 'string', default: '3' },
    cores: { type: 'string', default: 'all,1' },
  },
})
const counts = positionals.map(Number)
/** Excluded contenders, which are too slow for a size, or missing. */
const left = new Set(values.without.split(',').filter((name) => name !== ''))
/** Number of runs per kind of build. The median counts. */
const repeats = Number(values.repeats)
const allCores = availableParallelism()
const coreCounts = coresToTry()
const root = mkdtempSync(join(tmpdir(), 'quarry-bench-'))

try {
  print(`machine   ${cpus()[0]?.model ?? 'unknown'}, ${allCores} cores, Node ${process.version}`)
  print(`commit    ${commit()}`)
  if (!left.has('seeded')) {
    const corpus = { posts: 1000, meanBytes }
    print(await oneWorker(corpus))
  }
  const peers = join(root, 'peers')
  mkdirSync(peers)
  if (!left.has('eleventy') || !left.has('velite')) installPeers(peers)
  if (provideProgram('hugo', 'version') !== null) left.add('hugo')
  for (const posts of counts.length > 0 ? counts : [1000, 5000, 20_000]) {
    if (!left.has('seeded'))
      await compareAll({ name: 'seeded', posts: () => corpusPosts({ posts, meanBytes }) }, peers)
    for (const tree of values.tree) {
      const folder = resolve(tree)
      const name = basename(folder)
      await compareAll({ name, posts: () => treePosts(folder, posts) }, peers)
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}

interface Corpus {
  readonly name: string
  readonly posts: ReadPosts
}

/** Runs on all cores, and on fewer if the system can limit them. */
async function compareAll({ name, posts }: Corpus, peers: string): Promise<void> {
  const names = Array.from(posts(), (post) => post.name)
  const folder = join(root, `${name}-${names.length}`)
  const contenders = [
    quarry(join(folder, 'quarry'), posts),
    ...(left.has('hugo') ? [] : [hugo(join(folder, 'hugo'), posts)]),
    ...(left.has('eleventy') ? [] : [eleventy(join(folder, 'eleventy'), posts, peers)]),
    ...(left.has('velite') ? [] : [velite(join(folder, 'velite'), posts, peers)]),
  ]
  const able: Contender[] = []
  for (const contender of contenders) if (await isAble(contender)) able.push(contender)
  const remark = new RemarkAlone(folder, posts)
  const editedPost = names[Math.floor(names.length / 2)] ?? ''
  for (const cores of coreCounts) {
    print('')
    print(
      `${name}: ${names.length} posts, ${(remark.bytes / 1e6).toFixed(1)} MB of Markdown, ${inCores(cores ?? allCores)}; median of ${repeats}${left.size > 0 ? `, without ${[...left].join(', ')}` : ''}`,
    )
    await compare(able, { editedPost, remark, cores })
    print(`load      ${loadavg()[0]?.toFixed(1)} at the end`)
  }
}

interface Comparison {
  readonly editedPost: string
  readonly remark: RemarkAlone
  /** The number of cores; undefined for all. */
  readonly cores: number | undefined
}

/** Prints wall and processor time in seconds and relative to quarry, and peak memory. */
async function compare(
  contenders: readonly Contender[],
  { editedPost, remark, cores }: Comparison,
): Promise<void> {
  const shares = [...new Set([1, cores ?? allCores])]
  const alone = left.has('remark')
    ? []
    : shares.map((processes) => ({
        name: processes === 1 ? 'remark' : `  ${inCores(processes)}`,
        kind: 'cold',
        run: () => remark.measure(processes, cores),
      }))
  const builds = buildKinds.flatMap(({ name: kind, prepare }) =>
    contenders.map((contender) => ({
      name: contender.name,
      kind,
      run: (round: number) => {
        prepare(contender, editedPost, round)
        return measure(onCores(contender.command, cores))
      },
    })),
  )
  const figures = await repeat([...builds, ...alone])
  for (const line of table(figures)) print(line)
  for (const line of limits(figures.get('cold') ?? new Map(), alone, cores ?? allCores)) print(line)
}

/** Compares a cold build with plain remark: its time divided by the cores, and split among as many processes. */
function* limits(
  cold: ReadonlyMap<string, Figures>,
  alone: readonly { readonly name: string }[],
  cores: number,
): Generator<string> {
  const [one, shared] = alone.map(({ name }) => cold.get(name) ?? noFigures)
  const ours = cold.get('quarry') ?? noFigures
  if (one === undefined) return
  const ratio = (of: number, to: number) => (of / to).toFixed(2)
  const divided = ratio(ours.milliseconds, one.milliseconds / cores)
  // Garbage collection runs concurrently on other cores and does not count towards wall time.
  const processor = `${ratio(ours.processorMilliseconds, one.processorMilliseconds)} × of its ${seconds(one.processorMilliseconds)} s of processor time`
  yield `a cold build takes ${divided} × of what remark alone takes${cores > 1 ? `, divided by ${cores}` : ''}; ${processor}`
  if (shared !== undefined) {
    yield `                   ${ratio(ours.milliseconds, shared.milliseconds)} × of what remark alone takes in ${cores} processes at once, each with its share of the bodies`
  }
}

/** A repeated measurement. */
interface Repeated {
  readonly name: string
  readonly kind: string
  readonly run: (round: number) => Promise<Figures>
}

/** Figures by kind of build, then by contender. */
type AllFigures = ReadonlyMap<string, ReadonlyMap<string, Figures>>

/** Returns medians. Interleaves rounds, so that disturbances of the machine affect all contenders. */
async function repeat(all: readonly Repeated[]): Promise<AllFigures> {
  const figures = new Map<string, Map<string, Figures[]>>()
  for (let round = 0; round < repeats; round++) {
    for (const { name, kind, run } of all) {
      const ofKind = figures.get(kind) ?? new Map<string, Figures[]>()
      figures.set(kind, ofKind.set(name, [...(ofKind.get(name) ?? []), await run(round)]))
    }
  }
  const median = (of: readonly Figures[]) => medianBy(of, (one) => one.milliseconds) ?? noFigures
  return new Map(
    Array.from(figures, ([kind, ofKind]) => [
      kind,
      new Map(Array.from(ofKind, ([name, of]) => [name, median(of)])),
    ]),
  )
}

const noFigures: Figures = {
  milliseconds: Number.NaN,
  peakBytes: 0,
  processorMilliseconds: Number.NaN,
}

/** Reports whether a peer can build a corpus of this size. Prints a message if it cannot. */
async function isAble({ name, command }: Contender): Promise<boolean> {
  try {
    await measure(command)
    return true
  } catch (error) {
    if (name === 'quarry') throw error
    print(`${name} failed: ${error instanceof Error ? error.message.trim() : error}`)
    return false
  }
}

function* table(figures: AllFigures): Generator<string> {
  const names = [...(figures.get('cold')?.keys() ?? [])]
  const columns = [...figures.values()]
  const row = (label: string, cells: readonly string[]) =>
    `${label.padEnd(11)} ${cells.map((cell) => cell.padStart(15)).join('')}`.trimEnd()
  for (const [label, of] of [
    ['wall s', (one: Figures) => one.milliseconds],
    ['processor s', (one: Figures) => one.processorMilliseconds],
  ] as const) {
    yield row(label, [...figures.keys()])
    for (const name of names) {
      const cells = columns.map((column) => {
        const [one, ours] = [column.get(name), column.get('quarry')]
        if (one === undefined) return ''
        return `${seconds(of(one))} (${(of(one) / of(ours ?? noFigures)).toFixed(2)} ×)`
      })
      yield row(name, cells)
    }
  }
  yield row('peak MB', [...figures.keys()])
  for (const name of names) {
    const peaks = columns.map((column) => column.get(name)?.peakBytes ?? 0)
    if (peaks.some((peak) => peak > 0))
      yield row(
        name,
        peaks.map((peak) => (peak / 1e6).toFixed(0)),
      )
  }
}

function inCores(count: number): string {
  return count === 1 ? 'on one core' : `on ${count} cores`
}

/** Parses the numbers of cores to build on, in order; undefined for all. */
function coresToTry(): readonly (number | undefined)[] {
  const counts = values.cores
    .split(',')
    .map((count) => (count === 'all' ? undefined : Number(count)))
  if (spawnSync('taskset', ['--version']).status === 0) return counts
  print('on all cores alone: there is no taskset to leave out some of them')
  return [undefined]
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
