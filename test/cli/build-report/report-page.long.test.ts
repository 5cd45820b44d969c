// The page of `quarry build --report`, in a browser.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPage, provideChromium, startChromium } from '../../support/chromium.ts'
import { call } from '../../support/command-call.ts'
import { temporarySite } from '../../support/temporary-site.ts'

describe.skipIf(provideChromium() !== null)('the report, in a browser', () => {
  it('runs nothing, loads nothing, fits a phone, and is accessible in both colour schemes', async () => {
    const site = temporarySite().posts(2).post('html', {}, 'A <b>raw</b> tag.\n')
    site.post(`long-${'name-'.repeat(30)}end`, {}, `${'Text. '.repeat(4000)}\n`)
    await call(site.folder, ['build', '--report'], { QUARRY_CACHE: 'cache' })
    const browser = await startChromium()
    onTestFinished(() => browser.close())
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: colorScheme === 'light' ? 375 : 1280, height: 800 }
      const { page, faults } = await openPage(browser, { colorScheme, viewport, bypassCSP: false })
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(pathToFileURL(join(site.folder, 'quarry-report.html')).href)
      expect(asked).toHaveLength(1)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      expect(await page.locator('svg.scatter circle').count()).toBe(3)
      // The policy let the style sheet in.
      const layout = "getComputedStyle(document.querySelector('.tiles')).display"
      expect(await page.evaluate(layout)).toBe('grid')
      const { violations } = await accessibility(page)
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
      expect(faults).toEqual([])
    }
  })
})

async function accessibility(page: Awaited<ReturnType<typeof openPage>>['page']) {
  // Its policy lets no script of the page run; the browser itself may.
  const session = await page.context().newCDPSession(page)
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  await evaluate(axe.source)
  const { result } = await evaluate('axe.run()')
  return result.value as axe.AxeResults
}
