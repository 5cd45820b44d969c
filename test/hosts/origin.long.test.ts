// Servers that follow nginx while it is stopped and damaged, and a worker that reads R2.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../support/command-line.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** Builds a site whose every post names the round. */
async function buildRound(site: TemporarySite, round: number): Promise<void> {
  for (let number = 1; number <= 100; number++)
    site.post(`p-${number}`, { title: `Round ${round}` }, `Text of round ${round}.\n`)
  await site.build()
}

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
  const { url } = await serve(site.folder)
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
