// Sites of several search segments: built again after an edit, and from a damaged cache.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAllCases } from '../support/cases.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { damagePacks } from '../support/damaged-cache.ts'
import { newSite, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** They make two segments. */
const posts = 600

/** After the last of them. */
const now = Date.UTC(2027, 0, 1)

describe('a site of many posts', () => {
  let built: TemporarySite
  let cleanFiles: unknown

  beforeAll(async () => {
    built = written(newSite({ cache: 'cache' }))
    await built.build()
    const clean = edited(written(newSite()))
    await clean.build()
    cleanFiles = clean.json('manifest.json').files
    rmSync(clean.folder, { recursive: true })
  })

  afterAll(() => rmSync(built.folder, { recursive: true }))

  /** Its content, its build and its cache, for one test. */
  function copyOf({ folder }: TemporarySite): TemporarySite {
    const site = temporarySite({ cache: 'cache' })
    cpSync(folder, site.folder, { recursive: true, preserveTimestamps: true })
    return site
  }

  it('is after an edit what a clean build makes of it', async () => {
    const site = edited(copyOf(built))
    expect(await site.build()).toMatchObject({ rendered: 1 })
    // What only the function of the build before needed is removed by the next one.
    await site.build()
    expect(site.json('manifest.json').files).toEqual(cleanFiles)
  })

  it('is after one edit upon another what a clean build makes of it', async () => {
    const site = copyOf(built)
    const clean = temporarySite()
    const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()
    const edits: readonly (() => unknown)[] = [
      () => site.post('post-9', { publishedAt: day(9) }, 'Another text, in 日本語.\n'),
      () => site.post('post-10', { publishedAt: day(10), title: 'Other' }, 'And one more.\n'),
      () => site.post('post-301', { publishedAt: day(301) }, 'A text on top.\n'),
      () => site.remove('content/acme/posts/post-301.md').remove('content/acme/posts/post-300.md'),
      () => site.post('post-9', { publishedAt: day(9) }),
      () => site.remove('content/acme/posts/post-2.md'),
      () => site.post('post-5', { publishedAt: day(5) }, 'At last.\n'),
    ]
    for (const [at, edit] of edits.entries()) {
      edit()
      await site.build({ now })
      if (!hasAllCases && at !== 2 && at !== edits.length - 1) continue
      for (const folder of [clean.content, clean.out])
        rmSync(folder, { recursive: true, force: true })
      cpSync(site.content, clean.content, { recursive: true })
      await clean.build({ now })
      expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
    }
  })

  it('is built from a cache in which a byte of a text is another, which is read for an edit of a neighbour', async () => {
    const site = copyOf(built)
    expect(damagePacks(join(site.folder, 'cache'), 'Visible words.')).toBe(1)
    edited(site)
    await site.build()
    await site.build()
    expect(site.json('manifest.json').files).toEqual(cleanFiles)
  })

  it('is after another Node folds its texts what a clean build by that one makes of it', async () => {
    const site = written(temporarySite({ cache: 'cache' }))
    const build = async (by: typeof run, environment = {}) => {
      const flags = ['--content', 'content', '--cache', 'cache', '--out', 'dist', '--quiet']
      const now = ['--now', '2026-07-01T00:00:00Z']
      const ended = await by(site.folder, ['build', ...flags, ...now], environment)
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
      return site.text('manifest.json')
    }
    const before = await build(run, { NODE_OPTIONS: `--import=${olderUnicode}` })
    edited(site)
    await build(call)
    // What only the function of the build before needed is removed by the next one.
    const after = await build(call)
    site.remove('cache').remove('dist')
    expect(after).toBe(await build(call))
    expect(after).not.toBe(before)
  })
})

/** Stands for a Node of before Unicode 16, which knew no lower case of Garay's letters; in every thread. */
const olderUnicode = `data:text/javascript,${encodeURIComponent(`
  Object.defineProperty(process.versions, 'unicode', { value: '15.1' })
  const { toLowerCase } = String.prototype
  String.prototype.toLowerCase = function () {
    return String(this).replace(/[^\u{10d50}-\u{10d65}]+/gu, (text) => toLowerCase.call(text))
  }
`)}`

function written(site: TemporarySite): TemporarySite {
  return site.posts(posts).post('post-149', { publishedAt: '2026-05-29' }, '**Visible** words.\n')
}

function edited(site: TemporarySite): TemporarySite {
  return site.post('post-150', { publishedAt: '2026-05-30' }, 'Another body.\n')
}
