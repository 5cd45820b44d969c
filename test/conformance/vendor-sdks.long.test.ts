// The vendor's SDKs as they are on npm, with `serverURL` as the only change, on `quarry serve` and on workerd.
import { Marble as Marble10 } from 'usemarble-sdk-1.0'
import * as errors10 from 'usemarble-sdk-1.0/models/errors'
import { Marble as Marble12 } from 'usemarble-sdk-1.2'
import * as errors12 from 'usemarble-sdk-1.2/models/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../support/command-line.ts'
import { buildFixture } from './hosts.ts'
import { openCloudflare } from './programs.ts'

interface Opened {
  readonly url: string
  readonly key: string
  /** Of a workspace with an image. */
  readonly otherKey: string
  close(): Promise<void>
}

async function openServe(): Promise<Opened> {
  const fixture = await buildFixture()
  const served = start(fixture.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: '1000/10' })
  const [, url = ''] = await served.waitFor(/ at (\S+)/)
  return {
    url,
    key: fixture.site.keys.full,
    otherKey: fixture.site.keys.other,
    close: async () => {
      served.stop('SIGTERM')
      await served.ended
      fixture.remove()
    },
  }
}

async function openWorkerd(): Promise<Opened> {
  const { url, site, close } = await openCloudflare()
  return { url, key: site.keys.full, otherKey: site.keys.other, close: async () => close?.() }
}

const sdks = [
  ['1.0.10', Marble10, errors10],
  ['1.2.1', Marble12, errors12],
] as const

