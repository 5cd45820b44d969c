// The function for browsers, over a host that serves files and nothing else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import type createFunction from '../../src/hosts/browser.ts'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { pixel } from '../blackbox/site.ts'
import { contentsOf } from '../support/contents.ts'
import { type OriginServer, openOrigin } from '../support/origin-server.ts'
import {
  type BuiltSample,
  buildSample,
  essenceOf,
  functionOver,
  openTargets,
} from '../support/sample-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

let fixture: BuiltSample
/** A host without ranges, with the site in a folder of it. */
let served: OriginServer
let browser: ReturnType<typeof createFunction>

async function openFunction(
  folder: string,
  base: string,
  fetch?: (url: string) => Promise<Response>,
) {
  const module = pathToFileURL(join(folder, 'quarry-function.js')).href
  const { default: create }: { default: typeof createFunction } = await import(module)
  return create({ base, ...(fetch && { fetch }) })
}

beforeAll(async () => {
  fixture = await buildSample(undefined, { browser: true })
  served = await openOrigin(fixture.out)
  served.hasRanges = false
  browser = await openFunction(join(fixture.out, 'public'), `${served.url}public/`)
})

describe('the function for browsers', () => {
  it('has at most 30 kB, compressed', () => {
    const file = join(fixture.out, 'public/quarry-function.js')
    expect(gzipSync(readFileSync(file)).length).toBeLessThan(30_000)
  })

  it('responds to every v1 request with the status, bytes and ETag of the function', async () => {
    const ask = functionOver(fixture.out)
    expect(openTargets.length).toBeGreaterThan(200)
    for (const target of openTargets)
      expect(await essenceOf(await browser(target)), target).toEqual(
        await essenceOf(await ask(target)),
      )
  })

  it('takes a request for a URL below its folder, with its headers', async () => {
    const url = `${served.url}public/v1/journal/posts?query=caches`
    const first = await browser(new Request(url))
    expect(first.status).toBe(200)
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await browser(new Request(url, { headers }))).status).toBe(304)
  })

  it('responds from the last build while its host is down, and with a 500 before it read one', async () => {
    const folder = join(fixture.out, 'public')
    const other = await openOrigin(fixture.out)
    const lasting = await openFunction(folder, `${other.url}public/`)
    const early = await openFunction(folder, `${other.url}public/`)
    const list = '/v1/journal/posts?tags=alpha'
    const before = await (await lasting(list)).text()
    other.fault = 'down'
    expect(await (await lasting(list)).text()).toBe(before)
    expect((await early(list)).status).toBe(500)
  })
})

it('is what the client uses with `site`, where no file has the response', async () => {
  const content = createClient({ url: `${served.url}public`, workspace: 'journal', site: true })
  const found = await content.posts.search('caches', { limit: 3 })
  const wanted = JSON.parse(await (await browser('/v1/journal/posts?query=caches&limit=3')).text())
  expect(found).toEqual({ ok: true, data: { items: wanted.posts, pagination: wanted.pagination } })
  expect(await content.posts.list({ page: 2 })).toMatchObject({ ok: true })
  expect(await content.posts.get('nobody')).toMatchObject({ error: { type: 'not-found' } })
  await content.sync()
})

it('takes no page that a host sends for every path as a file', async () => {
  const send = async (url: string) => {
    const { pathname } = new URL(url)
    if (!/\/(?:site\/|quarry-)/.test(pathname))
      return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    return new Response(readFileSync(join(fixture.out, pathname)))
  }
  const options = { url: 'http://spa.invalid/public', workspace: 'journal', site: true }
  const found = await createClient({ ...options, fetch: send as typeof fetch }).tags.list()
  const { tags } = JSON.parse(await (await browser('/v1/journal/tags')).text())
  expect(found).toMatchObject({ ok: true, data: { items: tags } })
})

it('leaves changes to the host, whose builds they name', async () => {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    return new Response('{"build":"b"}')
  }
  const respond = await openFunction(join(fixture.out, 'public'), 'http://files.invalid/', fetch)
  const response = await respond('/v1/plain/changes?since=b')
  expect(await response.text()).toBe('{"build":"b"}')
  expect(asked).toEqual(['http://files.invalid/v1/plain/changes?since=b'])
})

it('leaves the import of the function to the platform, whatever bundles the client', () => {
  const site = join(import.meta.dirname, '../../packages/client/lib/site.js')
  const imports = readFileSync(site, 'utf8').match(/\bimport\(.*\)/g)
  const comments = '/* @vite-ignore */ /* webpackIgnore: true */'
  expect(imports).toEqual([`import(${comments} source)`, `import(${comments} data)`])
})

it('the public view depends on nothing that not everyone may read', async () => {
  const clearKey = encodeKey(new Uint8Array(32).fill(7))
  const site = temporarySite({ browser: true })
    .write('content/acme/workspace.yml', 'references: create\n')
    .write('content/acme/posts/a.png', pixel)
    .post('first', { tags: '[Alpha]' }, '![](a.png)\n')
    .post('second', { tags: '[Beta]' })
  /** Every byte of it that a build needs. */
  const view = () =>
    Object.entries(contentsOf(site.out)).filter(([path]) => path.startsWith('public/site/'))
  await site.build()
  const before = view()
  const key = { id: 'k', name: 'K', sha256: hashKey(clearKey), created: '2026-01-01T00:00:00Z' }
  site
    .post('scheduled', { publishedAt: '2030-01-01', tags: '[Hidden, ALPHA]' }, '![](b.png)\n')
    .write('content/acme/posts/b.png', Buffer.concat([pixel, Buffer.from('b')]))
    .post('draft', { status: 'draft', tags: '[Secret]' })
    .write('content/acme/keys.yml', JSON.stringify([key]))
    .write('content/closed/workspace.yml', 'v1: private\n')
    .write('content/closed/categories.yml', '- { slug: news, name: C }\n')
    .post('one', {}, 'Text.\n', 'closed')
  await site.build({ drafts: true })
  expect(view()).toEqual(before)
  expect(site.json('manifest.json').workspaces.acme.scheduled).toBe(1)
  expect(site.text('function/root.json')).toContain(hashKey(clearKey))
})

/** The function of a site whose files it reads from the disk. */
function functionOfFiles({ out }: { readonly out: string }) {
  const folder = join(out, 'public')
  const fetched = async (url: string) => new Response(readFileSync(new URL(url).pathname))
  return openFunction(folder, `http://files.invalid${folder}/`, fetched)
}

it('reads the root again when data that a response needs is gone, and fails if no build has it', async () => {
  const site = temporarySite({ browser: true }).post('one')
  await site.build()
  const respond = await functionOfFiles(site)
  expect((await respond('/v1/acme/categories')).status).toBe(200)
  await site.post('one', {}, 'Of the new build.\n').build()
  const response = await respond('/v1/acme/posts/one')
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('Of the new build.'),
  ])
  site.remove('dist/public/site/data')
  expect((await respond('/v1/acme/posts?query=text')).status).toBe(500)
})

it('forgets a post that has expired since the build, whose file is still there', async () => {
  const site = temporarySite({ browser: true })
    .post('brief', { expiresAt: '2026-02-01' })
    .post('lasting')
  await site.build({ now: Date.UTC(2026, 0, 20) })
  const respond = await functionOfFiles(site)
  expect((await respond('/v1/acme/posts/brief')).status).toBe(404)
  expect(await (await respond('/v1/acme/posts')).text()).not.toContain('brief')
})
