// The picture of the page of the API. UPDATE=1 takes it again, of the sample content in a real browser.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPage, provideChromium, startChromium } from '../support/chromium.ts'
import { start } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'docs/images/explorer.webp')
const viewport = { width: 1280, height: 720 }

it('docs/images/explorer.webp is a picture of the page, small enough for a README', async () => {
  if (process.env['UPDATE'] === '1') await takePicture()
  const picture = readFileSync(file)
  // A WebP with an extended header: RFC 9649 §2.7.
  expect(picture.toString('latin1', 0, 4) + picture.toString('latin1', 8, 16)).toBe('RIFFWEBPVP8X')
  const size = { width: picture.readUIntLE(24, 3) + 1, height: picture.readUIntLE(27, 3) + 1 }
  expect(size).toEqual(viewport)
  expect(picture.length).toBeLessThan(150_000)
})

async function takePicture(): Promise<void> {
  expect(provideChromium()).toBeNull()
  const dev = start(emptyFolder(), ['dev', '--content', join(root, 'content'), '--port', '0'])
  onTestFinished(() => dev.stop('SIGTERM'))
  const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const { page } = await openPage(browser, { viewport, colorScheme: 'light' })
  await page.goto(`${url}/#/v1ListPosts?workspaceId=handbook&limit=2&tags=caching`)
  // The second answer comes from memory, as most do.
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('from memory').waitFor()
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  writeFileSync(file, Buffer.from(data, 'base64'))
}
