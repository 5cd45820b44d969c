// Queries without a server: the function in a real browser, as a module and as a service worker, over an nginx that serves files below a path, as GitHub Pages does.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { build } from '../../src/build/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { describeInChromium, openPage } from '../support/chromium.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort, type RunningProgram } from '../support/process.ts'
import {
  type BuiltSample,
  buildSample,
  essenceOf,
  functionOver,
  sampleNow,
} from '../support/sample-site.ts'

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

let fixture: BuiltSample

beforeAll(async () => {
  fixture = await buildSample(undefined, { browser: true })
})

/** The response of the function of a server. */
const ask = async (target: string): Promise<Got> =>
  essenceOf(await functionOver(fixture.out)(target))

describeInChromium('queries without a server', (browser) => {
  let nginx: RunningProgram
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

  it('is a search with facets in the page of examples/static', async () => {
    const name = 'search.html'
    cpSync(join(root, 'examples/static', name), join(fixture.out, 'public', name))
    const { page, faults } = await openPage(browser())
    await page.goto(`${url}${name}?workspace=journal`)
    const query = '/v1/journal/posts?include=facets&excludeContent=true'
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
    await page.getByRole('searchbox').fill('paragraph')
    const { tag, ...found } = await wanted('&query=paragraph')
    await expect.poll(shown).toEqual(found)
    await page.getByLabel(`${tag.name} (${tag.count})`).check()
    const { tag: _, ...filtered } = await wanted(`&query=paragraph&tags=${tag.slug}`)
    expect(filtered.count).not.toBe(found.count)
    await expect.poll(shown).toEqual(filtered)
    expect(faults).toEqual([])
  })

  it('has them by a service worker, offline too, and follows to the next build', async () => {
    const { page } = await openPage(browser())
    await page.goto(`${url}page.html`)
    const [register = ''] = blocksOf(readDocument('static-queries.md'), 'js')
    await page.evaluate(`(async () => {${register.replace('/quarry-sw', 'quarry-sw')}})()`)
    const lists = [
      '/v1/journal/posts',
      '/v1/journal/posts?page=2',
      '/v1/journal/posts?query=caches',
    ]
    const queries = [
      '/v1/journal/posts?query=paragraph&tags=alpha',
      '/v1/journal/posts?orderBy=title&limit=4',
    ]
    const bodies = (all: readonly Got[]) => all.map(({ status, text }) => ({ status, text }))
    const wanted = async (targets: readonly string[]) => bodies(await Promise.all(targets.map(ask)))
    expect(bodies(await fetchAll(page, lists))).toEqual(await wanted(lists))
    const failure = await page.evaluate(`new Promise((done) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => done(data)
      navigator.serviceWorker.controller.postMessage({ sync: 'journal' }, [port2])
    })`)
    expect(failure).toBe(null)
    await nginx.stop()
    expect(bodies(await fetchAll(page, lists))).toEqual(await wanted(lists))
    expect(bodies(await fetchAll(page, queries))).toEqual(await wanted(queries))
    nginx = await startNginx(http, port)
    const post =
      '---\ntitle: Brand new needle\ncategory: news\npublishedAt: 2026-05-30\n---\nNew.\n'
    writeFileSync(join(fixture.folder, 'content/journal/posts/brand-new.md'), post)
    const place = { content: join(fixture.folder, 'content'), out: fixture.out }
    const settings = resolveSettings({ ...place, workers: 1, browser: true })
    await build(settings, { now: sampleNow })
    await pause(10_500)
    const [found] = await fetchAll(page, ['/v1/journal/posts?query=brand+new+needle'])
    expect(found?.status === 200 && JSON.parse(found.text).pagination.totalItems).toBe(1)
    const { root } = JSON.parse(readFileSync(join(fixture.out, 'public/site/root.json'), 'utf8'))
    const names = JSON.stringify(root).match(/data\/index-\w+\.json/g) ?? []
    const indexes = [...new Set(names)].map((name) => `${url}site/${name}`)
    const cached = () =>
      page.evaluate<readonly string[]>(`(async () => {
        const requests = await (await caches.open('quarry')).keys()
        return requests.map(({ url }) => url).filter((url) => url.includes('/index-')).sort()
      })()`)
    await expect.poll(cached).toEqual(indexes.sort())
  })
})
