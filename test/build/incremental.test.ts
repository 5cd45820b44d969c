// What a build costs: the bodies that it renders and the files that it writes and removes, counted.
// Knows nothing of how the cache keeps what it keeps.
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
import { listFiles } from '../../src/build/output.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

describe('a build', () => {
  it('renders and writes nothing when nothing changed', async () => {
    const site = await builtSite()
    expect(counts(await site.build())).toEqual({ rendered: 0, written: 0, removed: 0 })
  })

  it('renders nothing in a fresh clone with other times, given the cache', async () => {
    const site = await builtSite()
    const clone = temporarySite({ cache: join(site.folder, 'cache') })
    rmSync(clone.content, { recursive: true })
    cpSync(site.content, clone.content, { recursive: true })
    for (const name of readdirSync(clone.content, { recursive: true, encoding: 'utf8' })) {
      utimesSync(join(clone.content, name), 1, 1)
    }
    expect(await clone.build()).toMatchObject({ rendered: 0, changes: { unchanged: 0 } })
    expect(clone.text('manifest.json')).toBe(site.text('manifest.json'))
  })

  it('finds an edit of the same length whose time was put back, long after it has read the file', async () => {
    const site = makeSite()
    // All that was written is old by then: the second build remembers it and the third takes it as it was.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    for (let times = 0; times < 3; times++) await site.build()
    const file = join(site.content, 'acme/posts/post-7.md')
    const { atimeMs, mtimeMs } = statSync(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace('Text 7.', 'Next 7.'))
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
    expect((await site.build()).rendered).toBe(1)
    expect(site.text('public/v1/acme/posts/post-7.json')).toContain('Next 7.')
  })

  it('renders one body when one was edited, and writes what shows it', async () => {
    const site = await builtSite()
    site.post('post-7', dated(7), 'Other.\n')
    // The post in two formats and two versions, two pages of each list that it is on; its part and its
    // text, the terms, the index of the workspace, and the root.
    const result = counts(await site.build())
    expect(result.rendered).toBe(1)
    expect(result.written).toBe(4 + 4 + 5)
  })

  it('renders nothing when a title was edited, and writes what shows it', async () => {
    const site = await builtSite()
    site.post('post-7', { ...dated(7), title: 'Other' }, 'Text 7.\n')
    const result = counts(await site.build())
    expect(result.rendered).toBe(0)
    // As for a body, and where the category shows the post: its page, but no first page of it.
    expect(result.written).toBe(4 + 4 + 5 + 2)
  })

  it('renders nothing when a post was removed, and removes its files', async () => {
    const site = await builtSite()
    site.remove('content/acme/posts/post-7.md')
    const result = counts(await site.build())
    expect(result.rendered).toBe(0)
    expect(result.removed).toBe(4)
  })

  it('renders nothing when the configuration changed', async () => {
    const site = await builtSite()
    const other = temporarySite({ ...site.config, precompute: { pageSizes: [20] } })
    cpSync(site.folder, other.folder, { recursive: true })
    const result = counts(await other.build())
    expect(result.rendered).toBe(0)
    expect(result.written).toBeGreaterThan(0)
    expect(result.removed).toBeGreaterThan(0)
  })

  it('shows a scheduled post when its time has come, without rendering it', async () => {
    const site = makeSite().post('later', { publishedAt: '2030-01-01' }, 'Later.\n')
    await site.build()
    const now = Date.UTC(2030, 0, 2)
    expect(counts(await site.build({ now }))).toMatchObject({ rendered: 0 })
    expect(site.json('public/v1/acme/posts/index.json').posts[0].slug).toBe('later')
    await site.build()
    expect(site.files()).not.toContain('public/v1/acme/posts/later.json')
  })

  it('writes again what somebody took away or wrote over', async () => {
    const site = await builtSite()
    rmSync(join(site.out, 'public/v1/acme/posts/post-7.json'))
    writeFileSync(join(site.out, 'public/v1/acme/posts/post-8.json'), '{}')
    const { rendered } = counts(await site.build())
    expect(rendered).toBe(0)
    expect(site.json('public/v1/acme/posts/post-7.json').post.slug).toBe('post-7')
    expect(site.json('public/v1/acme/posts/post-8.json').post.slug).toBe('post-8')
  })

  it('renders and writes everything again when it is forced', async () => {
    const site = await builtSite()
    const { rendered, written } = counts(await site.build({ isForced: true }))
    expect(rendered).toBe(30)
    expect(written).toBeGreaterThan(100)
  })
})

