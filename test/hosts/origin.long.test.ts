// Servers that follow nginx while it is stopped and damaged, and a worker that reads R2.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { start } from '../support/command-line.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** Builds a site whose every post names the round. */
async function buildRound(site: TemporarySite, round: number): Promise<void> {
  for (let number = 1; number <= 100; number++)
    site.post(`p-${number}`, { title: `Round ${round}` }, `Text of round ${round}.\n`)
  await site.build()
}

/** Data first, the root last and as a whole. */
function upload({ out }: TemporarySite, store: string): void {
  mkdirSync(store, { recursive: true })
  cpSync(join(out, 'function/data'), join(store, 'data'), { recursive: true, force: false })
  cpSync(join(out, 'function/root.json'), join(store, 'root.new'))
  renameSync(join(store, 'root.new'), join(store, 'root.json'))
}

/** Requests one path over one connection until `isOver`, and notes what must not be. */
function watch(url: string, isOver: () => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const wrong: string[] = []
  let [latest, count] = [-1, 0]
  const send = () =>
    new Promise<string>((resolve, reject) => {
      get(url, { agent }, (response) => void text(response).then(resolve, reject)).on(
        'error',
        reject,
      )
    })
  const run = async () => {
    while (!isOver()) {
      const rounds = new Set((await send()).match(/(?<=[Rr]ound )\d+/g))
      const round = Number([...rounds][0])
      if (rounds.size !== 1 || round < latest) wrong.push(`${[...rounds]} after ${latest}`)
      latest = round
      count++
      await pause(20)
    }
    agent.destroy()
  }
  return { done: run(), wrong, latest: () => latest, count: () => count }
}

const noNginx = provideNginx()

it.skipIf(noNginx !== null)('three servers follow nginx, whatever happens to it', async () => {
  const site = temporarySite()
  const store = join(site.folder, 'store/site')
  const port = await freePort()
  const secret = 'if ($http_authorization != "Bearer secret") { return 401; }'
  const http = `server { listen 127.0.0.1:${port}; root ${join(site.folder, 'store')}; ${secret} }`
  let nginx = await startNginx(http, port)
  onTestFinished(() => nginx.stop())
  await buildRound(site, 0)
  upload(site, store)
  const servers = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const words = ['serve', '--from', `http://127.0.0.1:${port}/site/`, '--out', `copy${number}`]
      const environment = { QUARRY_SITE_AUTHORIZATION: 'Bearer secret', QUARRY_RATE_LIMIT: 'off' }
      const running = start(site.folder, [...words, '--port', '0'], environment)
      onTestFinished(() => running.stop('SIGKILL'))
      const [, url = ''] = await running.waitFor(/at (http:\S+)/)
      return url
    }),
  )
  let isOver = false
  const paths = ['posts?limit=100', 'posts?query=text+of&excludeContent=true', 'posts/p-7']
  const watched = servers.flatMap((url) =>
    paths.map((path) => watch(`${url}/v1/acme/${path}`, () => isOver)),
  )
  const rounds = () => [...new Set(watched.map(({ latest }) => latest()))]
  const uploadedAt = async (round: number) => {
    await buildRound(site, round)
    upload(site, store)
    const since = Date.now()
    await expect.poll(rounds, { timeout: 60_000 }).toEqual([round])
    return Date.now() - since
  }
  const failing = async () => {
    const all = servers.map(async (url) => (await fetch(`${url}/status`)).text())
    return (await Promise.all(all)).filter((status) => status.includes('originFailingSince')).length
  }

  expect(await uploadedAt(1)).toBeLessThan(10_000)
  await nginx.stop()
  await expect.poll(failing, { timeout: 30_000 }).toBe(3)
  await buildRound(site, 2)
  upload(site, store)
  const root = readFileSync(join(store, 'root.json'))
  writeFileSync(join(store, 'root.json'), root.subarray(0, root.length - 20))
  nginx = await startNginx(http, port)
  await pause(6000)
  expect([await failing(), rounds()]).toEqual([3, [1]])
  writeFileSync(join(store, 'root.json'), '<h1>Welcome to nginx!</h1>')
  await pause(6000)
  expect([await failing(), rounds()]).toEqual([3, [1]])
  expect(await uploadedAt(3)).toBeLessThan(10_000)
  expect(await failing()).toBe(0)
  isOver = true
  await Promise.all(watched.map(({ done }) => done))
  expect(watched.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(Math.min(...watched.map(({ count }) => count()))).toBeGreaterThan(100)
})

