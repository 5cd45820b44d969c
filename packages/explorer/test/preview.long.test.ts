import { expect, it } from 'vitest'
import { describeInChromium } from '../../../test/support/chromium.ts'
import {
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
