import { expect, it } from 'vitest'
import { describeInChromium } from '../../../test/support/chromium.ts'
import {
  eventually,
  faultsOf,
  openExplorer,
  responded,
} from '../../../test/support/explorer-page.ts'
import { temporarySite } from '../../../test/support/temporary-site.ts'

describeInChromium('the explorer of quarry dev', (browser) => {
  it('explains the shown request as quarry explain does', async () => {
    const site = temporarySite().posts(2).post('ahead', { publishedAt: '2999-01-01' })
    const { page } = await openExplorer(browser(), site, {
      address: '#/v1GetPost?workspaceId=acme&identifier=ahead',
    })
    await responded(page, '404 Not Found')
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
})
