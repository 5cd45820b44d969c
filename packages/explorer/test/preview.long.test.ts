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

describeInChromium('the preview of a post', (browser) => {
  it('shows the HTML of a post, and stays while the post is edited', async () => {
    const site = temporarySite().post('first', { title: 'A & <b>' }, 'Some *soft* words.\n')
    const { page } = await openExplorer(browser(), site, {
      address: '#/v1GetPost?workspaceId=acme&identifier=first',
    })
    await responded(page, '200 OK')
    await page.getByRole('tab', { name: 'Preview' }).click()
    const frame = page.frameLocator('iframe[title="Preview of the post"]')
    expect(await frame.locator('h1').textContent()).toBe('A & <b>')
    expect(await frame.locator('em').textContent()).toBe('soft')
    expect(await faultsOf(page)).toEqual([])
    site.post('first', { title: 'Renamed' }, 'Some *hard* words.\n')
    await eventually(() => frame.locator('em').textContent()).toBe('hard')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Preview')
  })

  it('lists posts with what was found in them, and is absent without HTML', async () => {
    const site = temporarySite().posts(3).post('fruit', { title: 'A Round one' }, 'Quite round.\n')
    const { page } = await openExplorer(browser(), site, {
      address: '#/v1ListPosts?workspaceId=acme&query=round',
    })
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

  it('shows images of the site, and runs nothing', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='
    const site = temporarySite()
      .write('content/acme/posts/dot.png', Buffer.from(pixel, 'base64'))
      .post('first', {}, '[A link](https://example.org/) ![A dot](dot.png)\n')
    const { page } = await openExplorer(browser(), site, {
      address: '#/v1GetPost?workspaceId=acme&identifier=first',
    })
    await responded(page, '200 OK')
    await page.getByRole('tab', { name: 'Preview' }).click()
    const frame = page.frameLocator('iframe')
    const width = () => frame.locator('img').evaluate((image) => Reflect.get(image, 'naturalWidth'))
    await eventually(width).toBe(1)
    expect(await frame.locator('a').getAttribute('target')).toBe('_blank')
    const sandbox = (await page.locator('iframe').getAttribute('sandbox')) ?? 'none'
    expect(sandbox.split(' ')).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox'])
  })
})
