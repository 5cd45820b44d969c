// Compares text search with other engines over one corpus: processor times, recall, sizes, cold start and memory.
// Usage: npm run bench:search -- [posts …] [--queries 200] [--limit 100] [--engines
// quarry,sqlite,minisearch,flexsearch] The limit is in seconds, for each engine's build and for its queries; an
// engine over the limit is stopped and reported.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryClasses, searchPosts, worstQueries } from './search-corpus.ts'

const installedEngines = ['better-sqlite3@12.5.0', 'minisearch@7.2.0', 'flexsearch@0.8.212']
const given = process.argv.slice(2)
const limitSeconds = option('--limit') ?? 100
const counts = given
  .filter((_, at) => !given[at - 1]?.startsWith('--'))
  .map(Number)
  .filter((count) => count > 0)
const chosen = given[given.indexOf('--engines') + 1] ?? ''
const engines = given.includes('--engines')
  ? chosen.split(',')
  : ['scan', 'quarry', 'sqlite', 'minisearch', 'flexsearch']

print(`machine   ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`)
print(`commit    ${run('git', ['rev-parse', '--short', 'HEAD']).trim()}`)
for (const count of counts.length > 0 ? counts : [1000, 10_000, 100_000]) bench(count)

function bench(count: number): void {
  const meanBytes = count >= 100_000 ? 2400 : 4000
  const folder = mkdtempSync(join(tmpdir(), 'quarry-search-'))
  try {
    const bytes = prepare(folder, count, meanBytes)
    print('')
    print(
      `${count} posts, ${mb(bytes)} MB of text; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    )
    // The scan is first, because its results are the ground truth for the other engines.
    for (const engine of ['scan', ...engines.filter((name) => name !== 'scan')]) {
      report(engine, folder, bytes)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the number after an option; undefined if absent. */
function option(name: string): number | undefined {
  return given.includes(name) ? Number(given[given.indexOf(name) + 1]) : undefined
}

/** Writes the corpus and the queries, and installs the engines next to them. */
function prepare(folder: string, count: number, meanBytes: number): number {
  const posts = searchPosts(count, meanBytes)
  // A scan of that many posts takes a tenth of a second per query.
  const queriesEach = option('--queries') ?? (count >= 100_000 ? 40 : 200)
  const queries = { classes: queryClasses(posts, queriesEach), worst: worstQueries }
  writeFileSync(join(folder, 'posts.json'), JSON.stringify(posts))
  writeFileSync(join(folder, 'categories.json'), JSON.stringify(posts.map((post) => post.category)))
  writeFileSync(join(folder, 'queries.json'), JSON.stringify(queries))
  if (engines.some((engine) => engine !== 'quarry' && engine !== 'scan')) {
    run('npm', [
      'i',
      '--silent',
      '--no-audit',
      '--prefix',
      join(folder, 'engines'),
      ...installedEngines,
    ])
  }
  return posts.reduce((sum, { title, text }) => sum + Buffer.byteLength(title + text), 0)
}

function report(engine: string, folder: string, bytes: number): void {
  const built = child('build', engine, folder)
  if (built === null) return
  const asked = child('ask', engine, folder)
  if (asked === null) return
  print('')
  print(
    `${engine.padEnd(11)} build ${built.seconds.toFixed(1)} s${joinTime(built)}, index ${mb(built.raw)} MB (${((built.raw / bytes) * 100).toFixed(1)} % of the text), gzip ${mb(built.gzip)}, texts ${mb(built.text)} MB, ${built.files} files`,
  )
  print(
    `            cold start ${asked.coldMs.toFixed(0)} ms; memory MB: bare ${mb(asked.bareBytes)}, first answer ${mb(asked.coldBytes)}, in the end ${mb(asked.warmBytes)}${asked.firstBytes === undefined ? '' : `; first search ${asked.firstMs.toFixed(0)} ms, ${(asked.firstBytes / 1000).toFixed(0)} kB read`}`,
  )
  print('            class                        p50 ms    p99 ms   recall  precision')
  for (const row of asked.results) {
    print(
      `            ${row.name.padEnd(25)} ${ms(row.p50)} ${ms(row.p99)} ${percent(row.recall)}  ${percent(row.precision)}`,
    )
  }
  for (const row of asked.worstTimes) {
    print(
      `            worst: ${JSON.stringify(row.query).padEnd(38)} ${ms(row.ms)} ms, ${row.hits} hits`,
    )
  }
}

function joinTime({ termsSeconds, joinSeconds }: Built): string {
  if (termsSeconds === undefined || joinSeconds === undefined) return ''
  return ` (terms ${termsSeconds.toFixed(1)}, joining ${joinSeconds.toFixed(1)})`
}

interface Built {
  readonly seconds: number
  readonly raw: number
  readonly text: number
  readonly gzip: number
  readonly files: number
  readonly termsSeconds?: number
  readonly joinSeconds?: number
}

interface Asked {
  readonly bareBytes: number
  readonly coldMs: number
  readonly coldBytes: number
  readonly warmBytes: number
  readonly firstMs: number
  readonly firstBytes?: number
  readonly results: readonly {
    readonly name: string
    readonly p50: number
    readonly p99: number
    readonly recall: number
    readonly precision: number
  }[]
  readonly worstTimes: readonly {
    readonly query: string
    readonly ms: number
    readonly hits: number
  }[]
}

/** Runs an engine in a process. Prints the reason and returns null if it fails, for example without memory or time. */
function child(task: 'build', engine: string, folder: string): Built | null
function child(task: 'ask', engine: string, folder: string): Asked | null
function child(task: string, engine: string, folder: string): Built | Asked | null {
  const script = join(import.meta.dirname, 'search-engines.mjs')
  try {
    return JSON.parse(
      run(
        process.execPath,
        [...(task === 'build' ? ['--max-old-space-size=8000'] : []), script, task, engine, folder],
        // The scan has no limit, because its results are the ground truth.
        engine === 'scan' ? undefined : limitSeconds * 1000,
      ),
    )
  } catch (error) {
    const isCut = error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT'
    const why = isCut ? `cut after ${limitSeconds} s` : `failed: ${String(error).split('\n')[0]}`
    print(`${engine}: ${task} ${why}`)
    return null
  }
}

/** @param limitMs time limit in milliseconds. @default none */
function run(command: string, parameters: readonly string[], limitMs?: number): string {
  return execFileSync(command, parameters, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    killSignal: 'SIGKILL',
    ...(limitMs === undefined ? {} : { timeout: limitMs }),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function ms(value: number): string {
  return value.toFixed(3).padStart(9)
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`.padStart(8)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
