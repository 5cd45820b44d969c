// Cold, unchanged and edited builds of seeded corpora, by quarry and its peers, and the time that remark alone takes
// on the same bodies. Usage: npm run bench:build -- [posts …] [--without hugo,eleventy,velite,remark] [--repeats 3]
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { provideProgram } from '../test/support/programs.ts'
import { type Contender, eleventy, hugo, installPeers, quarry, velite } from './contenders.ts'
import { type CorpusOptions, corpusPosts } from './corpus.ts'
import { medianBy, seconds } from './figures.ts'
import { type Figures, measure } from './measured-run.ts'
import { oneWorker } from './one-worker.ts'

const meanBytes = 7500
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: 'string', default: '' },
    repeats: { type: 'string', default: '3' },
  },
})
const counts = positionals.map(Number)
/** What would take too long at a size, or is not there. */
const left = new Set(values.without.split(',').filter((name) => name !== ''))
/** Of each kind of build; their median counts. */
const repeats = Number(values.repeats)
const cores = availableParallelism()
const root = mkdtempSync(join(tmpdir(), 'quarry-bench-'))

try {
  print(`machine   ${cpus()[0]?.model ?? 'unknown'}, ${cores} cores, Node ${process.version}`)
  print(`commit    ${commit()}`)
  for (const line of await oneWorker(join(root, 'one-worker'), { posts: 1000, meanBytes }, repeats))
    print(line)
  const peers = join(root, 'peers')
  mkdirSync(peers)
  if (!left.has('eleventy') || !left.has('velite')) installPeers(peers)
  if (provideProgram('hugo', 'version') !== null) left.add('hugo')
  for (const posts of counts.length > 0 ? counts : [1000, 5000, 20_000]) {
    await compare({ posts, meanBytes }, peers)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Seconds of wall time and peak memory; behind the times, how many times what quarry took. */
async function compare(corpus: CorpusOptions, peers: string): Promise<void> {
  const folder = join(root, String(corpus.posts))
  const contenders = [
    quarry(join(folder, 'quarry'), corpus),
    ...(left.has('hugo') ? [] : [hugo(join(folder, 'hugo'), corpus)]),
    ...(left.has('eleventy') ? [] : [eleventy(join(folder, 'eleventy'), corpus, peers)]),
    ...(left.has('velite') ? [] : [velite(join(folder, 'velite'), corpus, peers)]),
  ]
  const remark = remarkAlone(corpus)
  print('')
  print(`${corpus.posts} posts, ${(remark.bytes / 1e6).toFixed(1)} MB of Markdown`)
  print(`median of ${repeats}${left.size > 0 ? `; without ${[...left].join(', ')}` : ''}`)
  print(
    '              cold s             no change s        one post edited s   peak MB: cold  no change  edited',
  )
  const results = await runAll(contenders, `post-${Math.floor(corpus.posts / 2)}`)
  const [ours] = results
  for (const { name, rounds } of results) print(row(name, rounds, ours?.rounds ?? rounds))
  if (!left.has('remark')) {
    const limit = remark.milliseconds / cores
    const { milliseconds = Number.NaN, processorMilliseconds = Number.NaN } = ours?.rounds[0] ?? {}
    print(
      `remark alone  ${seconds(remark.milliseconds)} s on one thread, ${seconds(limit)} s divided by ${cores}; a cold build is ${(milliseconds / limit).toFixed(2)} × of that`,
    )
    // Its garbage is collected beside it, on other cores: what that takes is no part of the time.
    print(
      `              ${seconds(remark.processorMilliseconds)} s of processor time; a cold build takes ${seconds(processorMilliseconds)} s, ${(processorMilliseconds / remark.processorMilliseconds).toFixed(2)} × of that`,
    )
  }
}

interface Result {
  readonly name: string
  /** Cold, unchanged, edited. */
  readonly rounds: readonly Figures[]
}

/** Round by round, so that whatever else the machine does meets all of them. */
async function runAll(
  contenders: readonly Contender[],
  editedPost: string,
): Promise<readonly Result[]> {
  const able: Contender[] = []
  for (const contender of contenders) if (await isAble(contender)) able.push(contender)
  const cold = await repeat(able, ({ command, forget }) => {
    forget()
    return measure(command)
  })
  const same = await repeat(able, ({ command }) => measure(command))
  const edited = await repeat(able, ({ command, fileOf }, round) => {
    appendFileSync(fileOf(editedPost), `\nOne more line, number ${round}.\n`)
    return measure(command)
  })
  return able.map(({ name }, index) => ({
    name,
    rounds: [cold, same, edited].flatMap((figures) => figures[index] ?? []),
  }))
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

/** The median of some rounds. */
async function repeat(
  contenders: readonly Contender[],
  run: (contender: Contender, round: number) => Promise<Figures>,
): Promise<readonly Figures[]> {
  const rounds: (readonly Figures[])[] = []
  for (let round = 0; round < repeats; round++) {
    rounds.push(await each(contenders, (contender) => run(contender, round)))
  }
  return contenders.map((_, index) => {
    const figures = rounds.flatMap((all) => all[index] ?? [])
    const middle = medianBy(figures, ({ milliseconds }) => milliseconds)
    return middle ?? { milliseconds: Number.NaN, peakBytes: 0, processorMilliseconds: 0 }
  })
}

async function each(
  contenders: readonly Contender[],
  run: (contender: Contender) => Promise<Figures>,
): Promise<readonly Figures[]> {
  const figures: Figures[] = []
  for (const contender of contenders) figures.push(await run(contender))
  return figures
}

function row(name: string, rounds: readonly Figures[], ours: readonly Figures[]): string {
  const times = rounds.map(({ milliseconds }, index) => {
    const ratio = milliseconds / (ours[index]?.milliseconds ?? Number.NaN)
    return `${seconds(milliseconds).padStart(8)} (${ratio.toFixed(2)} ×)`.padEnd(19)
  })
  const peaks = rounds.map(({ peakBytes }) => (peakBytes / 1e6).toFixed(0).padStart(9))
  return `${name.padEnd(10)} ${times.join('')}    ${peaks.join(' ')}`
}

/** One thread, a frozen processor, warmed up; measured on at most 1,000 bodies and scaled by bytes. */
function remarkAlone(corpus: CorpusOptions): {
  readonly milliseconds: number
  readonly processorMilliseconds: number
  readonly bytes: number
} {
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkHtml).freeze()
  const bodies: string[] = []
  let bytes = 0
  for (const { body } of corpusPosts(corpus)) {
    bytes += Buffer.byteLength(body)
    if (bodies.length < 1050 && !left.has('remark')) bodies.push(body)
  }
  for (const body of bodies.slice(0, 50)) processor.processSync(body)
  const measured = bodies.slice(50)
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  let letters = 0
  for (const body of measured) letters += String(processor.processSync(body)).length
  const milliseconds = letters === 0 ? Number.NaN : performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const scale = bytes / measured.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
  const processorMilliseconds = ((user + system) / 1000) * scale
  return { milliseconds: milliseconds * scale, processorMilliseconds, bytes }
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
