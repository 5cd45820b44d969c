// A real browser and its pages: Debian's Chromium, driven by playwright-core.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { atEnd } from './cleanup.ts'
import { provideProgram } from './programs.ts'

const program = '/usr/bin/chromium'

/** Installs Chromium if it is missing. Returns null, or the reason why it is unavailable. */
export function provideChromium(): string | null {
  return provideProgram('chromium')
}

/** Starts a browser that sends no requests of its own. */
export function startChromium(): Promise<Browser> {
  const switches = ['disable-gpu', 'disable-quic', 'disable-background-networking']
  const silence = ['disable-component-update', 'disable-sync', 'no-first-run']
  return chromium.launch({
    executablePath: program,
    // The sandbox does not work for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...switches, ...silence].map((name) => `--${name}`),
  })
}

/**
 * Declares a suite whose tests share one browser. It is skipped if there is no Chromium.
 *
 * @param tests declares the tests; they may call `browser` when they run
 */
export function describeInChromium(name: string, tests: (browser: () => Browser) => void): void {
  describe.skipIf(provideChromium() !== null)(name, () => {
    let browser: Browser | undefined
    beforeAll(async () => {
      browser = await startChromium()
    })
    afterAll(() => browser?.close())
    tests(() => {
      if (browser === undefined) throw new Error('the browser starts with the first test')
      return browser
    })
  })
}

/** A page and its errors. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of scripts and of policies, but not error responses, which tests expect. */
  readonly faults: readonly string[]
}

/** Opens a page in a separate session, which ends with the test. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  atEnd(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) faults.push(message.text())
  })
  return { page, faults }
}
