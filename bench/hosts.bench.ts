// Measures cold starts on workerd and in Lambda's handler, with and without precomputed responses: the first response
// and the first search, `limit=all` on workerd, and the memory of each.
// Usage: npm run bench:hosts -- [posts …]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../src/build.ts'
import { resolveSettings } from '../src/config.ts'
import { fitStored } from '../src/hosts/fit-stored.ts'
import { weighDeployment } from '../src/hosts/weigh.ts'
import { writeDeployment } from '../src/hosts/write-deployment.ts'
import { provideHostPackages } from '../test/support/host-packages.ts'
import { freePort, startProgram } from '../test/support/process.ts'
import { writeCorpus } from './corpus.ts'
import { median } from './figures.ts'

const meanBytes = 4000
/** Cold starts per figure; the median counts. */
const repeats = 5
const first = '/v1/bench/posts'
const search = '/v1/bench/posts?query=lowi'
const all = '/v1/bench/posts?limit=all'
const counts = process.argv.slice(2).map(Number)
const root = mkdtempSync(join(tmpdir(), 'quarry-bench-'))

try {
  print(
    `machine   ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, Node ${process.version}`,
  )
  print(`commit    ${git('rev-parse', '--short', 'HEAD')}`)
  for (const posts of counts.length > 0 ? counts : [1000, 10_000]) await measureHosts(posts)
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function measureHosts(posts: number): Promise<void> {
  const folder = join(root, String(posts))
  const settings = resolveSettings({
    content: join(folder, 'content'),
    out: join(folder, 'dist'),
    cache: false,
    precompute: { versions: ['v1'], formats: ['html'] },
  })
  writeCorpus(settings.content, { posts, meanBytes })
  const { manifest } = await build(settings)
  print('')
  print(`${posts} posts of ${meanBytes} B; medians of ${repeats}, milliseconds`)
  for (const name of ['from the index', 'from a file'] as const) {
    print(`canonical requests ${name}`)
    const storedOn = async (host: 'aws-lambda' | 'cloudflare') =>
      name === 'from a file' ? (await fitStored(host, settings.out, manifest)).stored : []
    const stored = await storedOn('aws-lambda')
    await measureLambda(writeDeployment('aws-lambda', settings.out, manifest, stored).folder)
    writeDeployment('cloudflare', settings.out, manifest, await storedOn('cloudflare'))
    await measureWorkerd(folder)
  }
  const { allFetches, searchFetches } = await weighDeployment('cloudflare', settings.out, manifest)
  print(`workerd   fetches at most: ${allFetches} for limit=all, ${searchFetches} for a search`)
}

async function measureLambda(folder: string): Promise<void> {
  const runs = Array.from({ length: repeats }, () => lambdaRun(folder))
  print(
    `lambda    module ${medianOf(runs, ({ load }) => load)}, first response ${medianOf(runs, ({ responses }) => responses[0])}, first search ${medianOf(runs, ({ responses }) => responses[1])}, search again ${medianOf(runs, ({ responses }) => responses[2])}, ${megabytes(Math.max(...runs.map(({ peakBytes }) => peakBytes)))} MB`,
  )
}

interface LambdaRun {
  readonly load: number
  readonly responses: readonly number[]
  readonly peakBytes: number
}

function lambdaRun(folder: string): LambdaRun {
  const script = join(import.meta.dirname, 'lambda-cold.mjs')
  return JSON.parse(
    execFileSync(process.execPath, [script, folder, first, search, `${search}&page=1`], {
      encoding: 'utf8',
    }),
  )
}

async function measureWorkerd(folder: string): Promise<void> {
  const responses: number[] = []
  const searches: number[] = []
  for (let round = 0; round < repeats; round++) {
    await withWorkerd(folder, async (ask) => {
      // A path without content first, to exclude wrangler's own work for a first request.
      await ask('/v1')
      responses.push((await ask(first)).milliseconds)
      searches.push((await ask(search)).milliseconds)
    })
  }
  print(
    `workerd   first response ${whole(responses)}, first search ${whole(searches)} (with the way through wrangler)`,
  )
  await withWorkerd(folder, async (ask, peakBytes) => {
    const warm = (await ask('/v1')).milliseconds
    const { status, bytes, milliseconds } = await ask(all)
    print(
      `workerd   limit=all ${status}, ${megabytes(bytes)} MB in ${milliseconds.toFixed(0)}, peak of the process ${megabytes(peakBytes())} MB; the way alone ${warm.toFixed(0)}`,
    )
  })
}

interface Told {
  readonly status: number
  readonly bytes: number
  readonly milliseconds: number
}

async function withWorkerd(
  folder: string,
  use: (ask: (target: string) => Promise<Told>, peakBytes: () => number) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const wrangler = join(provideHostPackages('wrangler'), 'wrangler/bin/wrangler.js')
  const running = await startProgram(
    process.execPath,
    [
      ...[wrangler, 'dev', '--local', '--port', String(port), '--ip', '127.0.0.1'],
      ...['--config', 'deploy/cloudflare/wrangler.jsonc', '--var', 'QUARRY_RATE_LIMIT:off'],
      '--show-interactive-dev-session=false',
    ],
    {
      cwd: folder,
      environment: { CI: 'true', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
      ready: /Ready on/,
    },
  )
  try {
    await use(
      async (target) => {
        const started = performance.now()
        const response = await fetch(`http://127.0.0.1:${port}${target}`)
        let bytes = 0
        for await (const fragment of response.body ?? []) bytes += fragment.length
        return { status: response.status, bytes, milliseconds: performance.now() - started }
      },
      () => peakOfWorkerd(folder),
    )
  } finally {
    await running.stop()
  }
}

/** The largest `VmHWM` (proc(5)) of the workerd processes that run in a folder; 0 where unavailable. */
function peakOfWorkerd(folder: string): number {
  const peaks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        if (!/^Name:\s+workerd/m.test(status) || readlinkSync(`/proc/${pid}/cwd`) !== folder)
          return 0
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
      } catch {
        return 0
      }
    })
  return Math.max(0, ...peaks)
}

function medianOf<T>(runs: readonly T[], of: (run: T) => number | undefined): string {
  return whole(runs.map((run) => of(run) ?? Number.NaN))
}

function whole(values: readonly number[]): string {
  return median(values).toFixed(0)
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' }).trim()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
