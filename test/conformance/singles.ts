// Single resources: how they are named, what they hold and what of them is never seen.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineSingles(asking: () => Asking): void {
  describe('one post', () => {
    it('has every field of the specification, in its order, in both versions', async () => {
      const { v1, v2 } = asking()
      const { body, text } = await v1('/posts/index')
      expect(body).toEqual({
        post: {
          id: 'the-id-of-index',
          slug: 'index',
          title: 'Index',
          content:
            '<p>Hello <strong>bold</strong> world.</p>\n<p><a href="https://example.com/linktarget">Linkname</a></p>\n',
          featured: true,
          coverImage: 'https://example.com/cover.png?a=1&b="2"',
          description: 'Descriptiononly words.',
          publishedAt: '2025-03-01T10:30:00.123Z',
          updatedAt: '2025-04-01T00:00:00.000Z',
          attribution: 'First on <example.org> & elsewhere',
          authors: [
            expect.objectContaining({
              slug: 'bob',
              image: null,
              bio: null,
              role: null,
              socials: [],
            }),
            {
              id: 'ada-id',
              name: 'Ada & Söhne',
              image: 'https://example.com/ada.png',
              bio: expect.stringContaining('things'),
              role: 'Editor',
              slug: 'ada',
              socials: [{ url: 'https://example.com/ada', platform: 'web' }],
            },
          ],
          category: expect.objectContaining({ slug: 'news', name: 'News' }),
          tags: [
            expect.objectContaining({ slug: 'beta', description: null }),
            expect.objectContaining({ slug: 'alpha' }),
          ],
        },
      })
      expect(Object.keys(body.post)).toEqual(postKeys)
      expect(Object.keys(body.post.authors[1])).toEqual(authorSummaryKeys)
      expect(Object.keys(body.post.category)).toEqual(['id', 'name', 'slug', 'description'])
      expect((await v2('/posts/index')).text).toBe(text)
    })

    it('is null or empty where nothing was said', async () => {
      const { body } = await asking().v1('/posts/post-1')
      expect(body.post).toMatchObject({
        featured: false,
        coverImage: null,
        description: '',
        attribution: null,
        authors: [],
        updatedAt: body.post.publishedAt,
      })
    })

    it.each(['index', 'a', 'a.json', 'über-straße', '日本語', 'हिन्दी', 'markup', 'post-7'])(
      'is found by its slug %s and by its id, the same to the byte',
      async (slug) => {
        const { v1, v2 } = asking()
        const bySlug = await v1(`/posts/${encodeURIComponent(slug)}`)
        expect(bySlug.body.post.slug).toBe(slug)
        const byId = await v2(`/posts/${encodeURIComponent(bySlug.body.post.id)}`)
        expect(byId.text).toBe(bySlug.text)
      },
    )

    it('is what the list holds', async () => {
      const { v1 } = asking()
      const { body } = await v1('/posts?limit=3&page=4')
      for (const post of body.posts) {
        expect((await v1(`/posts/${post.slug}`)).body.post).toEqual(post)
      }
    })

    it('is Markdown as its author wrote it with format=markdown', async () => {
      const { v1, site } = asking()
      const { body } = await v1('/posts/markup?format=markdown')
      expect(body.post.content).toBe(site.posts.find(({ slug }) => slug === 'markup')?.body)
    })

    it('has HTML that runs nothing', async () => {
      const { body } = await asking().v1('/posts/markup')
      expect(body.post.content).toContain('<code>a &#x3C; b &#x26;&#x26; c</code>')
      expect(body.post.content).not.toMatch(/<script|onerror|javascript:/i)
    })

    it('keeps characters that HTML and JSON have to do something about', async () => {
      const { v1, site } = asking()
      const { body } = await v1('/posts/markup')
      expect(body.post.title).toBe(site.posts.find(({ slug }) => slug === 'markup')?.title)
    })

    it('ignores the parameters of lists', async () => {
      const { v1 } = asking()
      const plain = await v1('/posts/post-3')
      const noisy = await v1('/posts/post-3?limit=x&page=0&excludeContent=2&orderBy=y&order=z')
      expect(noisy.text).toBe(plain.text)
    })

    it('is not there while it is a draft or scheduled', async () => {
      const { v1, v2, site } = asking()
      for (const slug of site.hidden) {
        expect((await v1(`/posts/${slug}`)).status).toBe(404)
        expect((await v2(`/posts/${slug}`)).status).toBe(404)
      }
    })
  })

  describe('an old slug', () => {
    it('leads to the post, with the query, and keeps the answer from shared caches', async () => {
      const { ask, v1 } = asking()
      const location = (reply: { header(name: string): string | null }) => reply.header('location')
      const reply = await ask('/v1/acme/posts/old-a?format=markdown&strict=%66alse')
      expect([reply.status, location(reply)]).toEqual([
        308,
        '/v1/acme/posts/a?format=markdown&strict=%66alse',
      ])
      expect(reply.header('cache-control')).toMatch(/^private, max-age=\d+$/)
      const encoded = await v1(`/posts/${encodeURIComponent('früher')}`)
      expect([encoded.status, location(encoded)]).toEqual([308, '/v1/acme/posts/a'])
    })

    it('leads there in v2 too, and needs a key', async () => {
      const { ask, v2 } = asking()
      const reply = await v2('/posts/old-a?format=html')
      expect([reply.status, reply.header('location')]).toEqual([308, '/v2/posts/a?format=html'])
      expect((await ask('/v2/posts/old-a')).status).toBe(401)
      expect((await v2('/posts/old-a', 'other')).status).toBe(404)
    })

    it('is unknown where its post is not visible', async () => {
      const { v1, v2 } = asking()
      const missing = await v1('/posts/nothing')
      for (const slug of ['old-draft', 'old-scheduled', 'OLD-A']) {
        const reply = await v1(`/posts/${slug}`)
        expect([reply.status, reply.text], slug).toEqual([404, missing.text])
        expect((await v2(`/posts/${slug}`)).status).toBe(404)
      }
    })

    it('is listed with the others of visible posts', async () => {
      const { ask, v1, v2 } = asking()
      const { body, text } = await v1('/redirects')
      const names = ['früher', 'old-a']
      expect(body).toEqual({ redirects: names.map((from) => ({ from, to: 'a' })) })
      expect((await v2('/redirects')).text).toBe(text)
      expect((await ask('/v2/redirects')).status).toBe(401)
      expect((await v2('/redirects', 'noPosts')).status).toBe(403)
      expect((await ask('/v1/beta/redirects')).body).toEqual({ redirects: [] })
      for (const path of ['/v1/secret/redirects', '/v1/acme/redirects/old-a', '/v1/redirects'])
        expect([401, 404], path).toContain((await ask(path)).status)
      expect((await v1('/redirects?strict=true&page=2')).status).toBe(400)
    })
  })

  describe.each([
    ['categories', 'news', ['id', 'name', 'slug', 'description', 'count']],
    ['tags', 'index', ['id', 'name', 'slug', 'description', 'count']],
    ['tags', 'a.json', ['id', 'name', 'slug', 'description', 'count']],
    ['tags', '日本', ['id', 'name', 'slug', 'description', 'count']],
    ['categories', 'idle', ['id', 'name', 'slug', 'description', 'count']],
    ['authors', 'ada', ['id', 'name', 'image', 'slug', 'bio', 'role', 'socials']],
  ])('one of %s: %s', (kind, slug, keys) => {
    const path = `/${kind}/${encodeURIComponent(slug)}`
    it('stands alone, with its keys in order', async () => {
      const { body } = await asking().v1(path)
      expect(Object.keys(body)).toEqual(keys)
      expect(body.slug).toBe(slug)
    })

    it('is found by its id, and in v2 the same', async () => {
      const { v1, v2 } = asking()
      const { body, text } = await v1(path)
      expect((await v1(`/${kind}/${encodeURIComponent(body.id)}`)).text).toBe(text)
      expect((await v2(path)).text).toBe(text)
    })

    it('lists its posts with include=posts, in the order of the post list', async () => {
      const { v1, site } = asking()
      const { body } = await v1(`${path}?include=posts&limit=100`)
      expect(Object.keys(body)).toEqual([...keys, 'posts'])
      const own = site.posts.filter((post) =>
        [post.category, ...post.tags, ...post.authors].includes(slug),
      )
      const all: readonly { slug: string }[] = (await v1('/posts?limit=all')).body.posts
      const expected = all.filter((post) => own.some((one) => one.slug === post.slug))
      expect(body.posts.data.map((item: { slug: string }) => item.slug)).toEqual(
        expected.map((post) => post.slug),
      )
      expect(body.posts.pagination).toMatchObject({ limit: 100, totalItems: own.length })
      for (const item of body.posts.data) expect(Object.keys(item)).toEqual(itemKeys)
    })

    it('leaves limit and page unused without include=posts', async () => {
      const { v1 } = asking()
      const plain = await v1(path)
      expect((await v1(`${path}?limit=all&page=x`)).text).toBe(plain.text)
      expect((await v1(`${path}?include=&limit=0`)).text).toBe(plain.text)
    })
  })

  it('pages through the posts of one tag', async () => {
    const { v1 } = asking()
    const whole = await v1('/tags/alpha?include=posts&limit=100')
    const found: object[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { body } = await v1(`/tags/alpha?include=posts&limit=4&page=${page}`)
      expect(body.count).toEqual(whole.body.count)
      found.push(...body.posts.data)
      page = body.posts.pagination.nextPage
    }
    expect(found).toEqual(whole.body.posts.data)
  })

  it('gives a term without posts an empty page', async () => {
    const { body } = await asking().v1('/tags/unused?include=posts')
    expect(body.count).toEqual({ posts: 0 })
    expect(body.posts).toEqual({
      data: [],
      pagination: {
        limit: 10,
        currentPage: 1,
        nextPage: null,
        previousPage: null,
        totalPages: 0,
        totalItems: 0,
      },
    })
  })

  describe('workspaces', () => {
    it('do not see into each other', async () => {
      const { ask, v1, v2 } = asking()
      expect((await ask('/v1/beta/posts/index')).body.post.title).toBe('Index of beta')
      expect((await v2('/posts/index', 'other')).body.post.title).toBe('Index of beta')
      expect((await v1('/posts/only-beta')).status).toBe(404)
      expect((await v2('/posts/only-beta')).status).toBe(404)
      expect((await ask('/v1/beta/posts/the-id-of-index')).status).toBe(404)
    })

    it('that close v1 are open in v2 alone', async () => {
      const { ask, v2 } = asking()
      expect((await v2('/posts/one', 'secret')).body.post.slug).toBe('one')
      const closed = await ask('/v1/secret/posts/one')
      const missing = await ask('/v1/nowhere/posts/one')
      expect(closed.status).toBe(404)
      expect(closed.text).toBe(missing.text)
    })
  })
}

const postKeys = [
  'id',
  'slug',
  'title',
  'content',
  'featured',
  'coverImage',
  'description',
  'publishedAt',
  'updatedAt',
  'attribution',
  'authors',
  'category',
  'tags',
]
const authorSummaryKeys = ['id', 'name', 'image', 'bio', 'role', 'slug', 'socials']
const itemKeys = ['id', 'title', 'slug', 'description', 'coverImage', 'publishedAt']
