// The surface of the vendor's SDKs, `/v1/{kind}`: closed without a key, and v2 in other wrappings with one.
import { describe, expect, it } from 'vitest'
import { type ApiResponse, type Asking, readResponse } from './host.ts'
import { pictureBytes, pictureHash, picturePath } from './picture.ts'

/** Defines the cases. The OpenAPI document does not describe this surface, which is the vendor's. */
export function defineSdkSurface(asking: () => Asking): void {
  const send = async (
    target: string,
    authorization?: string,
    method = 'GET',
  ): Promise<ApiResponse> => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    return readResponse(await asking().request(target, { method, headers }))
  }
  const sdk = (target: string, key: keyof Asking['site']['keys'] = 'full') =>
    send(`/v1${target}`, asking().site.keys[key])

  describe('the surface of the SDKs', () => {
    it('is 401 without a valid key, whatever the path names', async () => {
      const { keys } = asking().site
      const bad = [
        undefined,
        '',
        'Bearer',
        `Basic ${keys.full}`,
        `${keys.full}x`,
        `key=${keys.full}`,
      ]
      const texts = new Set<string>()
      for (const authorization of [...bad, keys.unknown, keys.expired, keys.revoked]) {
        for (const path of [
          'posts',
          'posts/a',
          'posts/tags',
          'tags/no',
          'media',
          'fields',
          'authors/a/b',
        ]) {
          const { status, text, header } = await send(`/v1/${path}`, authorization)
          expect([status, header('www-authenticate')], `${path} ${authorization}`).toEqual([
            ...[401, 'Bearer'],
          ])
          expect(header('cache-control')).toBe('no-store')
          texts.add(text)
        }
      }
      expect(texts.size).toBe(1)
      expect((await send(`/v1/posts?key=${keys.full}`)).status).toBe(401)
    })

    it('takes a key with and without its scheme, and answers for its workspace alone', async () => {
      const { keys } = asking().site
      const bare = await send('/v1/posts', keys.other)
      expect(bare.status).toBe(200)
      expect((await send('/v1/posts', `Bearer ${keys.other}`)).text).toBe(bare.text)
      expect(bare.body.posts.map(({ slug }: { slug: string }) => slug)).toEqual(
        (await asking().v2('/posts', 'other')).body.posts.map(({ slug }: { slug: string }) => slug),
      )
      expect((await sdk('/tags', 'postsOnly')).status).toBe(403)
      // Two names that differ in nothing but a workspace: that of a key and that of a path.
      expect((await send('/v1/acme/posts', keys.other)).text).toBe(
        (await asking().v1('/posts')).text,
      )
    })

    it.each([
      '/posts',
      '/posts?page=2&limit=7&format=markdown',
      '/posts?query=number&tags=alpha&order=asc',
      '/posts/the-id-of-index',
    ])('has the posts of v2 with what the SDKs want: %s', async (path) => {
      const { body: own } = await asking().v2(path)
      const { status, body, header } = await sdk(path)
      expect(status).toBe(200)
      expect(header('cache-control')).toBe('private, no-store')
      expect(header('vary')).toContain('Authorization')
      const extended = (post: { attribution: string | null; fields?: object }) => ({
        ...post,
        status: 'published',
        attribution: post.attribution === null ? null : { author: post.attribution, url: '' },
        fields: post.fields ?? {},
      })
      if (own.post !== undefined) expect(body).toEqual({ post: extended(own.post) })
      else expect(body).toEqual({ ...own, posts: own.posts.map(extended) })
    })

    it('wraps single terms, and counts posts of authors', async () => {
      const { v2 } = asking()
      for (const [kind, name, slug] of [
        ['categories', 'category', 'news'],
        ['tags', 'tag', '日本'],
      ] as const) {
        const path = `/${kind}/${encodeURIComponent(slug)}`
        expect((await sdk(path)).body).toEqual({ [name]: (await v2(path)).body })
        expect((await sdk(`/${kind}`)).text).toBe((await v2(`/${kind}`)).text)
      }
      const { authors } = (await sdk('/authors?limit=100')).body
      expect(authors.map(({ slug }: { slug: string }) => slug)).toEqual(['ada', 'bob'])
      for (const author of authors) {
        const { count, ...rest } = author
        expect(rest).toEqual((await v2(`/authors/${author.slug}`)).body)
        const included = await v2(`/authors/${author.slug}?include=posts`)
        expect(count).toEqual({ posts: included.body.posts.pagination.totalItems })
        expect((await sdk(`/authors/${author.id}`)).body).toEqual({ author })
      }
      expect((await sdk('/authors/idle')).body.author.count).toEqual({ posts: 0 })
    })

    it('has the errors of the vendor', async () => {
      const beyond = (await asking().v2('/posts?page=999')).body
      expect((await sdk('/posts?page=999')).body).toEqual({
        error: 'Invalid page number',
        details: beyond.details,
      })
      expect((await sdk('/posts/nobody')).body).toEqual((await asking().v2('/posts/nobody')).body)
      const { status, body } = await sdk('/posts?limit=0&order=up')
      expect([status, body.details.map(({ field }: { field: string }) => field)]).toEqual([
        ...[400, ['limit', 'order']],
      ])
      for (const path of ['/posts?limit=all', '/posts?limit=101', '/posts?status=live'])
        expect((await sdk(path)).status, path).toBe(400)
      for (const path of ['/posts/a/b', '/media/no', '/media/a/b', '/fields/no', '/films'])
        expect((await sdk(path)).status, path).toBe(404)
      expect((await send('/v1/posts', asking().site.keys.full, 'POST')).status).toBe(405)
    })

    it.each([
      ['an unknown parameter', 'limit=3&sort=asc&fields=title', ['sort', 'fields']],
      ['empty lists', 'limit=3&tags=&categories=&excludeTags=&query=', []],
      ['numbers with zeros', 'limit=003&page=01', []],
      ['repeated values', 'limit=3&limit=3&page=1', []],
    ])('takes what SDKs send without a need: %s', async (_, query, ignored) => {
      const { status, text, header } = await sdk(`/posts?${query}`)
      expect(status).toBe(200)
      expect(text).toBe((await sdk('/posts?limit=3')).text)
      expect(header('x-ignored-parameters')).toBe(ignored.length === 0 ? null : ignored.join(', '))
    })

    it.each([
      ['/posts?limit=abc&page=-1', ['limit', 'page']],
      ['/posts?limit=3.5&featured=1', ['limit', 'featured']],
      ['/posts?limit=undefined&tags[]=a', ['limit']],
      ['/posts/index?format=pdf', ['format']],
      ['/tags?include=everything&limit=NaN', ['include', 'limit']],
      ['/authors/ada?include=posts&page=null', ['page']],
      ['/media?order=newest&query=%ff', ['order', 'query']],
    ])('refuses what is wrong in the form that SDKs parse: %s', async (path, fields) => {
      const { status, body } = await sdk(path)
      expect([status, Object.keys(body)]).toEqual([400, ['error', 'message', 'details']])
      expect(body.details.map(({ field }: { field: string }) => field).toSorted()).toEqual(
        fields.toSorted(),
      )
      for (const { message } of body.details) expect(message).toMatch(/^(?:must|is) /)
    })

    it('lists images and custom fields', async () => {
      const { status, body, header } = await sdk('/media', 'other')
      expect([status, header('cache-control')]).toEqual([200, 'private, no-store'])
      const [image] = body.media
      expect(image).toEqual({
        id: pictureHash,
        name: 'picture.png',
        url: picturePath,
        alt: null,
        size: pictureBytes.length,
        mimeType: 'image/png',
        width: 1,
        height: 1,
        duration: null,
        blurHash: null,
        type: 'image',
        createdAt: (await asking().v2('/posts/only-beta', 'other')).body.post.publishedAt,
        updatedAt: image.createdAt,
      })
      expect(body.pagination).toMatchObject({ currentPage: 1, totalItems: 1 })
      expect((await sdk(`/media/${pictureHash}`, 'other')).body).toEqual({ media: image })
      expect((await sdk('/media?query=PICTURE&type=image', 'other')).body).toEqual(body)
      for (const query of ['query=nothing', 'type=video'])
        expect((await sdk(`/media?${query}`, 'other')).body.media).toEqual([])
      expect((await sdk('/media?page=2', 'other')).body.error).toBe('Invalid page number')
      expect((await sdk('/media?type=film&limit=all', 'other')).status).toBe(400)
      // Another workspace has none of it.
      expect((await sdk('/media')).body.media).toEqual([])
      expect((await sdk(`/media/${pictureHash}`)).status).toBe(404)
      expect((await sdk('/fields')).body).toEqual({ fields: [] })
      for (const path of ['/media', '/fields'])
        expect((await sdk(path, 'noPosts')).status).toBe(403)
    })

    it('shows published posts alone', async () => {
      const { site } = asking()
      const whole = await sdk('/posts?limit=100')
      expect((await sdk('/posts?limit=100&status=published')).text).toBe(whole.text)
      for (const slug of site.hidden) {
        expect(whole.text).not.toContain(slug)
        expect((await sdk(`/posts/${slug}`)).status).toBe(404)
      }
      for (const status of ['draft', 'all']) {
        expect((await sdk(`/posts?status=${status}`)).status).toBe(403)
        expect((await sdk(`/posts/a?status=${status}`)).status).toBe(403)
      }
    })

    it('confirms what a client has', async () => {
      const { request, site } = asking()
      const authorization = site.keys.full
      const etag = (await sdk('/posts')).header('etag') ?? ''
      const again = await request('/v1/posts', {
        headers: { authorization, 'if-none-match': etag },
      })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(etag).not.toBe((await asking().v2('/posts')).header('etag'))
    })
  })
}
