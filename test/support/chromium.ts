// A real browser, and pages in it: Debian's Chromium, driven by playwright-core.
// Knows nothing of what the pages show.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { provideProgram } from './programs.ts'

const program = '/usr/bin/chromium'

/** Makes sure that there is a Chromium; null, or why there is none. */
export function provideChromium(): string | null {
  return provideProgram('chromium')
}

/** Starts a browser that talks to nobody by itself. */
export function startChromium(): Promise<Browser> {
  const switches = ['disable-gpu', 'disable-quic', 'disable-background-networking']
  const silence = ['disable-component-update', 'disable-sync', 'no-first-run']
  return chromium.launch({
    executablePath: program,
    // Root has no user namespace to put the browser in.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...switches, ...silence].map((name) => `--${name}`),
  })
}

/**
 * A suite whose tests share one browser; skipped where there is no Chromium.
 *
 * @param tests declares them; `browser` is there as soon as the first one runs
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

/** A page, and everything that went wrong in it. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of scripts and of policies; refusals of the service, which tests ask for, are none. */
  readonly faults: readonly string[]
}

/** A page in a session of its own. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) faults.push(message.text())
  })
  return { page, faults }
}
