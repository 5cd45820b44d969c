// Sites of several search segments: built again after an edit, and from a damaged cache.
// Knows nothing of how segments are made.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../support/command-line.ts'
import { damagePacks } from '../support/damaged-cache.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** They make two segments. */
const posts = 600

/** After the last of them. */
const now = Date.UTC(2027, 0, 1)

describe('a site of many posts', () => {
  it('is after an edit what a clean build makes of it', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(posts)
    await site.build()
    edit(site)
    expect(await site.build()).toMatchObject({ rendered: 1 })
    // What only the function of the build before needed is removed by the next one.
    await site.build()
    const clean = temporarySite().posts(posts)
    edit(clean)
    await clean.build()
    expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
  })

  it('is after one edit upon another what a clean build makes of it', async () => {
    const [site, clean] = [temporarySite({ cache: 'cache' }), temporarySite()]
    for (const one of [site, clean]) one.posts(posts)
    await site.build()
    const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()
    const edits: readonly ((one: TemporarySite) => unknown)[] = [
      (one) => one.post('post-9', { publishedAt: day(9) }, 'Another text, in 日本語.\n'),
      (one) => one.post('post-10', { publishedAt: day(10), title: 'Other' }, 'And one more.\n'),
      (one) => one.post('post-301', { publishedAt: day(301) }, 'A text on top.\n'),
      (one) =>
        one.remove('content/acme/posts/post-301.md').remove('content/acme/posts/post-300.md'),
      (one) => one.post('post-9', { publishedAt: day(9) }),
      (one) => one.remove('content/acme/posts/post-2.md'),
      (one) => one.post('post-5', { publishedAt: day(5) }, 'At last.\n'),
    ]
    for (const change of edits) {
      for (const one of [site, clean]) change(one)
      await site.build({ now })
      rmSync(clean.out, { recursive: true, force: true })
      await clean.build({ now })
      expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
    }
  }, 60_000)

  it('is built from a cache in which a byte of a text is another, which is read for an edit of a neighbour', async () => {
    const emphasis = (site: TemporarySite) =>
      site.post('post-149', { publishedAt: '2026-05-29' }, '**Visible** words.\n')
    const site = emphasis(temporarySite({ cache: 'cache' }).posts(posts))
    await site.build()
    expect(damagePacks(join(site.folder, 'cache'), 'Visible words.')).toBe(1)
    edit(site)
    await site.build()
    await site.build()
    const clean = emphasis(temporarySite().posts(posts))
    edit(clean)
    await clean.build()
    expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
  })

  it('is after another Node folds its texts what a clean build by that one makes of it', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(posts)
    const build = async (environment = {}) => {
      const flags = ['--content', 'content', '--cache', 'cache', '--out', 'dist', '--quiet']
      const now = ['--now', '2026-07-01T00:00:00Z']
      const ended = await run(site.folder, ['build', ...flags, ...now], environment)
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
      return site.text('manifest.json')
    }
    const before = await build({ NODE_OPTIONS: `--import=${olderUnicode}` })
    edit(site)
    await build()
    // What only the function of the build before needed is removed by the next one.
    const after = await build()
    site.remove('cache').remove('dist')
    expect(after).toBe(await build())
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

function edit(site: TemporarySite): void {
  site.post('post-150', { publishedAt: '2026-05-30' }, 'Another body.\n')
}
