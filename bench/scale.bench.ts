// Measures builds, publications and queries of many posts in one workspace and in several, on disk and from a bucket,
// and their cost; and the memory of a worker in Cloudflare's runtime. The bucket is Ceph's, in memory, unless
// AWS_ENDPOINT_URL names another one.
// Usage: npm run bench:scale -- [posts …] [--workspaces 1,8] [--mean-bytes 500] [--parser auto] [--each 20] [--keep FOLDER]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { provideCeph, type S3Server, s3At, startCeph } from '../test/support/ceph.ts'
import { type R2Site, startR2Site } from '../test/support/r2-store.ts'
import { median } from './figures.ts'
import { type Figures, measure } from './measured-run.ts'
import {
  editPost,
  type RequestClass,
  requestClasses,
  type ScaleSite,
  weigh,
  writeSite,
} from './scale-sites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workspaces: { type: 'string', default: '1,8' },
    'mean-bytes': { type: 'string', default: '500' },
    parser: { type: 'string', default: 'remark' },
    each: { type: 'string', default: '20' },
    keep: { type: 'string' },
  },
})
const counts = positionals.length > 0 ? positionals.map(Number) : [10_000, 30_000]
const root =
  values.keep === undefined ? mkdtempSync(join(tmpdir(), 'quarry-scale-')) : resolve(values.keep)
const main = join(import.meta.dirname, '../.lib/command/main.js')
/** In dollars: a million S3 writes, a million S3 reads, a GB per month. */
const price = { writes: 5, reads: 0.4, gigabyte: 0.023 } as const

/** The results of sequential requests to a site. */
interface Sent {
  readonly requests: number
  readonly bytes: number
  readonly milliseconds: number
}

interface ClassResult {
  readonly name: string
  readonly sent: readonly Sent[]
}

type Column = Map<string, string>

const columns: Column[] = []
const store = await openStore()
try {
  print(
    `machine   ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, Node ${process.version}`,
  )
  print(
    `commit    ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`,
  )
  for (const posts of counts) {
    for (const workspaces of values.workspaces.split(',').map(Number)) {
      const folder = join(root, `${posts}-${workspaces}`)
      const meanBytes = Number(values['mean-bytes'])
      const site = { folder, posts, workspaces, meanBytes, parser: values.parser }
      const column: Column = new Map([['', `${posts} in ${workspaces}`]])
      columns.push(column)
      await measureSite(site, column)
      if (values.keep === undefined) rmSync(folder, { recursive: true })
    }
  }
  for (const line of table()) print(line)
} finally {
  await store?.stop()
  if (values.keep === undefined) rmSync(root, { recursive: true, force: true })
}

async function measureSite(site: ScaleSite, column: Column): Promise<void> {
  const note = (name: string, value: string) => {
    column.set(name, value)
    process.stderr.write(`${column.get('')}: ${name}: ${value}\n`)
  }
  writeSite(site)
  const dist = join(site.folder, 'dist')
  const build = () => quarry(site, ['build'])
  if (!existsSync(dist)) note('build: from nothing', described(await build()))
  note('build: no change', described(await build()))
  const { files, bytes } = weigh(join(dist, 'function'))
  note('files of the function', `${files}, ${megabytes(bytes)}`)
  note('manifest', megabytes(readFileSync(join(dist, 'manifest.json')).length))
  note('storage, $ a month', dollars((bytes / 1e9) * price.gigabyte))
  const url = `s3://scale/${site.posts}-${site.workspaces}-${Date.now()}`
  if (store !== null) for (const [name, value] of await publish(site, url)) note(name, value)
  editPost(site, Math.floor(Math.random() * 100))
  note('build: a body edited', described(await build()))
  if (store !== null) {
    for (const [name, value] of await publish(site, url)) note(`edit: ${name}`, value)
  }
  const classes = requestClasses(site, Number(values.each))
  for (const [name, value] of await serve(site, classes)) note(`serve: ${name}`, value)
  for (const [name, value] of await serveWorker(site, classes)) note(`worker: ${name}`, value)
  if (store === null) return
  for (const [name, value] of await readBucket(url, classes)) note(`s3: ${name}`, value)
}

function quarry(site: ScaleSite, words: readonly string[]): Promise<Figures> {
  return measure({ file: process.execPath, args: [main, ...words], folder: site.folder })
}