it('a worker below 1 MB responds from R2 as a function from its folder, and follows the next build', async () => {
  const site = temporarySite()
  await buildRound(site, 0)
  const contents = bundleWorker(site)
  expect(contents.length).toBeLessThan(1024 * 1024)
  const modules = [{ type: 'ESModule', path: 'worker.js', contents }]
  const path = join(provideHostPackages('wrangler'), 'miniflare/dist/src/index.js')
  const { Miniflare } = await import(pathToFileURL(path).href)
  const compatibilityDate = '2026-04-01'
  const bindings = { QUARRY_SITE: 'https://store.invalid/site/', QUARRY_RATE_LIMIT: 'off' }
  const store = { name: 'store', modules: true, script: publicBucket, r2Buckets: ['BUCKET'] }
  const content = { name: 'content', modules, bindings, outboundService: 'store' }
  const workers = [content, store].map((worker) => ({ ...worker, compatibilityDate }))
  const runtime = new Miniflare({ workers })
  onTestFinished(() => runtime.dispose())
  const bucket = await runtime.getR2Bucket('BUCKET', 'store')
  const uploadAll = async () => {
    const data = readdirSync(join(site.out, 'function/data')).map((name) => `data/${name}`)
    for (const name of [...data, 'root.json'])
      await bucket.put(
        `site/${name}`,
        new Uint8Array(readFileSync(join(site.out, 'function', name))),
      )
  }
  const send = async (target: string) => {
    const response = await runtime.dispatchFetch(`https://content.invalid${target}`)
    return { status: response.status, body: await response.text() }
  }
  expect((await send('/v1/acme/posts')).status).toBe(500)
  await uploadAll()
  const targets = ['/v1/acme/posts?page=2', '/v1/acme/posts?query=ext+of&limit=3', '/openapi.json']
  const served = start(site.folder, ['serve', '--port', '0'])
  onTestFinished(() => served.stop('SIGKILL'))
  const [, url = ''] = await served.waitFor(/at (http:\S+)/)
  for (const target of targets) {
    const response = await fetch(`${url}${target}`)
    expect(await send(target)).toEqual({ status: 200, body: await response.text() })
  }
  await buildRound(site, 1)
  await uploadAll()
  await pause(10_000)
  expect((await send('/v1/acme/posts')).body).toContain('Round 1')
})

/** Bundles the worker of docs/deploying/origin.md by the command in its first line, without the upload. */
function bundleWorker({ folder }: TemporarySite): string {
  const [text = ''] = blocksOf(readDocument('deploying/origin.md'), 'js')
  const [, words = ''] = /npx wrangler (deploy .+)/.exec(text) ?? []
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'node_modules/quarry'))
  writeFileSync(join(folder, 'worker.js'), text)
  const wrangler = join(provideHostPackages('wrangler'), 'wrangler/bin/wrangler.js')
  const flags = ['--dry-run', '--outdir', 'out']
  const env = { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' }
  const options = { cwd: folder, env, stdio: 'pipe' } as const
  execFileSync(process.execPath, [wrangler, ...words.split(' '), ...flags], options)
  return readFileSync(join(folder, 'out/worker.js'), 'utf8')
}

/** A worker that serves a bucket as R2 does at a domain of one's own. */
const publicBucket = `export default {
  async fetch(request, { BUCKET }) {
    const key = new URL(request.url).pathname.slice(1)
    const object = await BUCKET.get(key, { range: request.headers, onlyIf: request.headers })
    if (object === null) return new Response('no', { status: 404 })
    const headers = { etag: object.httpEtag, 'last-modified': object.uploaded.toUTCString() }
    if (!object.body) return new Response(null, { status: 304, headers })
    const isRange = request.headers.has('range')
    return new Response(object.body, { status: isRange ? 206 : 200, headers })
  },
}`
