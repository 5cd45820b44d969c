// The page of docs/search-box.md in a real browser, over the sample content.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPage, provideChromium, startChromium } from '../support/chromium.ts'
import { run, start } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'

const root = join(import.meta.dirname, '../..')
const document = readFileSync(join(root, 'docs/search-box.md'), 'utf8')
const missing = provideChromium()

it.skipIf(missing !== null)('searches while one types, and marks what was found', async () => {
  const folder = emptyFolder()
  expect((await run(folder, ['build', '--content', join(root, 'content')])).exitCode).toBe(0)
  // `quarry dev` answers pages of this machine only, and a page without an origin is none.
  const served = start(folder, ['serve', '--port', '0'])
  onTestFinished(() => served.stop('SIGTERM'))
  const [, url = ''] = await served.waitFor(/ at (http:\S+)/)
  const [, html = ''] = /^```html\n([\s\S]*?)^```/m.exec(document) ?? []
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const { page, faults } = await openPage(browser)
  await page.setContent(html.replace('http://127.0.0.1:4321', url))
  await page.getByLabel('Search').pressSequentially('fingerprint')
  await page.locator('mark').first().waitFor()
  await expect.poll(() => page.locator('li mark').allInnerTexts()).not.toEqual([])
  const marked = async () => {
    const texts = await page.locator('mark').allInnerTexts()
    return [...new Set(texts.map((text) => text.toLowerCase()))]
  }
  // Until the last key is pressed, the page shows what was found for the keys before.
  await expect.poll(marked, { timeout: 30_000 }).toEqual(['fingerprint'])
  const response = await fetch(`${url}/v1/handbook/posts?query=fingerprint`)
  const { posts } = (await response.json()) as { posts: readonly { readonly title: string }[] }
  expect(await page.locator('li a').allInnerTexts()).toEqual(posts.map(({ title }) => title))
  await page.getByLabel('Search').pressSequentially(' which no post has')
  await expect.poll(() => page.locator('li').count()).toBe(0)
  expect(faults).toEqual([])
})
