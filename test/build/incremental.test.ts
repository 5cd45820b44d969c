// What a build costs after an edit, and what it tells of the last one.
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BuildResult } from '../../src/build/build.ts'
import type { QuarryConfig } from '../../src/config.ts'
import { contentsOf } from '../support/contents.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const nothing = { rendered: 0, written: 0, removed: 0 }

/** Twelve posts of one category; the cache lies beside them. */
function makeSite(): TemporarySite {
  return temporarySite().posts(12)
}

function counts({ rendered, changes: { written, removed } }: BuildResult) {
  return { rendered, written, removed }
}

describe('a build', () => {
  it('renders what has another body, and writes and removes what shows a change', async () => {
    const site = makeSite()
    await site.build()
    expect(counts(await site.build())).toEqual(nothing)
    const at = { publishedAt: '2026-01-07T00:00:00.000Z' }
    // The post in two formats and two versions, two pages of each list that it is on; its part and its
    // text, the terms, the lists, the index of the workspace, and the root.
    const body = await site.post('post-7', at, 'Other.\n').build()
    expect(counts(body)).toEqual({ rendered: 1, written: 5 + 4 + 6, removed: 0 })
    const title = await site.post('post-7', { ...at, title: 'Other' }, 'Other.\n').build()
    const removed = await site.remove('content/acme/posts/post-7.md').build()
    expect([title.rendered, removed.rendered]).toEqual([0, 0])
    expect((await site.build({ isForced: true })).rendered).toBe(1)
  })

  it('renders nothing in a fresh clone with other times and settings, given the cache', async () => {
    const site = makeSite()
    await site.build()
    for (const config of [{}, { precompute: { pageSizes: [20] } }]) {
      const clone = temporarySite({ ...config, cache: join(site.folder, 'cache') })
      rmSync(clone.content, { recursive: true })
      cpSync(site.content, clone.content, { recursive: true })
      for (const name of readdirSync(clone.content, { recursive: true, encoding: 'utf8' })) {
        utimesSync(join(clone.content, name), 1, 1)
      }
      expect(await clone.build()).toMatchObject({ rendered: 0, changes: { unchanged: 0 } })
    }
  })

  it.each<QuarryConfig>([
    { baseUrl: 'https://a.example' },
    { browser: true },
    { frontMatter: { title: 'category' } },
    { http: { cors: ['https://a.example'] } },
    { links: { post: 'https://a.example/{slug}' } },
    { markdown: { headingIds: false } },
    { precompute: { ids: true } },
    { warnings: { ignore: ['unknown-key'] } },
  ])('is a clean one after a change of only the setting %j', async (config) => {
    const site = temporarySite().post('first', { mood: 'good' }, '# Title\n')
    const before = { diagnostics: (await site.build()).diagnostics, files: contentsOf(site.out) }
    Object.assign(site.config, config)
    const { diagnostics } = await site.build()
    const after = { diagnostics, files: contentsOf(site.out) }
    expect(after).not.toEqual(before)
    const clean = await site.build({ isForced: true })
    expect(after).toEqual({ diagnostics: clean.diagnostics, files: contentsOf(site.out) })
  })

  it('finds an edit of the same length whose time was put back, long after it has read the file', async () => {
    const site = makeSite()
    // All that was written is old by then: the second build remembers it and the third takes it as it was.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    for (let times = 0; times < 3; times++) await site.build()
    const file = join(site.content, 'acme/posts/post-7.md')
    const { atimeMs, mtimeMs } = statSync(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace('Text.', 'Next.'))
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
    expect((await site.build()).rendered).toBe(1)
    expect(site.text('public/v1/acme/posts/post-7.json')).toContain('Next.')
  })
})

it('a slug of the last build that is gone is a warning at an item, whose path may be an alias, once', async () => {
  const guide = (site: TemporarySite, path: string, aliases: string) =>
    site.write(
      `content/acme/guides/${path}.md`,
      `---\ntitle: Guide\naliases: ${aliases}\n---\nText.\n`,
    )
  const site = temporarySite()
  site.write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
  await guide(site, 'a/old', '[]').build()
  site.remove('content/acme/guides/a/old.md')
  expect(await guide(site, 'b/new', '[older]').problems()).toContain(
    'acme/guides/b/new.md:1:1 lost-slug The last build had an item of guides: "a/old", and no item has this slug or alias now. Links to it are broken. If this is the item, add `aliases: [older, a/old]` to it.',
  )
  expect(await guide(site, 'b/new', '[older, a/old]').problems()).toEqual([])
})

it('a renamed post is no lost slug of a singleton', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'singletons: { nav: nav.yml }\n')
    .write('content/acme/nav.yml', 'title: Menu\n')
    .post('old')
  await site.build()
  await site.remove('content/acme/posts/old.md').post('new', { aliases: '[old]' }).build()
  expect(await site.remove('content/acme/posts/new.md').post('newer').problems()).toEqual([
    expect.stringMatching(/^acme\/posts\/newer\.md:1:1 lost-slug The last build had a post "new"/),
  ])
})

it('a build for an earlier time has a post that a later one found expired', async () => {
  const site = temporarySite().post('one', { expiresAt: '2026-02-01' }).post('two')
  const builds = [Date.UTC(2026, 0, 20), Date.UTC(2026, 2, 1), Date.UTC(2026, 0, 20)]
  const found: boolean[] = []
  for (const now of builds) {
    await site.build({ now })
    found.push(site.files().includes('public/v1/acme/posts/one.json'))
  }
  expect(found).toEqual([true, false, true])
})
