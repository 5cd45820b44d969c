import { expect, it } from 'vitest'
import { describeInChromium } from '../../../test/support/chromium.ts'
import {
  addressed,
  eventually,
  faultsOf,
  openExplorer,
  responded,
  slugsOf,
} from '../../../test/support/explorer-page.ts'
import { temporarySite } from '../../../test/support/temporary-site.ts'

describeInChromium('the search of the explorer', (browser) => {
  it('shows the posts with the typed text, how many there are, and the time', async () => {
    const site = temporarySite().posts(12).post('apple', {}, 'A round fruit.\n')
    const { page } = await openExplorer(browser(), site, {
      address: '#/v1ListPosts?workspaceId=acme&page=2',
    })
    await responded(page, '200 OK')
    const field = page.getByLabel('query')
    await field.pressSequentially('round fr', { delay: 30 })
    await eventually(() => slugsOf(page)).toEqual(['apple'])
    await addressed(page, '/v1/acme/posts?query=round%20fr')
    await eventually(() => page.locator('.field .found').textContent()).toMatch(
      /^1 post in [\d.]+ ms$/,
    )
    expect(await field.evaluate((input) => input.matches(':focus'))).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await field.fill('')
    await eventually(() => slugsOf(page)).toHaveLength(10)
    await eventually(() => page.locator('.field .found').textContent()).toBe('')
  })
})
