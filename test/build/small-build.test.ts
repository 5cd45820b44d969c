// Builds in which little has changed, which start no threads: what they make is what threads make.
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../support/command-line.ts'
import { damageRecords } from '../support/damaged-cache.ts'
import { newSite, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const posts = 300

/** Each test goes on with the content and the build of the one before: to build 300 posts takes seconds. */
describe('a build', () => {
  let shared: Awaited<ReturnType<typeof builtSite>>

  beforeAll(async () => {
    shared = await builtSite()
  })

  afterAll(() => rmSync(shared.site.folder, { recursive: true, force: true }))

  it('starts none where posts came and went, which moves all others', async () => {
    const { site, build } = shared
    const frontMatter = { ...dateOf(9), aliases: '[post-2]' }
    site.remove('content/acme/posts/post-2.md').post('post-9', frontMatter, 'Another body.\n')
    expect(await build()).toEqual([])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  }, 60_000)

  it('goes on with one edit upon another, and with what was undone', async () => {
    const { site, build } = shared
    const bodies = ['One.\n', 'Two, 日本語.\n', 'Text.\n', 'Three.\n']
    for (const [number, body] of bodies.entries()) {
      site.post('post-42', dateOf(42), body).post(`post-${50 + number}`, dateOf(50 + number), body)
      expect(await build()).toEqual([])
    }
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  }, 60_000)

  it('starts threads for many files that are new, and none for few', async () => {
    const { site, build } = shared
    expect(await build()).toEqual([])
    site.post('post-150', dateOf(150), 'Another body.\n')
    expect(await build()).toEqual([])
    site.post('post-150', { ...dateOf(150), title: 'Other' }, 'And another.\n')
    site.post('post-301', dateOf(301), 'On top.\n')
    expect(await build()).toEqual([])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
    for (let post = 1; post <= 9; post++) site.post(`post-${post}`, dateOf(post), `Text ${post}.\n`)
    expect(await build()).toEqual(['rendering', 'search'])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  }, 60_000)

  it('takes nothing of a cache in which a byte of what it needs is another', async () => {
    const { site, build } = shared
    const parts = ['bytes', 'html', 'outline', 'sums']
    const clean: unknown[] = []
    for (const [at, part] of parts.entries()) {
      expect(damageRecords(join(site.folder, 'cache'), part)).toBeGreaterThan(0)
      // There are two bodies, so that a clean build is needed for each and not for each part.
      const body = at % 2
      site.post('post-150', dateOf(150), `Next to it, ${body}.\n`)
      await build({ isDamaged: true })
      clean[body] ??= await cleanFiles(site)
      expect(site.json('manifest.json').files).toEqual(clean[body])
    }
  }, 60_000)

  it('starts none in a fresh clone, where every file is another and nothing is written yet', async () => {
    const { site, build } = shared
    cpSync(site.content, join(site.folder, 'clone'), { recursive: true })
    site.remove('content').remove('dist')
    renameSync(join(site.folder, 'clone'), site.content)
    site.post('post-150', dateOf(150), 'Another body.\n')
    expect(await build()).toEqual([])
    expect(site.json('manifest.json').files).toEqual(await cleanFiles(site))
  }, 60_000)
})

/** A site that was built after its files were clearly older, and how to build it again and be told its threads. */
async function builtSite() {
  const site = newSite({ cache: 'cache' }).posts(posts)
  // By then the times of all files are clearly older: they are known the next time.
  await setTimeout(2600)
  const log = join(site.folder, 'threads')
  const build = async ({ isDamaged = false } = {}) => {
    site.write('threads', '')
    const flags = ['--content', 'content', '--cache', 'cache', '--out', 'dist', '--quiet']
    const ended = await run(site.folder, ['build', ...flags, '--now', '2027-01-01T00:00:00Z'], {
      NODE_OPTIONS: `--import=${countThreads}`,
      THREADS: log,
    })
    const stderr = isDamaged ? expect.stringMatching(/^$|damaged and discarded/) : ''
    expect(ended).toMatchObject({ exitCode: 0, stderr })
    return [...new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))].sort()
  }
  expect(await build()).toEqual(['rendering', 'search'])
  return { site, build }
}

/** Notes the kind of every thread that is started: those that render have a limited heap. */
const countThreads = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  import threads from 'node:worker_threads'
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      const kind = options.resourceLimits ? 'rendering' : 'search'
      appendFileSync(process.env.THREADS, kind + '\\n')
      super(file, options)
    }
  }
  syncBuiltinESMExports()
`)}`

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
