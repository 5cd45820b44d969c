// The loop behind `quarry dev` when its cache is damaged while it runs, and when it is ended at work.
// Knows nothing of the command line.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { resolveSettings } from '../../src/config.ts'
import { type DevEvent, startDev } from '../../src/dev.ts'
import { damageRecords } from '../support/damaged-cache.ts'
import { temporarySite } from '../support/temporary-site.ts'

// So many that a thread makes their search.
const posts = 300

describe('the loop of quarry dev', () => {
  it.each([
    ['a body', 'html'],
    ['a value of the search index', 'bytes'],
    ['front matter', 'outline'],
  ])('goes on without a cache in which %s is something else', async (_, part) => {
    const { site, events, written } = await startLoop()
    expect(damageRecords(join(site.folder, 'cache'), part)).toBeGreaterThan(0)
    site.post('post-7', { publishedAt: '2026-05-30' }, 'Another body.\n')
    await written(2)
    expect(events.map(({ kind }) => kind)).not.toContain('broken')
    await site.build({ now: Date.now() })
    const clean = temporarySite().posts(posts)
    clean.post('post-7', { publishedAt: '2026-05-30' }, 'Another body.\n')
    await clean.build({ now: Date.now() })
    expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
  })

  it.each([5, 45, 60, 75, 100, 150])(
    'has nothing to say when it is ended %d ms after a save',
    async (milliseconds) => {
      const { site, events, close } = await startLoop()
      site.post('post-7', { title: 'Other' }, 'Another body.\n')
      await pause(milliseconds)
      await close()
      expect(events.map(({ kind }) => kind)).not.toContain('broken')
    },
  )
})

async function startLoop() {
  const site = temporarySite({ cache: 'cache' }).posts(posts)
  const { content, out } = site
  const events: DevEvent[] = []
  const settings = resolveSettings({ ...site.config, content, out })
  const loop = await startDev(settings, { onEvent: (event) => events.push(event) })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= loop.close()
    return closed
  }
  onTestFinished(close)
  const written = (times: number) =>
    vi.waitFor(
      () => expect(events.filter(({ kind }) => kind === 'written').length).toBe(times),
      // A busy machine takes seconds for a build.
      50_000,
    )
  return { site, events, written, close }
}
