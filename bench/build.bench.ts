// Cold, unchanged and edited builds of seeded corpora, by quarry and its peers, and the time that remark alone takes
// on the same bodies; on all cores, and on one. Usage: npm run bench:build -- [posts …]
// [--without hugo,eleventy,velite,remark] [--repeats 3] [--cores all,1]
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { provideProgram } from '../test/support/programs.ts'
import { type Contender, eleventy, hugo, installPeers, quarry, velite } from './contenders.ts'
import type { CorpusOptions } from './corpus.ts'
import { medianBy, seconds } from './figures.ts'
import { type Figures, measure, onCores } from './measured-run.ts'
import { oneWorker } from './one-worker.ts'
import { RemarkAlone } from './remark-alone.ts'

const meanBytes = 7500
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: 'string', default: '' },
    repeats: { type: 'string', default: '3' },
    cores: { type: 'string', default: 'all,1' },
  },
})
const counts = positionals.map(Number)
/** What would take too long at a size, or is not there. */
const left = new Set(values.without.split(',').filter((name) => name !== ''))
/** Of each kind of build; their median counts. */
const repeats = Number(values.repeats)
const allCores = availableParallelism()
const coreCounts = coresToTry()
const root = mkdtempSync(join(tmpdir(), 'quarry-bench-'))

try {
  print(`machine   ${cpus()[0]?.model ?? 'unknown'}, ${allCores} cores, Node ${process.version}`)
  print(`commit    ${commit()}`)
  for (const line of await oneWorker(join(root, 'one-worker'), { posts: 1000, meanBytes }, repeats))
    print(line)
  const peers = join(root, 'peers')
  mkdirSync(peers)
  if (!left.has('eleventy') || !left.has('velite')) installPeers(peers)
  if (provideProgram('hugo', 'version') !== null) left.add('hugo')
  for (const posts of counts.length > 0 ? counts : [1000, 5000, 20_000]) {
    await compareAll({ posts, meanBytes }, peers)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** On all cores, and where it can be told which, on fewer of them. */
async function compareAll(corpus: CorpusOptions, peers: string): Promise<void> {
  const folder = join(root, String(corpus.posts))
  const contenders = [
    quarry(join(folder, 'quarry'), corpus),
    ...(left.has('hugo') ? [] : [hugo(join(folder, 'hugo'), corpus)]),
    ...(left.has('eleventy') ? [] : [eleventy(join(folder, 'eleventy'), corpus, peers)]),
    ...(left.has('velite') ? [] : [velite(join(folder, 'velite'), corpus, peers)]),
  ]
  const able: Contender[] = []
  for (const contender of contenders) if (await isAble(contender)) able.push(contender)
  const remark = new RemarkAlone(folder, corpus)
  for (const cores of coreCounts) {
    print('')
    print(
      `${corpus.posts} posts, ${(remark.bytes / 1e6).toFixed(1)} MB of Markdown, ${inCores(cores ?? allCores)}; median of ${repeats}${left.size > 0 ? `, without ${[...left].join(', ')}` : ''}`,
    )
    await compare(able, { editedPost: `post-${Math.floor(corpus.posts / 2)}`, remark, cores })
  }
}

interface Comparison {
  readonly editedPost: string
  readonly remark: RemarkAlone
  /** How many of them; undefined for all there are. */
  readonly cores: number | undefined
}

/** Seconds of wall time and peak memory; behind the times, how many times what quarry took. */
async function compare(
  contenders: readonly Contender[],
  { editedPost, remark, cores }: Comparison,
): Promise<void> {
  const run = ({ command }: Contender) => measure(onCores(command, cores))
  const shares = [...new Set([1, cores ?? allCores])]
  const alone = left.has('remark')
    ? []
    : shares.map((processes) => ({
        name: processes === 1 ? 'remark' : `  ${inCores(processes)}`,
        run: () => remark.measure(processes, cores),
      }))
  const cold = await repeat([
    ...contenders.map((contender) => ({
      name: contender.name,
      run: () => {
        contender.forget()
        return run(contender)
      },
    })),
    ...alone,
  ])
  const same = await repeat(contenders.map((one) => ({ name: one.name, run: () => run(one) })))
  const edited = await repeat(
    contenders.map((contender) => ({
      name: contender.name,
      run: (round) => {
        appendFileSync(contender.fileOf(editedPost), `\nOne more line, number ${round}.\n`)
        return run(contender)
      },
    })),
  )
  print(
    '              cold s             no change s        one post edited s   peak MB: cold  no change  edited',
  )
  const rounds = [cold, same, edited]
  const ours = rounds.map((figures) => figures.get('quarry') ?? noFigures)
  for (const name of cold.keys()) {
    print(
      row(
        name,
        rounds.flatMap((figures) => figures.get(name) ?? []),
        ours,
      ),
    )
  }
  for (const line of limits(cold, alone, cores ?? allCores)) print(line)
}

/** What a cold build takes of the time of remark alone: divided by the cores, and shared among as many processes. */
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
  // Its garbage is collected next to it, on other cores: what that takes is no part of its time.
  const processor = `${ratio(ours.processorMilliseconds, one.processorMilliseconds)} × of its ${seconds(one.processorMilliseconds)} s of processor time`
  yield `a cold build takes ${divided} × of what remark alone takes${cores > 1 ? `, divided by ${cores}` : ''}; ${processor}`
  if (shared !== undefined) {
    yield `                   ${ratio(ours.milliseconds, shared.milliseconds)} × of what remark alone takes in ${cores} processes at once, each with its share of the bodies`
  }
}

/** Something that is run several times. */
interface Repeated {
  readonly name: string
  readonly run: (round: number) => Promise<Figures>
}

/** The medians, by name. Round by round, so that whatever else the machine does meets all of them. */
async function repeat(all: readonly Repeated[]): Promise<ReadonlyMap<string, Figures>> {
  const figures = new Map<string, Figures[]>(all.map(({ name }) => [name, []]))
  for (let round = 0; round < repeats; round++) {
    for (const { name, run } of all) figures.get(name)?.push(await run(round))
  }
  return new Map(
    Array.from(figures, ([name, of]) => [
      name,
      medianBy(of, ({ milliseconds }) => milliseconds) ?? noFigures,
    ]),
  )
}

const noFigures: Figures = {
  milliseconds: Number.NaN,
  peakBytes: 0,
  processorMilliseconds: Number.NaN,
}

/** False for a peer that cannot build so much, which is printed. */
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

/** @param rounds cold, unchanged, edited: as far as they are known */
function row(name: string, rounds: readonly Figures[], ours: readonly Figures[]): string {
  const times = rounds.map(({ milliseconds }, index) => {
    const ratio = milliseconds / (ours[index]?.milliseconds ?? Number.NaN)
    return `${seconds(milliseconds).padStart(8)} (${ratio.toFixed(2)} ×)`.padEnd(19)
  })
  const peaks = rounds
    .filter(({ peakBytes }) => peakBytes > 0)
    .map(({ peakBytes }) => (peakBytes / 1e6).toFixed(0).padStart(9))
  return `${name.padEnd(10)} ${times.join('')}    ${peaks.join(' ')}`.trimEnd()
}

function inCores(count: number): string {
  return count === 1 ? 'on one core' : `on ${count} cores`
}

/** How many cores to build on, one after the other; undefined for all of them. */
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
