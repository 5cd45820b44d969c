// Queries without a server: thousands of requests of the function, and the function in a real browser, as a module and
// as a service worker, over an nginx that serves files below a path, as GitHub Pages does.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from '../../src/build/build.ts'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { resolveSettings } from '../../src/config.ts'
import { createHandler } from '../../src/runtime/handler.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { writeFixture } from '../conformance/fixture.ts'
import type { ResponseLike } from '../conformance/host.ts'
import {
  type BuiltFixture,
  buildFixture,
  openTargets,
  requestHandler,
} from '../conformance/hosts.ts'
import { requests, targetOf } from '../support/arbitraries.ts'
import { describeInChromium, openPage } from '../support/chromium.ts'
import fc from '../support/fast-check.ts'
import { type Nginx, provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import { sampleOf } from '../support/sample-workspace.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

/** What a page got. */
interface Got {
  readonly status: number
  readonly etag: string | null
  readonly text: string
}

/** Runs in the page: asks the service worker, that is, `fetch`. */
async function fetchAll(page: Page, targets: readonly string[]): Promise<readonly Got[]> {
  return page.evaluate(async (paths) => {
    const got: Got[] = []
    for (const path of paths) {
      const response = await fetch(`/repo${path}`)
      const text = await response.text()
      got.push({ status: response.status, etag: response.headers.get('etag'), text })
    }
    return got
  }, targets)
}

let fixture: BuiltFixture

beforeAll(async () => {
  fixture = await buildFixture(undefined, { browser: true })
})

afterAll(() => fixture?.remove())

/** The function of a server. */
async function reference(): Promise<(target: string) => Promise<Got>> {
  const site = await openBuild(createFileStorage(join(fixture.out, 'function')))
  const request = requestHandler(createHandler({ site }, { rateLimit: 'off' }))
  return async (target) => gotOf(await request(target))
}

async function gotOf(response: ResponseLike): Promise<Got> {
  const text = (await response.text()).replace(/Request [\w-]{36}/, '')
  return { status: response.status, etag: response.headers.get('etag'), text }
}

/** Random requests of the fixture, from a seed. */
async function randomTargets(count: number): Promise<readonly string[]> {
  const site = temporarySite()
  writeFixture(site.content)
  const acme = (await site.load()).workspaces.find(({ workspace }) => workspace.id === 'acme')
  const workspace = await sampleOf(acme ?? expect.unreachable('the fixture has no acme'))
  const asked = fc.record({ request: requests(workspace), style: fc.nat({ max: 2 }) })
  return fc
    .sample(asked, { numRuns: count, seed: 1 })
    .map(({ request, style }) => targetOf({ ...request, version: 'v1' }, style))
}

it('the function of a browser responds to 10,000 random requests as that of a server', async () => {
  const folder = join(fixture.out, 'public')
  const { default: createFunction } = await import(
    pathToFileURL(join(folder, 'quarry-function.js')).href
  )
  const fetch = async (url: string, { headers }: RequestInit = {}) => {
    const file = readFileSync(join(folder, new URL(url).pathname.replace('/repo', '')))
    const range = new Headers(headers).get('range')?.match(/\d+/g)?.map(Number)
    if (range === undefined) return new Response(new Uint8Array(file))
    const bytes = file.subarray(range[0], (range[1] ?? 0) + 1)
    return new Response(new Uint8Array(bytes), { status: 206 })
  }
  const respond = createFunction({ base: 'http://files.invalid/repo/', fetch })
  const ask = await reference()
  const statuses = new Map<number, number>()
  for (const target of await randomTargets(10_000)) {
    const found = await gotOf(await respond(target))
    expect(found, target).toEqual(await ask(target))
    statuses.set(found.status, (statuses.get(found.status) ?? 0) + 1)
  }
  expect(Math.min(...[200, 400, 404].map((status) => statuses.get(status) ?? 0))).toBeGreaterThan(
    300,
  )
})

describeInChromium('queries without a server', (browser) => {
  let nginx: Nginx
  let url = ''
  let http = ''
  let port = 0

  beforeAll(async () => {
    expect(provideNginx()).toBe(null)
    writeFileSync(join(fixture.out, 'public/page.html'), '<!doctype html><title>Page</title>')
    port = await freePort()
    url = `http://127.0.0.1:${port}/repo/`
    const types = 'types { text/html html; text/javascript js; application/json json; }'
    http = `${types} server { listen 127.0.0.1:${port}; location /repo/ { alias ${fixture.out}/public/; } }`
    nginx = await startNginx(http, port)
  })

  afterAll(() => nginx?.stop())

  it('has the status, bytes and ETags of the function, by a module', async () => {
    const { page, faults } = await openPage(browser())
    await page.goto(`${url}page.html`)
    const targets = [...openTargets, ...(await randomTargets(2000))]
    // As text, so that nothing changes its import.
    const got = await page.evaluate<readonly Got[]>(`(async () => {
      const { default: createFunction } = await import('${url}quarry-function.js')
      const respond = createFunction({ base: '${url}' })
      const all = []
      for (const target of ${JSON.stringify(targets)}) {
        const response = await respond(target)
        const text = (await response.text()).replace(/Request [\\w-]{36}/, '')
        all.push({ status: response.status, etag: response.headers.get('etag'), text })
      }
      return all
    })()`)
    const ask = await reference()
    for (const [at, target] of targets.entries()) expect(got[at], target).toEqual(await ask(target))
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('is a search with facets in the page of examples/static', async () => {
    const name = 'search.html'
    cpSync(join(root, 'examples/static', name), join(fixture.out, 'public', name))
    const { page, faults } = await openPage(browser())
    await page.goto(`${url}${name}?workspace=acme`)
    const ask = await reference()
    const query = '/v1/acme/posts?include=facets&excludeContent=true'
    const wanted = async (more: string) => {
      const { posts, facets, pagination } = JSON.parse((await ask(`${query}${more}`)).text)
      const titles = posts.map(({ title }: { title: string }) => title)
      const [tag] = facets.tags
      return { titles, tag, count: `${pagination.totalItems} posts` }
    }
    const shown = async () => ({
      titles: await page.locator('li strong').allTextContents(),
      count: await page.getByRole('status').textContent(),
    })
    await page.getByRole('searchbox').fill('body')
    const { tag, ...found } = await wanted('&query=body')
    await expect.poll(shown).toEqual(found)
    await page.getByLabel(`${tag.name} (${tag.count})`).check()
    const { tag: _, ...filtered } = await wanted(`&query=body&tags=${tag.slug}`)
    expect(filtered.count).not.toBe(found.count)
    await expect.poll(shown).toEqual(filtered)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('has them by a service worker, offline too, and follows to the next build', async () => {
    const { page } = await openPage(browser())
    await page.goto(`${url}page.html`)
    await page.evaluate(`(async () => {
      await navigator.serviceWorker.register('quarry-sw.js')
      const { serviceWorker } = navigator
      if (serviceWorker.controller) return
      await new Promise((done) => serviceWorker.addEventListener('controllerchange', done))
    })()`)
    const lists = ['/v1/acme/posts', '/v1/acme/posts?page=2', '/v1/acme/posts?query=needle']
    const queries = ['/v1/acme/posts?query=post&tags=alpha', '/v1/acme/posts?orderBy=title&limit=4']
    const ask = await reference()
    const bodies = (all: readonly Got[]) => all.map(({ status, text }) => ({ status, text }))
    const wanted = async (targets: readonly string[]) => bodies(await Promise.all(targets.map(ask)))
    expect(bodies(await fetchAll(page, lists))).toEqual(await wanted(lists))
    const failure = await page.evaluate(`new Promise((done) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => done(data)
      navigator.serviceWorker.controller.postMessage({ sync: 'acme' }, [port2])
    })`)
    expect(failure).toBe(null)
    await nginx.stop()
    expect(bodies(await fetchAll(page, lists))).toEqual(await wanted(lists))
    expect(bodies(await fetchAll(page, queries))).toEqual(await wanted(queries))
    nginx = await startNginx(http, port)
    const post =
      '---\ntitle: Brand new needle\ncategory: news\npublishedAt: 2026-05-30\n---\nNew.\n'
    writeFileSync(join(fixture.folder, 'content/acme/posts/brand-new.md'), post)
    const place = { content: join(fixture.folder, 'content'), out: fixture.out }
    const settings = resolveSettings({ ...place, workers: 1, browser: true })
    await build(settings, { now: fixture.site.now })
    await pause(10_500)
    const [found] = await fetchAll(page, ['/v1/acme/posts?query=brand+new+needle'])
    expect(found?.status === 200 && JSON.parse(found.text).pagination.totalItems).toBe(1)
    const { root } = JSON.parse(readFileSync(join(fixture.out, 'public/site/root.json'), 'utf8'))
    const indexes = root.workspaces.map(({ index }: { index: string }) => `${url}site/${index}`)
    const cached = () =>
      page.evaluate<readonly string[]>(`(async () => {
        const requests = await (await caches.open('quarry')).keys()
        return requests.map(({ url }) => url).filter((url) => url.includes('/index-')).sort()
      })()`)
    await expect.poll(cached).toEqual(indexes.sort())
    await page.context().close()
  })
})
