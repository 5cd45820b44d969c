import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeInChromium, openPage } from '../../../test/support/chromium.ts'
import { run, serve } from '../../../test/support/command-line.ts'
import { type TemporarySite, temporarySite } from '../../../test/support/temporary-site.ts'

describeInChromium('the page of quarry dev, in a browser', (browser) => {
  const dev = (site: TemporarySite, options?: Options) => openExplorer(browser(), site, options)

  it('shows every operation of the document, in both versions', async () => {
    const { page, url } = await dev(temporarySite().posts(1))
    const text = await (await fetch(`${url}/openapi.json`)).text()
    const document: { readonly paths: object } = JSON.parse(text)
    const shown: string[] = []
    for (const version of ['v1', 'v2']) {
      await page
        .getByRole('group', { name: 'Version' })
        .getByRole('link', { name: version })
        .click()
      const links = page.getByRole('navigation', { name: 'Operations' }).locator('li a')
      await eventually(() => links.first().getAttribute('title')).toContain(`/${version}/`)
      const titles = await links.evaluateAll((all) => all.map((link) => link.getAttribute('title')))
      shown.push(...titles.map((title) => title?.replace('GET ', '') ?? ''))
    }
    expect(shown.sort()).toEqual(Object.keys(document.paths).sort())
  })

  it('filters, searches and follows pages', async () => {
    const site = temporarySite().write('content/acme/tags/red.md', '---\nname: Red\n---\n').posts(5)
    site.post('apple', { tags: '[red]' }, 'A **round** fruit.\n').post('brick', { tags: '[red]' })
    const { page } = await dev(site, { address: '#/v1ListPosts?workspaceId=acme&limit=2' })
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByText('Page 1 of 4').waitFor()
    await pages.getByRole('button', { name: 'Next page' }).click()
    await pages.getByText('Page 2 of 4').waitFor()
    expect(await page.getByLabel('page', { exact: true }).inputValue()).toBe('2')
    // A page that was turned to is no page of what is typed or filtered next.
    const query = page.getByLabel('query')
    const found = page.locator('.field .found')
    await query.pressSequentially('round fr', { delay: 30 })
    await eventually(() => slugsOf(page)).toEqual(['apple'])
    await addressed(page, '/v1/acme/posts?limit=2&query=round%20fr')
    await eventually(() => found.textContent()).toMatch(/^1 post in [\d.]+ ms$/)
    expect(await query.evaluate((input) => input.matches(':focus'))).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await query.fill('')
    await eventually(() => slugsOf(page)).toHaveLength(2)
    await eventually(() => found.textContent()).toBe('')
    await pages.getByRole('button', { name: 'Next page' }).click()
    await pages.getByText('Page 2 of 4').waitFor()
    await page.getByLabel('tags', { exact: true }).fill('red')
    await page.keyboard.press('Enter')
    await addressed(page, '/v1/acme/posts?limit=2&tags=red')
    await eventually(() => slugsOf(page)).toEqual(['apple', 'brick'])
    await query.fill('round fruit')
    await page.keyboard.press('Enter')
    await eventually(() => slugsOf(page)).toEqual(['apple'])
    await page.getByLabel('order', { exact: true }).selectOption('asc')
    await page.getByRole('group', { name: 'excludeContent' }).getByLabel('true').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await addressed(
      page,
      '/v1/acme/posts?limit=2&order=asc&tags=red&query=round%20fruit&excludeContent=true',
    )
    await eventually(() => jsonOf(page)).not.toContain('"content"')
  })

  it('shows what a refused request says at the field that it is about', async () => {
    const { page } = await dev(temporarySite().posts(1), {
      address: '#/v1ListPosts?workspaceId=acme&limit=abc&order=up',
      status: '400 Bad Request',
    })
    const limit = page.getByRole('textbox', { name: 'limit', description: /must be an integer/ })
    expect(await limit.getAttribute('aria-invalid')).toBe('true')
    const order = page.getByLabel('order', { exact: true })
    expect(await order.inputValue()).toBe('up')
    expect(await order.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('#announcer').textContent()).toContain('must be an integer')
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('limit').fill('2')
    expect(await page.getByLabel('limit').getAttribute('aria-invalid')).toBeNull()
    await order.selectOption('asc')
    await page.getByRole('button', { name: 'Send' }).click()
    await responded(page, '200 OK')
    expect(await page.locator('[aria-invalid]').count()).toBe(0)
    await page.goto(`${page.url().split('#')[0]}#/v2ListPosts`)
    await page.getByRole('button', { name: 'Send' }).click()
    await responded(page, '401 Unauthorized')
    const key = page.getByLabel('API key')
    expect(await key.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Missing or invalid API key.').first().waitFor()
  })

  it('keeps a key in the tab, and in no address', async () => {
    const site = temporarySite().posts(2)
    const key = await createKey(site)
    const { page } = await dev(site, { address: '#/v2ListPosts', status: '' })
    await page.getByText('Fill in a key to see the response here.').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await responded(page, '401 Unauthorized')
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await responded(page, '200 OK')
    expect(await slugsOf(page)).toEqual(['post-2', 'post-1'])
    expect(page.url()).not.toContain('qk')
    await page.reload()
    await responded(page, '200 OK')
    expect(await page.getByLabel('API key').inputValue()).toBe(key)
    const stored = await page.evaluate('JSON.stringify([localStorage, document.cookie])')
    expect(stored).toContain('v2ListPosts')
    expect(stored).not.toContain(key)
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  it('shows an error of the content over the last good answers, until it is mended', async () => {
    const site = temporarySite().posts(2)
    const { page } = await dev(site)
    site.post('post-3', { category: 'nwes' })
    const overlay = page.getByRole('dialog', { name: 'The content has an error' })
    await overlay.waitFor()
    const text = await overlay.innerText()
    expect(text).toContain('acme/posts/post-3.md:3:11')
    expect(text).toContain('unknown-category')
    expect(text).toMatch(/3 category: nwes/)
    expect(text).toContain('Did you mean "news"?')
    expect(await slugsOf(page)).toEqual(['post-2', 'post-1'])
    // Put away, it stays away; the bar still says so and brings it back.
    await page.keyboard.press('Escape')
    await overlay.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '1 error' }).click()
    await overlay.waitFor()
    site.post('post-3', { publishedAt: '2026-01-03' })
    await overlay.waitFor({ state: 'hidden' })
    await eventually(() => slugsOf(page)).toEqual(['post-3', 'post-2', 'post-1'])
  })

  it('lists the content with its states, and follows it', async () => {
    const site = temporarySite().posts(2)
    site.post('ahead', { publishedAt: '2999-01-01' }).post('unfinished', { draft: 'true' })
    const { page } = await dev(site, { now: '2026-02-01' })
    await page.getByRole('link', { name: 'Content' }).click()
    const rows = async () => {
      const [titles, states] = await Promise.all(
        ['.title', '.state'].map((part) => page.locator(`.post ${part}`).allTextContents()),
      )
      return titles?.map((title, index) => `${title}: ${states?.[index]}`)
    }
    await eventually(rows).toEqual([
      'unfinished: draft',
      'ahead: scheduled',
      'post-2: published',
      'post-1: published',
    ])
    site.post('post-4', { publishedAt: '2026-03-01', colour: 'red' })
    await eventually(rows).toContain('post-4: scheduled')
    expect(page.url()).toMatch(/#\/content$/)
    await page.getByRole('button', { name: 'Warnings 1' }).click()
    expect(await page.locator('.warnings').innerText()).toContain('acme/posts/post-4.md')
    await page.getByRole('button', { name: 'acme' }).click()
    await page.getByLabel('State').selectOption('scheduled')
    expect(await rows()).toEqual(['ahead: scheduled', 'post-4: scheduled'])
    await page.getByLabel('State').selectOption('')
    await page.getByLabel('Filter posts').fill('post-1')
    expect(await rows()).toEqual(['post-1: published'])
    await page.getByRole('link', { name: 'post-1', exact: true }).click()
    await responded(page, '200 OK')
    expect(await page.locator('.address').textContent()).toBe('/v1/acme/posts/post-1')
  })

  it('has fields and collections of the workspace, and shows the site at a later time', async () => {
    const site = temporarySite().posts(2).write('content/beta/workspace.yml', 'name: Beta\n')
    const settings =
      'fields: { rating: { type: number, index: true }, level: { type: select, options: [easy, hard], index: true } }\ncollections: { guides: { folder: guides } }\n'
    site.write('content/acme/workspace.yml', settings)
    site.write('content/acme/guides/install/linux.md', '---\ntitle: Linux\n---\nA penguin.\n')
    site.post('ahead', { publishedAt: '2999-01-01' }).post('unfinished', { draft: 'true' })
    const key = await createKey(site)
    const { page, url } = await dev(site)
    await page.getByLabel('fields.rating', { exact: true }).fill('4')
    await page.keyboard.press('Enter')
    await addressed(page, '/v1/acme/posts?fields.rating=4')
    await page.getByLabel('fields.level', { exact: true }).selectOption('hard')
    await page.keyboard.press('Enter')
    await addressed(page, 'fields.level=hard')
    await page.getByRole('heading', { name: 'List posts' }).focus()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('field-query')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Jump to' }).fill('penguin')
    await page.getByRole('option', { name: 'Linux' }).click()
    await addressed(page, '/v1/acme/collections/guides/install/linux')
    await responded(page, '200 OK')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.goto(`${url}/#/v1ListPosts?workspaceId=acme`)
    await page.getByLabel('Time').press('ArrowRight')
    await eventually(() => slugsOf(page)).toEqual(['ahead', 'post-2', 'post-1'])
    await page.getByLabel('Time').press('ArrowLeft')
    await eventually(() => slugsOf(page)).toEqual(['post-2', 'post-1'])
    await page.getByRole('link', { name: 'Content' }).click()
    await page.getByRole('link', { name: 'ahead', exact: true }).click()
    await addressed(page, '/v1/acme/posts/ahead')
    await responded(page, '200 OK')
    await page.getByRole('link', { name: 'Content' }).click()
    await page.getByRole('link', { name: 'unfinished', exact: true }).click()
    await addressed(page, '/v2/posts/unfinished?status=draft')
    await page.getByText('Fill in a key to see').waitFor()
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await responded(page, '200 OK')
    await page.goto(`${url}/#/v1GetPost?workspaceId=acme&identifier=nowhere`)
    await page.locator('.refusal', { hasText: 'Post not found.' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  it('shows what is meant to do harm as the text that it is', async () => {
    const image = '<img src="https://example.org/x.png"'
    const evil = `${image} onerror="document.title=1"><script>document.title=2</script>`
    const site = temporarySite().write('content/acme/workspace.yml', `name: '${evil}'\n`)
    site.post('post-1', { title: `'${evil}'`, [`'${evil}'`]: 'x' }, `${evil}\n`)
    const { page } = await dev(site)
    expect(await jsonOf(page)).toContain(JSON.stringify(evil))
    await page.getByRole('link', { name: 'Content' }).click()
    await page.getByRole('heading', { name: evil }).waitFor()
    await page.getByRole('link', { name: evil }).waitFor()
    await page.getByRole('button', { name: 'Warnings' }).click()
    expect(await page.locator('.warnings').textContent()).toContain(image)
    site.post('post-2', { title: 'x', category: `'${evil}'` })
    const overlay = page.getByRole('dialog')
    await eventually(async () => expect(await overlay.textContent()).toContain(image))
    expect(await page.locator('main img, main script, dialog img, dialog script').count()).toBe(0)
    expect(await page.title()).toBe('Content · quarry dev')
  })

  it('leads to operations, workspaces, parameters and recent requests with the keyboard', async () => {
    const site = temporarySite().posts(2).write('content/beta/workspace.yml', 'name: Beta\n')
    const { page } = await dev(site)
    const jump = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Jump to' }).fill(text)
      await page.keyboard.press('Enter')
    }
    await jump('list tags')
    await addressed(page, '/v1/acme/tags')
    expect(await page.locator('h1:focus').textContent()).toBe('List tagsv1')
    await jump('workspace beta')
    await addressed(page, '/v1/beta/tags')
    await jump('parameter limit')
    expect(await page.evaluate('document.activeElement.id')).toBe('field-limit')
    await jump('recent list posts')
    await addressed(page, '/v1/acme/posts')
    await page.getByLabel('Workspace', { exact: true }).selectOption('beta')
    await addressed(page, '/v1/beta/posts')
    await page.keyboard.press('Control+k')
    await page.keyboard.press('ArrowDown')
    const chosen = page.getByRole('dialog').getByRole('option', { selected: true })
    expect(await chosen.getAttribute('id')).toBe('target-1')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Jump to' }).fill('no such thing')
    await page.getByText('Nothing has this name.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('lists posts with what was found in them, and is absent without HTML', async () => {
    const site = temporarySite().posts(3).post('fruit', { title: 'A Round one' }, 'Quite round.\n')
    const { page } = await dev(site, { address: '#/v1ListPosts?workspaceId=acme&query=round' })
    await page.getByRole('tab', { name: 'Preview' }).click()
    const found = () => page.locator('.entries mark').allTextContents()
    await eventually(found).toEqual(['Round', 'round'])
    await page.getByLabel('include').fill('matches')
    await page.keyboard.press('Enter')
    await addressed(page, 'include=matches')
    await eventually(found).toEqual(['Round', 'round'])
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('query').fill('nowhere')
    await page.getByText('Nothing matches').waitFor()
    await page.getByLabel('query').fill('')
    await page.getByLabel('format').selectOption('markdown')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('tab', { name: 'Preview' }).waitFor({ state: 'detached' })
  })

  it('shows the HTML of a post with its images, runs nothing, and stays while the post is edited', async () => {
    const body = (word: string) =>
      `Some *${word}* words. [A link](https://example.org/) ![](dot.png)\n`
    const site = temporarySite()
      .write('content/acme/posts/dot.png', Buffer.from(dot, 'base64'))
      .post('first', { title: 'A & <b>' }, body('soft'))
    const address = '#/v1GetPost?workspaceId=acme&identifier=first'
    const { page } = await dev(site, { address, colorScheme: 'light' })
    await page.getByRole('tab', { name: 'Preview' }).click()
    const frame = page.frameLocator('iframe[title="Preview of the post"]')
    expect(await frame.locator('h1').textContent()).toBe('A & <b>')
    expect(await frame.locator('em').textContent()).toBe('soft')
    const width = () => frame.locator('img').evaluate((image) => Reflect.get(image, 'naturalWidth'))
    await eventually(width).toBe(1)
    expect(await frame.locator('a').getAttribute('target')).toBe('_blank')
    const sandbox = (await page.locator('iframe').getAttribute('sandbox')) ?? 'none'
    expect(sandbox.split(' ')).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox'])
    expect(await faultsOf(page)).toEqual([])
    site.post('first', { title: 'Renamed' }, body('hard'))
    await eventually(() => frame.locator('em').textContent()).toBe('hard')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Preview')
    // The chosen theme is that of the preview too, and is kept.
    await page.getByRole('button', { name: 'Light or dark' }).click()
    await eventually(() => frame.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.reload()
    await responded(page, '200 OK')
    const scheme = 'getComputedStyle(document.documentElement).colorScheme'
    expect(await page.evaluate(scheme)).toBe('dark')
    await page.getByRole('button', { name: 'Light or dark' }).click()
    expect(await page.evaluate(scheme)).toBe('light')
  })

  it('explains the shown request as quarry explain does', async () => {
    const site = temporarySite().posts(2).post('ahead', { publishedAt: '2999-01-01' })
    const { page } = await dev(site, {
      address: '#/v1GetPost?workspaceId=acme&identifier=ahead',
      status: '404 Not Found',
    })
    await page.getByRole('tab', { name: 'Why' }).click()
    await page.getByText('The post is scheduled.').waitFor()
    expect(await page.locator('.why dl').textContent()).toContain('2999-01-01')
    await page.getByRole('link', { name: 'List posts' }).click()
    await responded(page, '200 OK')
    const rows = page.locator('.why dl')
    await eventually(() => rows.textContent()).toContain('This servermade the response from')
    expect(await rows.textContent()).toContain(
      'A CDNsends the file public/v1/acme/posts/index.json',
    )
    expect(await faultsOf(page)).toEqual([])
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it.each([390, 1280])('has no fault that axe finds, at a width of %i', async (width) => {
      const site = temporarySite().posts(3).post('unfinished', { draft: 'true', colour: 'red' })
      const { page } = await dev(site, {
        colorScheme,
        viewport: { width, height: 800 },
        address: '#/v1ListPosts?workspaceId=acme&limit=2',
      })
      await responded(page, '200 OK')
      expect(await faultsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.goto(`${page.url().split('#')[0]}#/content`)
      await page.locator('.post').first().waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      site.post('broken', { category: 'nwes' })
      await page.getByRole('dialog').waitFor()
      expect(await faultsOf(page)).toEqual([])
    })
  })
})

async function createKey(site: TemporarySite): Promise<string> {
  const words = 'keys create --workspace acme --scopes posts:read,drafts:read'.split(' ')
  const { stdout } = await run(site.folder, words)
  return /qk_\w+/.exec(stdout)?.[0] ?? ''
}

/** An image of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='

/** The status that the page shows first. */
type Options = BrowserContextOptions & Readonly<{ address?: string; status?: string; now?: string }>

/** `quarry dev` over a site, and a page on it; faults of the page fail the test. */
async function openExplorer(
  browser: Browser,
  site: TemporarySite,
  { address = '', status = '200 OK', now, ...options }: Options = {},
): Promise<{ readonly page: Page; readonly url: string }> {
  const { url } = await serve(site.folder, {}, ['dev', '--drafts', ...(now ? ['--now', now] : [])])
  const { page, faults } = await openPage(browser, options)
  onTestFinished(() => expect(faults).toEqual([]))
  // Most tests read the JSON.
  await page.addInitScript(
    `window !== top || localStorage.getItem('quarry-tab') || localStorage.setItem('quarry-tab', '"Body"')`,
  )
  await page.goto(`${url}/${address}`)
  if (status !== '') await responded(page, status)
  return { page, url }
}

/** Builds take their time on a machine with other work. */
function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 30_000 })
}

function responded(page: Page, status: string): Promise<void> {
  return page.locator('.status', { hasText: status }).waitFor()
}

function addressed(page: Page, address: string): Promise<void> {
  return page.locator('.address', { hasText: address }).waitFor()
}

async function jsonOf(page: Page): Promise<string> {
  return (await page.locator('.json').textContent({ timeout: 20_000 })) ?? ''
}

/** Slugs of the posts in the answer: those of authors and terms come after the category's name. */
async function slugsOf(page: Page): Promise<readonly string[]> {
  const text = await jsonOf(page)
  return [...text.matchAll(/"slug": "([^"]+)","title"/g)].map(([, slug = '']) => slug)
}

/** What axe finds, as `rule: element`. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
