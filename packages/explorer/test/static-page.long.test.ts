import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeInChromium, openPage } from '../../../test/support/chromium.ts'
import { serve } from '../../../test/support/command-line.ts'
import { respondAt } from '../../../test/support/process.ts'
import { type TemporarySite, temporarySite } from '../../../test/support/temporary-site.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

/** A host of files alone, with the rule that `.json` or `/index.json` is added to a path. */
async function hostFiles(site: TemporarySite, prefix: string): Promise<string> {
  const folder = join(site.out, 'public')
  const asked: string[] = []
  const url = await respondAt((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.push(path)
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : '/nowhere'
    const names = [`${below}index.html`, below, `${below}.json`, `${below}/index.json`]
    const file = names
      .map((name) => join(folder, name))
      .find((name) => extname(name) !== '' && existsSync(name))
    const type = types[extname(file ?? '')] ?? 'application/octet-stream'
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type })
    response.end(file === undefined ? '{}' : readFileSync(file))
  })
  // The page asks this host for nothing that is not under its own folder.
  onTestFinished(() => {
    expect(asked.filter((path) => !path.startsWith(prefix))).toEqual([])
    expect(asked.filter((path) => path.includes('_quarry'))).toEqual([])
  })
  return `${url}${prefix}/`
}

describeInChromium('the page of a build, in a browser', (browser) => {
  it.each(['', '/some/folder'])('works on a host of files alone, below "%s"', async (prefix) => {
    const site = temporarySite().posts(3)
    await site.build()
    const { page, faults } = await openPage(browser())
    await page.goto(await hostFiles(site, prefix))
    await page.locator('.status', { hasText: '200 OK' }).waitFor()
    await page.getByRole('link', { name: 'post-3' }).waitFor()
    expect(await page.getByRole('link', { name: 'Content' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('filters and searches on such a host, with the function of the site', async () => {
    const site = temporarySite({ browser: true }).posts(12)
    await site.build()
    const { page, faults } = await openPage(browser())
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const url = await hostFiles(site, '/some/folder')
    await page.goto(`${url}#/v1ListPosts?workspaceId=acme&query=post-12&limit=3`)
    await page.locator('.status', { hasText: '200' }).waitFor()
    await page.getByRole('tab', { name: 'Body' }).click()
    const text = page.locator('.json')
    expect(await text.textContent()).toMatch(/"slug": "post-12"[\s\S]*"totalItems": 1\b/)
    await page.goto(`${url}#/v1ListPosts?workspaceId=acme&order=asc&limit=3`)
    await expect.poll(() => text.textContent()).toMatch(/"slug": "post-1"[\s\S]*"totalItems": 12\b/)
    expect(asked.filter((path) => path.endsWith('/quarry-function.js'))).toHaveLength(1)
    expect(faults).toEqual([])
  })

  it('is what quarry serve shows to a browser, with answers of the function', async () => {
    const site = temporarySite().posts(12)
    await site.build()
    const { url } = await serve(site.folder)
    const { page, faults } = await openPage(browser())
    await page.goto(`${url}/#/v1ListPosts?workspaceId=acme&query=post-1`)
    await page.getByText('4 posts in').waitFor()
    const frame = await page.request.get(`${url}/`, { headers: { accept: 'text/html' } })
    expect(frame.headers()['content-security-policy']).toBe("frame-ancestors 'none'")
    expect(faults).toEqual([])
  })
})
