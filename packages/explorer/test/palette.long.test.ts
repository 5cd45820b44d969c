import { expect, it } from 'vitest'
import { describeInChromium } from '../../../test/support/chromium.ts'
import {
  addressed,
  eventually,
  faultsOf,
  openExplorer,
  responded,
} from '../../../test/support/explorer-page.ts'
import { temporarySite } from '../../../test/support/temporary-site.ts'

describeInChromium('the bar of the explorer', (browser) => {
  it('leads to operations, workspaces, parameters and recent requests with the keyboard', async () => {
    const site = temporarySite().posts(2).write('content/beta/workspace.yml', 'name: Beta\n')
    const { page } = await openExplorer(browser(), site)
    await responded(page, '200 OK')
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

  it('keeps the chosen theme, and gives it to the preview', async () => {
    const { page } = await openExplorer(browser(), temporarySite().posts(1), {
      address: '#/v1GetPost?workspaceId=acme&identifier=post-1',
      colorScheme: 'light',
    })
    await responded(page, '200 OK')
    await page.getByRole('tab', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    const root = page.frameLocator('iframe').locator('html')
    await eventually(() => root.getAttribute('data-theme')).toBe('dark')
    await page.reload()
    await responded(page, '200 OK')
    const scheme = 'getComputedStyle(document.documentElement).colorScheme'
    expect(await page.evaluate(scheme)).toBe('dark')
    await page.getByRole('button', { name: 'Light or dark' }).click()
    expect(await page.evaluate(scheme)).toBe('light')
  })
})
