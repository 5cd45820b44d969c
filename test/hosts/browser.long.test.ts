// Queries without a server, in a real browser: the function as a module and as a service worker, over an nginx that
// serves files below a path, as GitHub Pages does.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from '../../src/build/build.ts'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { resolveSettings } from '../../src/config.ts'
import { createHandler } from '../../src/runtime/handler.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import {
  type BuiltFixture,
  buildFixture,
  openTargets,
  requestHandler,
} from '../conformance/hosts.ts'
import { describeInChromium, openPage } from '../support/chromium.ts'
import { type Nginx, provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'

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

describeInChromium('queries without a server', (browser) => {
  let fixture: BuiltFixture
  let nginx: Nginx
  let url = ''
  let http = ''
  let port = 0

  const ask = async () => {
    const site = await openBuild(createFileStorage(join(fixture.out, 'function')))
    const request = requestHandler(createHandler({ site }, { rateLimit: 'off' }))
    return async (target: string): Promise<Got> => {
      const response = await request(target)
      const etag = response.headers.get('etag')
      return { status: response.status, etag, text: await response.text() }
    }
  }
  const withoutId = (got: Got) => ({ ...got, text: got.text.replace(/Request [\w-]{36}/, '') })

  beforeAll(async () => {
    expect(provideNginx()).toBe(null)
    fixture = await buildFixture(undefined, { browser: true })
    writeFileSync(join(fixture.out, 'public/page.html'), '<!doctype html><title>Page</title>')
    port = await freePort()
    url = `http://127.0.0.1:${port}/repo/`
    const types = 'types { text/html html; text/javascript js; application/json json; }'
    http = `${types} server { listen 127.0.0.1:${port}; location /repo/ { alias ${fixture.out}/public/; } }`
    nginx = await startNginx(http, port)
  })

  afterAll(async () => {
    await nginx?.stop()
    fixture?.remove()
  })

  it('has the status, bytes and ETags of the function, by a module', async () => {
    const { page, faults } = await openPage(browser())
    await page.goto(`${url}page.html`)
    // As text, so that nothing changes its import.
    const got = await page.evaluate<readonly Got[]>(`(async () => {
      const { default: createFunction } = await import('${url}quarry-function.js')
      const respond = createFunction({ base: '${url}' })
      const all = []
      for (const target of ${JSON.stringify(openTargets)}) {
        const response = await respond(target)
        const { status, headers } = response
        all.push({ status, etag: headers.get('etag'), text: await response.text() })
      }
      return all
    })()`)
    const reference = await ask()
    for (const [at, target] of openTargets.entries()) {
      const wanted = withoutId(await reference(target))
      expect(got[at] && withoutId(got[at]), target).toEqual(wanted)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('is a search with facets in the page of examples/static', async () => {
    const name = 'search.html'
    cpSync(join(root, 'examples/static', name), join(fixture.out, 'public', name))
    const { page, faults } = await openPage(browser())
    await page.goto(`${url}${name}?workspace=acme`)
    const reference = await ask()
    const query = '/v1/acme/posts?include=facets&excludeContent=true'
    const wanted = async (more: string) => {
      const { posts, facets, pagination } = JSON.parse((await reference(`${query}${more}`)).text)
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
    const reference = await ask()
    const bodies = (all: readonly Got[]) => all.map(({ status, text }) => ({ status, text }))
    const wanted = async (targets: readonly string[]) =>
      bodies(await Promise.all(targets.map(reference)))
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
    await page.context().close()
  })
})
