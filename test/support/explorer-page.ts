// The page of `quarry dev` in a browser, and what tests read of it.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openPage } from './chromium.ts'
import { type Running, start } from './command-line.ts'
import type { TemporarySite } from './temporary-site.ts'

/** `quarry dev` over a site, and a page on it; faults of the page fail the test. */
export async function openExplorer(
  browser: Browser,
  site: TemporarySite,
  { address = '', ...options }: BrowserContextOptions & { readonly address?: string } = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly page: Page; readonly url: string }> {
  const running = start(site.folder, ['dev', '--port', '0'], environment)
  onTestFinished(() => stop(running))
  const [, url = ''] = await running.waitFor(/Serving (http:[^\s,]+)/)
  const { page, faults } = await openPage(browser, options)
  onTestFinished(async () => {
    await page.context().close()
    expect(faults).toEqual([])
  })
  // Most tests read the JSON.
  await page.addInitScript(
    `window !== top || localStorage.getItem('quarry-tab') || localStorage.setItem('quarry-tab', '"Body"')`,
  )
  await page.goto(`${url}/${address}`)
  return { page, url }
}

/** Builds take their time on a machine with other work. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 30_000 })
}

export function responded(page: Page, status: string): Promise<void> {
  return page.locator('.status', { hasText: status }).waitFor()
}

export function addressed(page: Page, address: string): Promise<void> {
  return page.locator('.address', { hasText: address }).waitFor()
}

export async function jsonOf(page: Page): Promise<string> {
  return (await page.locator('.json').textContent({ timeout: 20_000 })) ?? ''
}

/** Slugs of the posts in the answer: those of authors and terms come after the category's name. */
export async function slugsOf(page: Page): Promise<readonly string[]> {
  const text = await jsonOf(page)
  return [...text.matchAll(/"slug": "([^"]+)","title"/g)].map(([, slug = '']) => slug)
}

/** What axe finds, as `rule: element`. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Ends a server. */
export async function stop(running: Running): Promise<void> {
  running.stop('SIGTERM')
  await running.ended
}
