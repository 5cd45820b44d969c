// Measures the latency of a list while clients at another address request everything: without the flood, and with it,
// with and without the default rate limit. Each request opens a new connection.
// Usage: npm run bench:flood -- [posts] [connections] [seconds] [path of another compiled main.js to compare with]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCorpus } from './corpus.ts'

const [posts = 8000, connections = 100, seconds = 10] = process.argv.slice(2, 5).map(Number)
const here = join(import.meta.dirname, '../.lib/cli/main.js')
const programs = [here, ...process.argv.slice(5)]
const folder = mkdtempSync(join(tmpdir(), 'quarry-flood-bench-'))
const running = new Set<ChildProcess>()
const rounds = 2

try {
  await run()
} finally {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  print(
    `machine   ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`,
  )
  print(
    `commit    ${commit}; ${posts} posts, ${connections} readers of limit=all, ${seconds} s each`,
  )
  writeCorpus(join(folder, 'content'), { posts, meanBytes: 2000 })
  execFileSync(process.execPath, [here, 'build', '--quiet'], { cwd: folder, stdio: 'inherit' })
  print('')
  print(
    'program limit   flood      p50 ms     p99 ms     max ms  requests  flood responses, MB, refused',
  )
  // Rounds are interleaved, so that disturbances affect all contenders.
  for (let round = 0; round < rounds; round++) {
    for (const [index, program] of programs.entries()) {
      for (const limit of ['off', '200/10']) {
        for (const encoding of ['none', 'identity', 'br'])
          await measure(index, program, limit, encoding)
      }
    }
  }
}

async function measure(
  index: number,
  program: string,
  limit: string,
  encoding: string,
): Promise<void> {
  const server = await startServer(program, limit)
  const flood = encoding === 'none' ? null : startFlood(server.port, encoding)
  // Warms up the code and the flood.
  await probe(server.port, 1)
  const latencies = await probe(server.port, seconds)
  latencies.sort((a, b) => a - b)
  const figure = (share: number) =>
    (latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN).toFixed(1).padStart(10)
  const received = flood === null ? '' : await endFlood(flood)
  const name = `${String(index + 1).padEnd(8)}${limit.padEnd(8)}${encoding.padEnd(9)}`
  print(
    `${name}${figure(0.5)} ${figure(0.99)} ${figure(1)} ${String(latencies.length).padStart(9)}  ${received}`,
  )
  server.child.kill('SIGKILL')
  running.delete(server.child)
}

/** Returns latencies in milliseconds of sequential complete requests for page 1, 50 ms apart. */
async function probe(port: string, forSeconds: number): Promise<number[]> {
  const latencies: number[] = []
  const end = performance.now() + forSeconds * 1000
  while (performance.now() < end) {
    const started = performance.now()
    const path = '/v1/bench/posts'
    const options = { host: '127.0.0.1', port, path, agent: false, localAddress: '127.0.0.3' }
    const isWhole = await new Promise<boolean>((resolve) => {
      get(options, (response) => {
        response.on('close', () => resolve(response.complete)).resume()
      }).on('error', () => resolve(false))
    })
    // Truncated responses count as infinite.
    latencies.push(isWhole ? performance.now() - started : Number.POSITIVE_INFINITY)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return latencies
}

async function startServer(program: string, limit: string) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, QUARRY_RATE_LIMIT: limit },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.add(child)
  let text = ''
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(part)
    const port = /127\.0\.0\.1:(\d+)\n/.exec(text)?.[1]
    if (port !== undefined) return { child, port }
  }
  throw new Error('quarry serve ended')
}

function startFlood(port: string, encoding: string) {
  const script = join(import.meta.dirname, 'flood-readers.mjs')
  const args = [
    script,
    port,
    '/v1/bench/posts?limit=all',
    String(connections),
    '127.0.0.2',
    encoding,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  return child
}

async function endFlood(child: ReturnType<typeof startFlood>): Promise<string> {
  child.kill('SIGTERM')
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  running.delete(child)
  const { responses, refused, bytes } = JSON.parse(text.toString())
  return `${responses}, ${(bytes / 1e6).toFixed(0)}, ${refused}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
