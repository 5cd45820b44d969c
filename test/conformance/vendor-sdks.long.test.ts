// The vendor's SDKs as they are on npm, with `serverURL` as the only change, on `quarry serve`.
import { Marble as Marble10 } from 'usemarble-sdk-1.0'
import * as errors10 from 'usemarble-sdk-1.0/models/errors'
import { Marble as Marble12 } from 'usemarble-sdk-1.2'
import * as errors12 from 'usemarble-sdk-1.2/models/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../support/command-line.ts'
import { type BuiltFixture, buildFixture } from './hosts.ts'

let fixture: BuiltFixture
let served: ReturnType<typeof start>
let serverURL = ''

beforeAll(async () => {
  fixture = await buildFixture()
  served = start(fixture.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: '1000/10' })
  serverURL = (await served.waitFor(/ at (\S+)/))[1] ?? ''
})
afterAll(async () => {
  served.stop('SIGTERM')
  await served.ended
  fixture.remove()
})

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe.each([
  ['1.0.10', Marble10, errors10],
  ['1.2.1', Marble12, errors12],
] as const)('the SDK %s', (version, Marble, errors) => {
  const marble = () => new Marble({ serverURL, apiKey: fixture.site.keys.full }) as Marble10
  const slugs = async (request: Parameters<Marble10['posts']['list']>[0]) => {
    const { result } = await marble().posts.list(request)
    return result.posts.map(({ slug }) => slug)
  }

  it('lists posts page by page', async () => {
    const pages = await marble().posts.list({ limit: 20 })
    const found: string[] = []
    for await (const { result } of pages) found.push(...result.posts.map(({ slug }) => slug))
    expect(new Set(found).size).toBe(37)
    expect(pages.result.pagination).toMatchObject({ currentPage: 1, nextPage: 2, totalItems: 37 })
    expect(await slugs({ order: 'asc', limit: 100 })).toEqual(found.toReversed())
  })

  it('filters and searches', async () => {
    expect(await slugs({ tags: ['index', 'nobody'], excludeTags: ['alpha', 'beta'] })).toEqual([
      'post-7',
    ])
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
    expect(same.post.content).toContain('Hello **bold** world.')
    expect((await marble().posts.get({ identifier: '日本語' })).post.slug).toBe('日本語')
  })

  it('lists and gets categories, tags and authors', async () => {
    const { categories, tags, authors } = marble()
    expect((await categories.list({})).result.categories.map(({ slug }) => slug)).toEqual([
      ...['fish', 'news', 'tools', 'idle'],
    ])
    expect((await tags.list({ limit: 2, page: 2 })).result.tags).toHaveLength(2)
    const { category } = await categories.get({ identifier: 'news' })
    expect(category).toMatchObject({ name: 'News', count: { posts: expect.any(Number) } })
    expect((await tags.get({ identifier: 'a.json' })).tag.name).toBe('A file?')
    const { author } = await authors.get({ identifier: 'ada-id' })
    expect(author).toMatchObject({ slug: 'ada', role: 'Editor', count: { posts: 16 } })
  })

  it.runIf(version === '1.2.1')('lists and gets media, and refuses calls that write', async () => {
    const { media, posts } = new Marble12({ serverURL, apiKey: fixture.site.keys.other })
    const [image] = (await media.list({ query: 'picture', type: 'image' })).result.media
    expect(image).toMatchObject({ name: 'picture.png', width: 1, createdAt: expect.any(Date) })
    expect((await media.get({ id: image?.id ?? '' })).media).toEqual(image)
    expect(await failureOf(media.get({ id: 'no' }))).toBeInstanceOf(errors.NotFoundError)
    const refused = await failureOf(posts.delete({ identifier: 'index' }))
    expect(refused).toMatchObject({ statusCode: 405 })
  })

  it('throws its own errors', async () => {
    const { posts } = marble()
    const page = await failureOf(posts.list({ page: 999 }))
    expect(page).toBeInstanceOf(errors.PageNotFoundError)
    expect(page).toMatchObject({ details: { totalPages: 4, requestedPage: 999 } })
    expect(await failureOf(posts.get({ identifier: 'no' }))).toBeInstanceOf(errors.NotFoundError)
    const bad = await failureOf(posts.list({ limit: 1000 }))
    expect(bad).toBeInstanceOf(errors.ErrorT)
    expect(bad).toMatchObject({ details: [{ field: 'limit' }] })
    expect(await failureOf(posts.list({ status: 'draft' }))).toMatchObject({ statusCode: 403 })
    const unknown = new Marble({ serverURL, apiKey: 'nonsense' }) as Marble10
    expect(await failureOf(unknown.tags.list({}))).toMatchObject({ statusCode: 401 })
  })
})
