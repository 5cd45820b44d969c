// Builds in which little has changed, which start no threads: what they make is what threads make.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import threads, { type WorkerOptions } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { call } from '../support/command-call.ts'
import { damageRecords } from '../support/damaged-cache.ts'
import { newSite, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const posts = 260

describe('a build', () => {
  /** Built once: each test goes on with a copy of its content, its build and its cache. */
  let built: TemporarySite
  let saved: string

  beforeAll(async () => {
    built = newSite({ cache: 'cache' }).posts(posts)
    // By then the times of all files are clearly older: they are known the next time.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    try {
      expect(await threadsOfBuild(built)).toEqual(['rendering'])
    } finally {
      vi.useRealTimers()
    }
    saved = mkdtempSync(join(tmpdir(), 'quarry-saved-'))
    cpSync(built.folder, saved, { recursive: true })
  })

  afterAll(() => {
    for (const folder of [built.folder, saved]) rmSync(folder, { recursive: true, force: true })
  })

  /** As the first build left it, in its place: the cache knows files by their folder. */
  function builtSite(): TemporarySite {
    rmSync(built.folder, { recursive: true })
    cpSync(saved, built.folder, { recursive: true })
    return built
  }

  it('starts none where posts came and went, which moves all others', async () => {
    const site = builtSite()
    const frontMatter = { ...dateOf(9), aliases: '[post-2]' }
    site.remove('content/acme/posts/post-2.md').post('post-9', frontMatter, 'Another body.\n')
    expect(await threadsOfBuild(site)).toEqual([])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  })

  it('goes on with one edit upon another, and with what was undone', async () => {
    const site = builtSite()
    const bodies = ['One.\n', 'Two, 日本語.\n', 'Text.\n', 'Three.\n']
    for (const [number, body] of bodies.entries()) {
      site.post('post-42', dateOf(42), body).post(`post-${50 + number}`, dateOf(50 + number), body)
      expect(await threadsOfBuild(site)).toEqual([])
    }
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  })

  it('starts threads for many files that are new, and none for few', async () => {
    const site = builtSite()
    expect(await threadsOfBuild(site)).toEqual([])
    site.post('post-150', { ...dateOf(150), title: 'Other' }, 'And another.\n')
    site.post(`post-${posts + 1}`, dateOf(posts + 1), 'On top.\n')
    expect(await threadsOfBuild(site)).toEqual([])
    for (let post = 1; post <= 9; post++) site.post(`post-${post}`, dateOf(post), `Text ${post}.\n`)
    expect(await threadsOfBuild(site)).toEqual(['rendering'])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  })

  it('takes nothing of a cache in which a byte of what it needs is another', async () => {
    const site = builtSite()
    const clean: unknown[] = []
    for (const [at, part] of ['bytes', 'html', 'outline'].entries()) {
      expect(damageRecords(join(site.folder, 'cache'), part)).toBeGreaterThan(0)
      // There are two bodies, so that a clean build is needed for each and not for each part.
      const body = at % 2
      site.post('post-150', dateOf(150), `Next to it, ${body}.\n`)
      await threadsOfBuild(site, { isDamaged: true })
      clean[body] ??= await cleanFiles(site)
      expect(site.json('manifest.json').files).toEqual(clean[body])
    }
  })

  it('starts none in a fresh clone, where every file is another and nothing is written yet', async () => {
    const site = builtSite().remove('dist')
    site.post('post-150', dateOf(150), 'Another body.\n')
    expect(await threadsOfBuild(site)).toEqual([])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  })
})

/** Builds a site. @returns the kinds of threads that were started, sorted */
async function threadsOfBuild(
  site: TemporarySite,
  { isDamaged = false } = {},
): Promise<readonly string[]> {
  const flags = ['--content', 'content', '--cache', 'cache', '--out', 'dist', '--quiet']
  const kinds = new Set<string>()
  const { Worker } = threads
  class Counted extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      // Those that render have a limited heap.
      kinds.add(options.resourceLimits === undefined ? 'search' : 'rendering')
      super(file, options)
    }
  }
  replaceWorker(Counted)
  try {
    const ended = await call(site.folder, ['build', ...flags, '--now', '2027-01-01T00:00:00Z'])
    const stderr = isDamaged ? expect.stringMatching(/^$|damaged and discarded/) : ''
    expect(ended).toMatchObject({ exitCode: 0, stderr })
  } finally {
    replaceWorker(Worker)
  }
  return [...kinds].sort()
}

/** For every module, tinypool included. */
function replaceWorker(Worker: typeof threads.Worker): void {
  Object.assign(threads, { Worker })
  syncBuiltinESMExports()
}

/** What a build from nothing makes of the same content. */
async function cleanFiles(site: TemporarySite): Promise<unknown> {
  const clean = temporarySite()
  cpSync(site.content, clean.content, { recursive: true })
  await clean.build({ now: Date.UTC(2027, 0, 1) })
  return clean.json('manifest.json').files
}

function dateOf(number: number): Readonly<Record<string, string>> {
  return { publishedAt: new Date(Date.UTC(2026, 0, number)).toISOString() }
}
