// Progress on a real terminal, in a build that takes long enough to show some.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onTerminal } from '../support/pseudo-terminal.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const clear = '\r\u001b[K'

describe('a long build on a terminal', () => {
  const main = join(import.meta.dirname, '../../.lib/cli/main.js')
  const build = (site: TemporarySite, environment: Readonly<Record<string, string>>) =>
    onTerminal(site.folder, `'${process.execPath}' '${main}' build`, [], {
      QUARRY_WORKERS: '1',
      QUARRY_CACHE: 'cache',
      ...environment,
    })

  /** Posts that take several seconds, on a fast machine too: no two are alike. */
  function longSite(): TemporarySite {
    const site = temporarySite()
    for (let number = 1; number <= 250; number++) {
      site.post(
        `post-${number}`,
        {},
        `Post ${number}. ${'A **long** and _slow_ [text](/x). '.repeat(200)}\n`,
      )
    }
    return site
  }

  it('shows how many posts there are from the start, and leaves nothing of it', async () => {
    const site = longSite()
    const { shown, exitCode } = await build(site, {})
    expect(exitCode).toBe(0)
    const totals = [...shown.matchAll(/Rendering [\d,]+ of ([\d,]+) posts/g)].map(
      ([, total]) => total,
    )
    expect(totals.length).toBeGreaterThan(0)
    expect(new Set(totals)).toEqual(new Set(['250']))
    // Whatever stood on the line last was taken away before the result.
    expect(shown).toContain(`${clear}  acme: 250 posts`)
    const plain = await build(site.post('post-1', {}, 'Other.\n'), { CI: '1' })
    expect(plain.shown).not.toContain('\u001b')
  })
})
