// The loop behind `quarry dev` when its cache is damaged while it runs, and when it is ended at work.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveSettings } from '../../src/config.ts'
import { readScannedText } from '../../src/content/read-file.ts'
import { type DevEvent, isOfChangedFiles, startDev } from '../../src/dev.ts'
import { BuildError } from '../../src/diagnostics.ts'
import { damageRecords } from '../support/damaged-cache.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** So many that a thread makes their search. */
const posts = 260

describe('a file that is saved between the scan and the read', () => {
  const changed = (site: TemporarySite, path: string) =>
    readScannedText({ root: site.content, mounts: [] }, { path, content: '' }).diagnostics

  it('is no mistake of the content, and hides none', () => {
    const site = temporarySite().post('a')
    const [rewritten, gone] = ['acme/posts/a.md', 'acme/posts/b.md'].map((path) =>
      changed(site, path),
    )
    expect(isOfChangedFiles(new BuildError([...(rewritten ?? []), ...(gone ?? [])]))).toBe(true)
    const folder = changed(site, 'acme/posts')
    expect(folder).toHaveLength(1)
    expect(isOfChangedFiles(new BuildError([...(rewritten ?? []), ...folder]))).toBe(false)
    expect(isOfChangedFiles(new Error('other'))).toBe(false)
  })
})

describe('the loop of quarry dev', () => {
  it('goes on without a cache in which a body, a value of the search index or front matter is something else', async () => {
    const { site, events, written } = await startLoop()
    const clean = new Map<string, unknown>()
    for (const [at, part] of ['html', 'bytes', 'outline'].entries()) {
      expect(damageRecords(join(site.folder, 'cache'), part), part).toBeGreaterThan(0)
      // There are two bodies, so that a clean build is needed for each and not for each part.
      const body = `Another body, ${at % 2}.\n`
      site.post('post-7', { publishedAt: '2026-05-30' }, body)
      await written(at + 2)
      expect(events.map(({ kind }) => kind)).not.toContain('broken')
      if (!clean.has(body)) clean.set(body, await cleanFiles(site))
      // What only the function of the build before needed is removed by the next one.
      await site.build({ now: Date.now() })
      expect(site.json('manifest.json').files, part).toEqual(clean.get(body))
    }
  })

  it.each(['saved', 'rendering', 'built'] as const)(
    'has nothing to say when it is ended as soon as a change is %s',
    async (step) => {
      const { site, events, reached, close } = await startLoop()
      const isReached = reached(step)
      site.post('post-7', { title: 'Other' }, 'Another body.\n')
      if (step !== 'saved') await isReached
      await close()
      expect(events.map(({ kind }) => kind)).not.toContain('broken')
    },
  )
})

async function startLoop() {
  const site = temporarySite({ cache: 'cache' }).posts(posts)
  const { content, out } = site
  const events: DevEvent[] = []
  const listeners = new Set<(step: string) => void>()
  const tell = (step: string) => {
    for (const listener of listeners) listener(step)
  }
  const loop = await startDev(resolveSettings({ ...site.config, content, out }), {
    onEvent: (event) => {
      events.push(event)
      tell(event.kind)
    },
    onProgress: () => tell('rendering'),
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= loop.close()
    return closed
  }
  onTestFinished(close)
  /** Resolves when the loop is there the next time. */
  const reached = (step: string) =>
    new Promise<void>((resolve) => {
      const listener = (one: string) => {
        if (one !== step) return
        listeners.delete(listener)
        resolve()
      }
      listeners.add(listener)
    })
  const written = async (times: number) => {
    while (events.filter(({ kind }) => kind === 'written').length < times) await reached('written')
  }
  return { site, events, written, reached, close }
}

/** What a build from nothing makes of the same content. */
async function cleanFiles(site: TemporarySite): Promise<unknown> {
  const clean = temporarySite()
  cpSync(site.content, clean.content, { recursive: true })
  await clean.build({ now: Date.now() })
  return clean.json('manifest.json').files
}