describe.each([
  ['quarry serve', openServe],
  ['workerd', openWorkerd],
] as const)('on %s', (_, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  }, 120_000)
  afterAll(async () => opened?.close())

  describe.each(sdks)('the SDK %s', (version, Marble, errors) => {
    const marble = () => new Marble({ serverURL: opened.url, apiKey: opened.key }) as Marble10
    const slugs = async (request: Parameters<Marble10['posts']['list']>[0]) => {
      const { result } = await marble().posts.list(request)
      return result.posts.map(({ slug }) => slug)
    }

    it('lists posts page by page', async () => {
      const pages = await marble().posts.list({ limit: 20 })
      const found: string[] = []
      for await (const { result } of pages) found.push(...result.posts.map(({ slug }) => slug))
      expect(found).toHaveLength(37)
      expect(new Set(found).size).toBe(37)
      expect(pages.result.pagination).toMatchObject({ currentPage: 1, nextPage: 2, totalItems: 37 })
      expect(await slugs({ page: 2, limit: 20 })).toEqual(found.slice(20))
      expect(await slugs({ order: 'asc', limit: 100 })).toEqual(found.toReversed())
    })

    it('filters and searches', async () => {
      expect(await slugs({ tags: ['index'] })).toEqual(['post-28', 'post-21', 'post-14', 'post-7'])
      expect(await slugs({ tags: ['index', 'nobody'], excludeTags: ['alpha', 'beta'] })).toEqual([
        'post-7',
      ])
      expect(await slugs({ categories: ['idle'] })).toEqual([])
      expect(await slugs({ excludeCategories: ['news', 'fish', 'tools'] })).toEqual([])
      expect(await slugs({ categories: [], tags: [], limit: 3 })).toHaveLength(3)
      expect(await slugs({ query: 'zwei leerzeichen' })).toEqual(['über-straße'])
      expect(await slugs({ featured: 'true' })).toEqual(['index', 'post-30', 'post-20', 'post-10'])
    })

    it('gets single posts by slug and id, in both formats', async () => {
      const { post } = await marble().posts.get({ identifier: 'index' })
      expect(post).toMatchObject({ id: 'the-id-of-index', title: 'Index', featured: true })
      expect(post.publishedAt).toEqual(new Date('2025-03-01T10:30:00.123Z'))
      if (version === '1.0.10')
        expect(post.attribution).toEqual({ author: 'First on <example.org> & elsewhere', url: '' })
      else expect(post).toMatchObject({ status: 'published', fields: {} })
      const same = await marble().posts.get({ identifier: 'the-id-of-index', format: 'markdown' })
      expect(same.post.content).toBe(
        'Hello **bold** world.\n\n[Linkname](https://example.com/linktarget)\n',
      )
      expect((await marble().posts.get({ identifier: '日本語' })).post.slug).toBe('日本語')
    })

    it('lists and gets categories, tags and authors', async () => {
      const { categories, tags, authors } = marble()
      expect((await categories.list({})).result.categories.map(({ slug }) => slug)).toEqual([
        ...['fish', 'news', 'tools', 'idle'],
      ])
      expect((await tags.list({ limit: 2, page: 2 })).result.tags).toHaveLength(2)
      expect((await authors.list({})).result.authors.map(({ name }) => name)).toEqual([
        ...['Ada & Söhne', 'bob'],
      ])
      const { category } = await categories.get({ identifier: 'news' })
      expect(category).toMatchObject({ name: 'News', count: { posts: expect.any(Number) } })
      expect((await tags.get({ identifier: 'a.json' })).tag.name).toBe('A file?')
      const { author } = await authors.get({ identifier: 'ada-id' })
      expect(author).toMatchObject({ slug: 'ada', role: 'Editor', count: { posts: 16 } })
    })

    it.runIf(version === '1.2.1')('lists and gets media', async () => {
      const { media } = new Marble12({ serverURL: opened.url, apiKey: opened.otherKey })
      const pages = await media.list({ query: 'picture', type: 'image' })
      const [image] = pages.result.media
      expect(image).toMatchObject({ name: 'picture.png', width: 1, createdAt: expect.any(Date) })
      expect((await media.get({ id: image?.id ?? '' })).media).toEqual(image)
      const none = await media.get({ id: 'no' }).catch((error: unknown) => error)
      expect(none).toBeInstanceOf(errors.NotFoundError)
    })

    it.runIf(version === '1.2.1')('refuses calls that write', async () => {
      const { media, posts, tags, categories, authors } = new Marble12({
        serverURL: opened.url,
        apiKey: opened.key,
      })
      const refused = [
        posts.delete({ identifier: 'index' }),
        tags.delete({ identifier: 'index' }),
        categories.delete({ identifier: 'news' }),
        authors.delete({ identifier: 'ada' }),
        media.delete({ id: 'no' }),
      ]
      for (const { reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[])
        expect(reason).toMatchObject({ statusCode: 405 })
    })

    it('throws its own errors', async () => {
      const page = await marble()
        .posts.list({ page: 999 })
        .catch((error: unknown) => error)
      expect(page).toBeInstanceOf(errors.PageNotFoundError)
      expect(page).toMatchObject({ details: { totalPages: 4, requestedPage: 999 } })
      const beyond = await marble()
        .authors.list({ page: 9 })
        .catch((error: unknown) => error)
      expect(beyond).toBeInstanceOf(errors.PageNotFoundError)
      const none = await marble()
        .posts.get({ identifier: 'no' })
        .catch((error: unknown) => error)
      expect(none).toBeInstanceOf(errors.NotFoundError)
      const bad = await marble()
        .posts.list({ limit: 1000 })
        .catch((error: unknown) => error)
      expect(bad).toBeInstanceOf(errors.ErrorT)
      expect(bad).toMatchObject({ details: [{ field: 'limit' }] })
      const draft = await marble()
        .posts.list({ status: 'draft' })
        .catch((error: unknown) => error)
      expect(draft).toMatchObject({ statusCode: 403 })
      const unknown = new Marble({ serverURL: opened.url, apiKey: 'nonsense' }) as Marble10
      const refused = await unknown.tags.list({}).catch((error: unknown) => error)
      expect(refused).toMatchObject({ statusCode: 401 })
    })
  })
})