async function publish(site: ScaleSite, url: string, to = store): Promise<Column> {
  const child = spawn(process.execPath, [main, 'publish', url, '--json'], {
    cwd: site.folder,
    env: { ...process.env, ...to?.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started = performance.now()
  const { requests, objects, bytes } = JSON.parse(await text(child.stdout))
  const seconds = (performance.now() - started) / 1000
  return new Map([
    [
      'publish',
      `${requests} requests, ${objects} objects, ${megabytes(bytes)}, ${seconds.toFixed(0)} s`,
    ],
    ['publish, $', dollars((requests * price.writes) / 1e6)],
  ])
}

async function serve({ folder }: ScaleSite, classes: readonly RequestClass[]): Promise<Column> {
  const started = performance.now()
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, QUARRY_RATE_LIMIT: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    let output = ''
    let origin: string | undefined
    for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
      output += String(part)
      origin = /at (http:\S+)\n/.exec(output)?.[1]
      if (origin !== undefined) break
    }
    const column: Column = new Map([
      ['ready', `${Math.round(performance.now() - started)} ms, ${memory(child.pid)}`],
    ])
    for (const { name, targets } of classes) {
      const sent: Sent[] = []
      for (const target of targets) sent.push(await send(`${origin}${target}`))
      column.set(name, milliseconds(sent))
    }
    return column.set('memory after it', memory(child.pid))
  } finally {
    child.kill('SIGKILL')
  }
}

async function send(url: string): Promise<Sent> {
  const started = performance.now()
  const response = await fetch(url)
  const { byteLength: bytes } = await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url} is a ${response.status}`)
  return { requests: 1, bytes, milliseconds: performance.now() - started }
}

/** From the bucket, with 20 ms added to each request. */
async function readBucket(url: string, classes: readonly RequestClass[]): Promise<Column> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bucket-function.mjs')], {
    env: { ...process.env, ...store?.environment, QUARRY_STORAGE_URL: url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const opening = { name: 'a new instance', targets: classes[0]?.targets.slice(0, 1) ?? [] }
  child.stdin.end(JSON.stringify([opening, ...classes]))
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { results, processorMilliseconds, peakBytes, heapBytes } = JSON.parse(output)
  const column: Column = new Map()
  for (const { name, sent } of results as readonly ClassResult[]) {
    const requests = sent.map((one) => one.requests)
    const mean = requests.reduce((sum, count) => sum + count, 0) / requests.length
    const bytes = sent.reduce((sum, one) => sum + one.bytes, 0) / sent.length
    const gets = `${median(requests)}, mean ${mean.toFixed(1)}, most ${Math.max(...requests)}`
    column.set(name, `${gets}; ${megabytes(bytes)}; ${milliseconds(sent)}`)
    column.set(`${name}, $ a million`, dollars(mean * price.reads))
  }
  return column.set(
    'in all',
    `${(processorMilliseconds / 1000).toFixed(1)} s, ${megabytes(peakBytes)}, heap and buffers ${megabytes(heapBytes)}`,
  )
}

/** In workerd, with each class sent one at a time, and then as many at once as a worker reads. */
async function serveWorker(site: ScaleSite, classes: readonly RequestClass[]): Promise<Column> {
  const column: Column = new Map()
  const folder = mkdtempSync(join(tmpdir(), 'quarry-r2-'))
  const bucket = await startR2Site(folder)
  await publish(site, 's3://bucket', bucket)
  await bucket.stop()
  for (const atOnce of [1, 6]) {
    const worker = await startR2Site(folder)
    for (const { name, targets } of classes) {
      const { sent, heapBytes } = await sendToWorker(worker, targets, atOnce)
      const label = atOnce === 1 ? name : `${name}, ${atOnce} at once`
      column.set(label, `heap and buffers ${megabytes(heapBytes)}; ${milliseconds(sent)}`)
    }
    await worker.stop()
  }
  rmSync(folder, { recursive: true })
  return column
}

async function sendToWorker(
  { site, heapBytes }: R2Site,
  targets: readonly string[],
  atOnce: number,
) {
  const sent: Sent[] = []
  let most = 0
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      most = Math.max(most, await heapBytes())
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  })()
  for (let at = 0; at < targets.length; at += atOnce) {
    const some = targets.slice(at, at + atOnce)
    sent.push(...(await Promise.all(some.map((target) => send(`${site}${target}`)))))
  }
  isOver = true
  await sampling
  return { sent, heapBytes: most }
}

async function openStore(): Promise<S3Server | null> {
  const endpoint = process.env['AWS_ENDPOINT_URL']
  const reason = endpoint === undefined ? provideCeph() : null
  if (reason !== null) return null
  const server =
    endpoint === undefined ? await startCeph() : { ...s3At(endpoint), stop: async () => {} }
  await server.createBucket('scale')
  return server
}

function* table(): Generator<string> {
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))]
  for (const name of names) {
    yield `| ${[name, ...columns.map((column) => column.get(name) ?? '')].join(' | ')} |`
    if (name === '') yield `|${'---|'.repeat(columns.length + 1)}`
  }
}

function described({ processorMilliseconds, milliseconds: wall, peakBytes }: Figures): string {
  return `${(processorMilliseconds / 1000).toFixed(1)} s, wall ${(wall / 1000).toFixed(1)} s, ${megabytes(peakBytes)}`
}

function milliseconds(sent: readonly Sent[]): string {
  const times = sent.map((one) => one.milliseconds)
  return `${median(times).toFixed(1)} ms, most ${Math.max(...times).toFixed(0)} ms`
}

/** `VmRSS` and `VmHWM` of proc(5). */
function memory(pid: number | undefined): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const size = (field: string) =>
    megabytes(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024)
  return `${size('VmRSS')}, peak ${size('VmHWM')}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`
}

function dollars(amount: number): string {
  return amount.toFixed(amount < 0.1 ? 5 : 2)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
