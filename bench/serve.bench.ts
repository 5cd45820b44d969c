// Measures requests per second and p99 on loopback: quarry serve, nginx with the same file, and plain node:http with
// the same body, with two headers and with as many as quarry sends. Then measures cold starts. Needs wrk and nginx.
// Usage: npm run bench:serve -- [posts] [seconds]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCorpus } from './corpus.ts'

const [posts = 10_000, seconds = 5] = process.argv.slice(2).map(Number)
const rounds = 3
const main = join(import.meta.dirname, '../.lib/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'quarry-serve-bench-'))
const running: ChildProcess[] = []

try {
  await run()
} finally {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  print(
    `machine   ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`,
  )
  print(
    `commit    ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`,
  )
  const dist = buildSite(posts, 'site')
  const list = join(dist, 'public/v1/bench/posts/index.json')
  const { posts: shown } = JSON.parse(readFileSync(list, 'utf8'))
  const single = `/v1/bench/posts/${shown[0].slug}`
  const quarry = await startQuarry(dist, 4701)
  const filtered = '/v1/bench/posts?tags=tag-3&page=2'
  const filteredBytes = new Uint8Array(await (await fetch(`${quarry}${filtered}`)).arrayBuffer())
  const etag =
    (
      await fetch(`${quarry}/v1/bench/posts`, { headers: { 'accept-encoding': 'identity' } })
    ).headers.get('etag') ?? ''
  const bodies = {
    '/list': readFileSync(list),
    '/filtered': filteredBytes,
    '/single': readFileSync(join(dist, `public${single}.json`)),
    '/empty': new Uint8Array(0),
  }
  const bare = await startBare(4702, bodies)
  const whole = await startBare(4704, bodies, await headersOf(`${quarry}/v1/bench/posts`))
  const nginx = await startNginx(dist, 4703)
  print(
    `site      ${posts} posts; list ${readFileSync(list).length} bytes, filtered ${filteredBytes.length} bytes`,
  )
  print('')
  print('request            server          req/s    p99 ms   of bare')
  compare('canonical list', [
    ['quarry', `${quarry}/v1/bench/posts`],
    ['nginx (file)', `${nginx}/v1/bench/posts/index.json`],
    ['bare node:http', `${bare}/list`],
    ['bare, headers', `${whole}/list`],
  ])
  compare('filtered list', [
    ['quarry', `${quarry}${filtered}`],
    ['bare node:http', `${bare}/filtered`],
    ['bare, headers', `${whole}/filtered`],
  ])
  compare('single post', [
    ['quarry', `${quarry}${single}`],
    ['nginx (file)', `${nginx}${single}.json`],
    ['bare node:http', `${bare}/single`],
    ['bare, headers', `${whole}/single`],
  ])
  compare('304', [
    ['quarry', `${quarry}/v1/bench/posts`, `If-None-Match: ${etag}`],
    ['bare node:http', `${bare}/empty`],
    ['bare, headers', `${whole}/empty`],
  ])
  compareMisses(quarry, bare)
  print('')
  print('cold start (process to first answer, median of 5)')
  for (const count of [1000, posts])
    await coldStart(count === posts ? dist : buildSite(count, `site-${count}`), count)
}

type Contender = readonly [name: string, url: string, header?: string]

/** Interleaves rounds, so that disturbances affect all contenders. Prints the best round of each. */
function compare(request: string, contenders: readonly Contender[]): void {
  const best = new Map<string, { rate: number; p99: number }>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, url, header] of contenders) {
      const result = wrk(url, header)
      if (result.rate > (best.get(name)?.rate ?? 0)) best.set(name, result)
    }
  }
  const bareRate = best.get('bare node:http')?.rate ?? 1
  for (const [name, { rate, p99 }] of best) {
    print(
      `${request.padEnd(18)} ${name.padEnd(14)} ${rate.toFixed(0).padStart(6)} ${p99.toFixed(2).padStart(9)} ${(rate / bareRate).toFixed(2).padStart(9)}`,
    )
  }
}

