// The pictures of the page of the API. UPDATE=1 takes them again, of the sample content in a real browser.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { openPage, provideChromium, startChromium } from '../support/chromium.ts'
import { start } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'

const root = join(import.meta.dirname, '../..')

/** A picture of a view of the page. */
interface Picture {
  readonly name: string
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
  readonly height: number
  readonly address: string
  readonly arrange: (page: Page) => Promise<void>
}

const pictures: readonly Picture[] = [
  {
    name: 'explorer',
    colorScheme: 'light',
    width: 1280,
    height: 720,
    address: '#/v1ListPosts?workspaceId=handbook&limit=2&query=cache',
    arrange: async (page) => {
      // The second response comes from memory, as most do.
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('from memory').waitFor()
    },
  },
  {
    name: 'explorer-dark',
    colorScheme: 'dark',
    width: 1280,
    height: 720,
    address: '#/v1GetPost?workspaceId=handbook',
    arrange: (page) => page.getByRole('tab', { name: 'Preview' }).click(),
  },
  {
    name: 'explorer-phone',
    colorScheme: 'light',
    width: 390,
    height: 720,
    address: '#/v1ListPosts?workspaceId=handbook&tags=caching',
    arrange: async (page) => {
      await page.getByRole('tab', { name: 'Code' }).click()
      await page.getByRole('tab', { name: 'Client' }).click()
      await page.getByRole('region', { name: 'Response' }).evaluate((part) => {
        Reflect.apply(Reflect.get(part, 'scrollIntoView'), part, [])
      })
    },
  },
]

it('docs/images has pictures of the page, small enough for a README', async () => {
  if (process.env['UPDATE'] === '1') await takePictures()
  for (const { name, width, height } of pictures) {
    const picture = readFileSync(fileOf(name))
    // A WebP with an extended header: RFC 9649 §2.7.
    const header = picture.toString('latin1', 0, 4) + picture.toString('latin1', 8, 16)
    expect(header).toBe('RIFFWEBPVP8X')
    const size = { width: picture.readUIntLE(24, 3) + 1, height: picture.readUIntLE(27, 3) + 1 }
    expect(size).toEqual({ width, height })
    expect(picture.length).toBeLessThan(60_000)
  }
})

function fileOf(name: string): string {
  return join(root, `docs/images/${name}.webp`)
}

async function takePictures(): Promise<void> {
  expect(provideChromium()).toBeNull()
  const dev = start(emptyFolder(), ['dev', '--content', join(root, 'content'), '--port', '0'])
  onTestFinished(() => dev.stop('SIGTERM'))
  const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  for (const picture of pictures) await takePicture(browser, url, picture)
}

async function takePicture(browser: Browser, url: string, picture: Picture): Promise<void> {
  const { name, width, height, colorScheme, address, arrange } = picture
  const { page } = await openPage(browser, { viewport: { width, height }, colorScheme })
  await page.goto(`${url}/${address}`)
  await page.locator('.status', { hasText: '200 OK' }).waitFor()
  await arrange(page)
  // A frame is drawn after its page.
  for (const frame of page.frames()) await frame.waitForLoadState()
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 })
  writeFileSync(fileOf(name), Buffer.from(data, 'base64'))
  await page.context().close()
}
