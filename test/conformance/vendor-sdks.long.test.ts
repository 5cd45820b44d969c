// The vendor's SDKs as they are on npm, with `serverURL` as the only change, on `quarry serve`.
import { Marble as Marble10 } from 'usemarble-sdk-1.0'
import * as errors10 from 'usemarble-sdk-1.0/models/errors'
import { Marble as Marble12 } from 'usemarble-sdk-1.2'
import * as errors12 from 'usemarble-sdk-1.2/models/errors'
import { beforeAll, describe, expect, it } from 'vitest'
import { keys } from '../blackbox/site.ts'
import { serve } from '../support/command-line.ts'
import { buildSample } from '../support/sample-site.ts'

let serverURL = ''

beforeAll(async () => {
  const { folder } = await buildSample()
  serverURL = (await serve(folder, { QUARRY_RATE_LIMIT: '1000/10' })).url
})

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe.each([
  ['1.0.10', Marble10, errors10],
  ['1.2.1', Marble12, errors12],
] as const)('the SDK %s', (version, Marble, errors) => {
  const marble = () => new Marble({ serverURL, apiKey: keys['full'] ?? '' }) as Marble10
  const slugs = async (request: Parameters<Marble10['posts']['list']>[0]) => {
    const { result } = await marble().posts.list(request)
    return result.posts.map(({ slug }) => slug)
  }

  it('lists posts page by page', async () => {
    const pages = await marble().posts.list({ limit: 20 })
    const found: string[] = []
    for await (const { result } of pages) found.push(...result.posts.map(({ slug }) => slug))
    expect(new Set(found).size).toBe(57)
    expect(pages.result.pagination).toMatchObject({ currentPage: 1, nextPage: 2, totalItems: 57 })
    expect(await slugs({ order: 'asc', limit: 100 })).toEqual(found.toReversed())
  })

  it('filters and searches', async () => {
    const query = { tags: ['rare', 'nobody'], excludeTags: ['alpha', 'beta'] }
    expect(await slugs(query)).toEqual([])
    expect(await slugs({ excludeCategories: ['news', 'fish', 'tools', 'essays'] })).toEqual([])
    expect(await slugs({ categories: [], tags: [], limit: 3 })).toHaveLength(3)
    expect(await slugs({ query: 'zwei leerzeichen' })).toEqual(['post-53', 'post-31', 'post-9'])
    expect(await slugs({ featured: 'true', limit: 2 })).toEqual(['post-40', 'post-30'])
  })

  it('gets single posts by slug and id, in both formats', async () => {
    const { post } = await marble().posts.get({ identifier: 'post-20' })
    expect(post).toMatchObject({ title: 'Привет, мир: ёлка 20', featured: true })
    expect(post.publishedAt).toEqual(new Date('2023-02-18T20:00:00.000Z'))
    if (version === '1.0.10')
      expect(post.attribution).toEqual({ author: 'First on <example.org> & elsewhere', url: '' })
    else expect(post).toMatchObject({ status: 'published', fields: { isNew: true } })
    const same = await marble().posts.get({ identifier: 'id-of-3', format: 'markdown' })
    expect([same.post.slug, same.post.content]).toEqual([
      'post-3',
      expect.stringContaining('**c**'),
    ])
    expect((await marble().posts.get({ identifier: 'हिन्दी-14' })).post.slug).toBe('हिन्दी-14')
  })

  it('lists and gets categories, tags and authors', async () => {
    const { categories, tags, authors } = marble()
    const slugs = (await categories.list({})).result.categories.map(({ slug }) => slug)
    expect(slugs).toEqual(['essays', 'fish', 'news', 'tools', 'idle'])
    expect((await tags.list({ limit: 2, page: 2 })).result.tags).toHaveLength(2)
    const { category } = await categories.get({ identifier: 'news' })
    expect(category).toMatchObject({ name: 'News', count: { posts: expect.any(Number) } })
    expect((await tags.get({ identifier: 'a.json' })).tag.name).toBe('A.JSON')
    const { author } = await authors.get({ identifier: 'ada-id' })
    expect(author).toMatchObject({ slug: 'ada', role: 'Editor', count: { posts: 29 } })
  })

  it.runIf(version === '1.2.1')('lists and gets media, and refuses calls that write', async () => {
    const { media, posts } = marble() as unknown as Marble12
    const [image] = (await media.list({ query: 'picture', type: 'image' })).result.media
    expect(image).toMatchObject({ width: expect.any(Number), createdAt: expect.any(Date) })
    expect((await media.get({ id: image?.id ?? '' })).media).toEqual(image)
    expect(await failureOf(media.get({ id: 'no' }))).toBeInstanceOf(errors.NotFoundError)
    expect(await failureOf(media.list({ page: 99 }))).toBeInstanceOf(errors.PageNotFoundError)
    const refused = await failureOf(posts.delete({ identifier: 'post-1' }))
    expect(refused).toMatchObject({ statusCode: 405 })
  })

  it('throws its own errors', async () => {
    const { posts } = marble()
    const page = await failureOf(posts.list({ page: 999 }))
    expect(page).toBeInstanceOf(errors.PageNotFoundError)
    expect(page).toMatchObject({ details: { totalPages: 6, requestedPage: 999 } })
    expect(await failureOf(posts.get({ identifier: 'no' }))).toBeInstanceOf(errors.NotFoundError)
    const bad = await failureOf(posts.list({ limit: 1000 }))
    expect(bad).toBeInstanceOf(errors.ErrorT)
    expect(bad).toMatchObject({ details: [{ field: 'limit' }] })
    expect(await failureOf(posts.list({ status: 'draft' }))).toMatchObject({ statusCode: 403 })
    const unknown = new Marble({ serverURL, apiKey: 'nonsense' }) as Marble10
    expect(await failureOf(unknown.tags.list({}))).toMatchObject({ statusCode: 401 })
  })
})
