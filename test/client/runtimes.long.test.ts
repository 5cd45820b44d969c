// The client where people run it: Chromium, Deno, Bun and Node, each asking a real server over HTTP.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { NodeServer } from '../../src/hosts/server.ts'
import { openPage, provideChromium, startChromium } from '../support/chromium.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { bunProgram, denoProgram } from '../support/host-packages.ts'
import { installInto, packPackage } from '../support/packed.ts'
import { listenWith, respondAt } from '../support/process.ts'
import { sampleNow, writeSample } from '../support/sample-site.ts'
import { type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const missing = provideChromium()
const client = join(import.meta.dirname, '../../packages/client/lib/index.js')
let served: ServedFolder
let server: NodeServer

beforeAll(async () => {
  writeSample(site.folder)
  site
    .write('content/handbook/categories/news.md', '---\nname: News\n---\n')
    .write('content/handbook/tags/caching.md', '---\nname: Caching\n---\n')
    .post('kept', { title: 'What is kept', tags: '[caching]' }, 'Text.\n', 'handbook')
  await site.build()
  served = await serveFolder(site.out)
  server = await listenWith(served.handler({ now: () => sampleNow }))
})

/** A story with every kind of answer, told as one text; both versions, from another origin. */
const story = (module: string) => `
import { createClient } from ${JSON.stringify(module)}
export async function tell() {
  const told = []
  for (const who of [{ workspace: 'journal' }, { key: ${JSON.stringify(served.keyOf('journal'))} }]) {
    const content = createClient({ url: ${JSON.stringify(server.url)}, ...who })
    let count = 0
    for await (const post of content.posts.all({ limit: 4, excludeContent: true })) {
      count += 'content' in post ? 100 : 1
    }
    const all = await content.posts.list({ limit: 'all', query: 'é' })
    const one = await content.posts.get('post-3')
    const nobody = await content.posts.get('nobody')
    const bad = await content.posts.list({ limit: 1000 })
    const ended = await content.posts.list({}, { signal: AbortSignal.abort() })
    told.push([count, all.ok, one.data.slug, nobody.error.type, bad.error.type, ended.error.type])
  }
  const stranger = createClient({ url: ${JSON.stringify(server.url)}, key: 'qk_nonsense' })
  told.push([(await stranger.tags.list()).error.type])
  return JSON.stringify(told)
}
`

async function expected(): Promise<string> {
  const { pagination } = site.json('public/v1/journal/posts/index.json')
  const own = [pagination.totalItems, true, 'post-3', 'not-found', 'bad-request', 'aborted']
  return JSON.stringify([own, own, ['unauthorized']])
}

it.each([
  ['Node', () => [process.execPath]],
  ['Deno', () => [denoProgram(), 'run', '--no-config', `--allow-net=${new URL(server.url).host}`]],
  ['Bun', () => [bunProgram(), 'run']],
] as const)('the client reads the API on %s', async (_, words) => {
  const file = join(site.folder, 'story.mjs')
  writeFileSync(file, `${story(client)}\nconsole.log(await tell())\n`)
  const [program = '', ...flags] = words()
  const { stdout } = await promisify(execFile)(program, [...flags, file])
  expect(stdout.trim()).toBe(await expected())
})

it.skipIf(missing !== null)('the client reads the API on a page of another origin', async () => {
  const { outputFiles } = await build({
    ...{ stdin: { contents: story(client), resolveDir: site.folder }, bundle: true, write: false },
    ...{ format: 'esm', platform: 'browser' },
  })
  const url = await respondAt((request, response) => {
    const isScript = request.url === '/story.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? outputFiles[0]?.text : '<!doctype html><title>Story</title>')
  })
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const { page, faults } = await openPage(browser)
  await page.goto(`${url}/`)
  const told = await page.evaluate("import('/story.js').then(({ tell }) => tell())")
  expect(told).toBe(await expected())
  expect(faults).toEqual([])
})

it('the client runs as it is documented, from a tarball that installs one package', async () => {
  const project = join(site.folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  installInto(project, [packPackage('quarry-client', join(project, 'packed'))])
  const installed = readdirSync(join(project, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['quarry-client'])
  const [code = ''] = blocksOf(readDocument('client.md'), 'js')
  writeFileSync(join(project, 'example.mjs'), code.replace('http://127.0.0.1:4321', server.url))
  const { stdout } = await promisify(execFile)(process.execPath, [join(project, 'example.mjs')])
  expect(stdout).toBe('What is kept\nCaching 1\n')
})