/** Compares filtered requests that miss every cache, because each has another target. */
function compareMisses(quarry: string, bare: string): void {
  const script = join(folder, 'miss.lua')
  writeFileSync(
    script,
    'n = 0\nrequest = function() n = n + 1; return wrk.format("GET", "/v1/bench/posts?tags=tag-" .. (n % 20) .. "&x=" .. n) end\n',
  )
  const result = wrk(quarry, undefined, script)
  const reference = wrk(`${bare}/filtered`)
  print(
    `${'filtered, uncached'.padEnd(18)} ${'quarry'.padEnd(14)} ${result.rate.toFixed(0).padStart(6)} ${result.p99.toFixed(2).padStart(9)} ${(result.rate / reference.rate).toFixed(2).padStart(9)}`,
  )
}

function wrk(url: string, header?: string, script?: string): { rate: number; p99: number } {
  const args = ['-t1', '-c32', `-d${seconds}s`, '--latency']
  if (header !== undefined) args.push('-H', header)
  if (script !== undefined) args.push('-s', script)
  const output = execFileSync('wrk', [...args, url], { encoding: 'utf8' })
  if (/Non-2xx or 3xx responses/.test(output)) throw new Error(`${url} failed:\n${output}`)
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
  const [, value = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? []
  return { rate, p99: Number(value) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1) }
}

function buildSite(count: number, name: string): string {
  const content = join(folder, name, 'content')
  writeCorpus(content, { posts: count, meanBytes: 2000 })
  const dist = join(folder, name, 'dist')
  execFileSync(process.execPath, [main, 'build', '--content', content, '--out', dist, '--quiet'], {
    cwd: folder,
    stdio: 'inherit',
  })
  return dist
}

async function startQuarry(dist: string, port: number): Promise<string> {
  const child = spawn(process.execPath, [main, 'serve', '--out', dist, '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, QUARRY_RATE_LIMIT: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.push(child)
  return ready(`http://127.0.0.1:${port}`, '/status')
}

async function startBare(
  port: number,
  bodies: Readonly<Record<string, Uint8Array>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  mkdirSync(join(folder, 'bare'), { recursive: true })
  for (const [path, bytes] of Object.entries(bodies))
    writeFileSync(join(folder, 'bare', path.slice(1)), bytes)
  const script = `
    import { createServer } from 'node:http'
    import { readFileSync } from 'node:fs'
    const bodies = { ${Object.keys(bodies)
      .map((path) => `'${path}': readFileSync('${join(folder, 'bare', path.slice(1))}')`)
      .join(', ')} }
    const headers = ${JSON.stringify(headers)}
    createServer((request, response) => {
      const body = bodies[request.url] ?? bodies['/empty']
      response.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    }).listen(${port}, '127.0.0.1')`
  running.push(spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }))
  return ready(`http://127.0.0.1:${port}`, '/empty')
}

/** Returns quarry's headers, except the two that the bare server sends and those that Node adds. */
async function headersOf(url: string): Promise<Readonly<Record<string, string>>> {
  const { headers } = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  const own = ['content-type', 'content-length', 'date', 'connection', 'keep-alive']
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)))
}

async function startNginx(dist: string, port: number): Promise<string> {
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; user root;
     events {}
     http { access_log off; default_type application/json; client_body_temp_path ${folder}/body;
       server { listen 127.0.0.1:${port}; root ${join(dist, 'public')}; } }`,
  )
  running.push(spawn('nginx', ['-c', config, '-p', folder], { stdio: 'ignore' }))
  return ready(`http://127.0.0.1:${port}`, '/')
}

async function ready(url: string, path: string): Promise<string> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      await fetch(`${url}${path}`)
      return url
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  throw new Error(`${url} does not answer`)
}

async function coldStart(dist: string, count: number): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const started = performance.now()
    const port = 4710 + round
    const child = spawn(process.execPath, [main, 'serve', '--out', dist, '--port', String(port)], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    running.push(child)
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    await (await fetch(`http://127.0.0.1:${port}/v1/bench/posts?tags=tag-3`)).arrayBuffer()
    times.push(performance.now() - started)
    child.kill('SIGKILL')
  }
  times.sort((a, b) => a - b)
  print(`${String(count).padStart(6)} posts  ${(times[2] ?? 0).toFixed(0)} ms`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