describe('warnings', () => {
  const body = 'Line.\n\n<blink>\n\n[a](#b)\n'

  it('are told again by every build, and are the same as without a cache', async () => {
    const site = temporarySite(cached).post('first', {}, body)
    const first = await site.build()
    expect(first.diagnostics).toMatchObject([
      { code: 'raw-html', file: 'acme/posts/first.md', line: 8, lineText: '<blink>' },
      { code: 'broken-anchor', file: 'acme/posts/first.md', line: 10 },
    ])
    expect((await site.build()).diagnostics).toEqual(first.diagnostics)
  })

  it('stand on the right lines when the front matter above has grown', async () => {
    const site = temporarySite(cached).post('first', {}, body)
    await site.build()
    site.post('first', { description: 'Text', coverImage: '/a.png', other: 'x' }, body)
    const { rendered, diagnostics } = await site.build()
    expect(rendered).toBe(0)
    expect(diagnostics).toMatchObject([
      { code: 'unknown-key', line: 7 },
      { code: 'raw-html', line: 11, lineText: '<blink>' },
      { code: 'broken-anchor', line: 13 },
    ])
  })
})

describe('errors', () => {
  it('cost no rendering once they are mended', async () => {
    const site = makeSite().post('wrong', { category: 'nwes' }, 'Wrong.\n')
    expect(await site.problems()).toEqual([expect.stringContaining('unknown-category')])
    site.post('wrong', {}, 'Wrong.\n')
    expect((await site.build()).rendered).toBe(0)
  })
})

describe('a damaged cache', () => {
  it.each([
    ['in the middle', (bytes: Buffer) => bytes.fill(0, 40, Math.floor(bytes.length / 2))],
    ['at its end', (bytes: Buffer) => bytes.fill(0, Math.max(0, bytes.length - 60))],
    ['everywhere', (bytes: Buffer) => bytes.fill(7)],
  ])('is rebuilt, and nobody sees it: %s', async (_where, damage) => {
    const site = await builtSite()
    const manifest = site.text('manifest.json')
    const cache = join(site.folder, 'cache')
    for (const name of listFiles(cache)) {
      const bytes = readFileSync(join(cache, name))
      damage(bytes)
      writeFileSync(join(cache, name), bytes)
    }
    rmSync(site.out, { recursive: true })
    await site.build()
    expect(site.text('manifest.json')).toBe(manifest)
    expect(counts(await site.build())).toEqual({ rendered: 0, written: 0, removed: 0 })
  })

  it('is rebuilt where single files are damaged or gone, whatever byte it is', async () => {
    const site = makeSite().post('warned', {}, 'Line.\n\n<blink>\n\n![a](a.png)\n')
    site.write('content/acme/posts/a.png', Buffer.from('89504e470d0a1a0a', 'hex'))
    const { diagnostics } = await site.build()
    const manifest = site.text('manifest.json')
    const cache = join(site.folder, 'cache')
    for (const [at, name] of listFiles(cache).entries()) {
      const bytes = readFileSync(join(cache, name))
      const place = (at * 7919) % bytes.length
      bytes[place] = (bytes[place] ?? 0) ^ 1
      if (at % 7 === 6) rmSync(join(cache, name))
      else writeFileSync(join(cache, name), at % 3 === 0 ? bytes.subarray(0, -9) : bytes)
      // What shows it is made again.
      rmSync(site.out, { recursive: true })
      expect((await site.build()).diagnostics).toEqual(diagnostics)
      expect(site.text('manifest.json')).toBe(manifest)
    }
  })
})

const cached = { cache: 'cache' }

/** Thirty posts of one category; the cache lies beside them. */
function makeSite(): TemporarySite {
  const site = temporarySite(cached)
  for (let number = 1; number <= 30; number++) {
    site.post(`post-${number}`, dated(number), `Text ${number}.\n`)
  }
  return site
}

async function builtSite(): Promise<TemporarySite> {
  const site = makeSite()
  await site.build()
  return site
}

function dated(number: number): Readonly<Record<string, string>> {
  return { publishedAt: new Date(Date.UTC(2026, 0, number)).toISOString() }
}

function counts({ rendered, changes: { written, removed } }: BuildResult) {
  return { rendered, written, removed }
}
