// HTTP around the answers: validators, caches, HEAD, redirects, and what the service says of itself.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

const plain = { 'accept-encoding': 'identity' }

/** Defines the cases. */
export function defineHttp(asking: () => Asking): void {
  describe('an ETag', () => {
    it('is strong, the same for the same answer, another for another', async () => {
      const { v1, v2 } = asking()
      const first = await v1('/posts', { headers: plain })
      expect(first.header('etag')).toMatch(/^"[\w-]{16,}"$/)
      const again = await v1('/posts?order=desc', { headers: plain })
      expect(again.header('etag')).toBe(first.header('etag'))
      const second = await v2('/posts', 'full', { headers: plain })
      expect(second.header('etag')).toBe(first.header('etag'))
      const tags = await Promise.all(
        ['/posts?page=2', '/posts?order=asc', '/posts/a', '/tags', '/tags?include=posts'].map(
          async (path) => (await v1(path, { headers: plain })).header('etag'),
        ),
      )
      expect(new Set([first.header('etag'), ...tags]).size).toBe(6)
    })

    it.each([
      '/posts',
      '/posts?limit=all',
      '/posts/post-1',
      '/categories',
      '/authors/ada?include=posts',
    ])('of %s gives 304 without a body when it is known', async (path) => {
      const { v1 } = asking()
      const first = await v1(path)
      const tag = first.header('etag') ?? ''
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const second = await v1(path, { headers: { 'if-none-match': known } })
        expect(second.status, known).toBe(304)
        if (known !== '*') expect(second.header('etag')).toBe(tag)
        expect(second.header('cache-control')).toBe(first.header('cache-control'))
      }
    })

    it.each(['"other"', 'other', '', '""', 'W/""'])('does not match %j', async (known) => {
      const { status } = await asking().v1('/posts', { headers: { 'if-none-match': known } })
      expect(status).toBe(200)
    })

    it('saves nobody the key, and no error its body', async () => {
      const { ask, v1 } = asking()
      const headers = { 'if-none-match': '*' }
      expect((await ask('/v2/posts', { headers })).status).toBe(401)
      expect((await v1('/posts/nobody', { headers })).status).toBe(404)
      expect((await v1('/posts?limit=0', { headers })).status).toBe(400)
    })
  })

  describe('HEAD', () => {
    it.each([
      '/v1/acme/posts',
      '/v1/acme/posts?limit=all&format=markdown',
      '/v1/acme/posts/post-1',
      '/v1/acme/tags/alpha?include=posts',
      '/v1/acme/posts/nobody',
      '/v1/acme/posts?limit=0',
      '/v2/posts',
      '/status',
    ])('of %s is GET without the body', async (path) => {
      const { ask } = asking()
      const got = await ask(path, { headers: plain })
      const head = await ask(path, { method: 'HEAD', headers: plain })
      expect(head.status).toBe(got.status)
      expect(head.header('content-length')).toBe(String(Buffer.byteLength(got.text)))
      for (const name of ['etag', 'cache-control', 'content-type', 'vary', 'www-authenticate']) {
        expect(head.header(name), name).toBe(got.header(name))
      }
    })
  })

  describe('Cache-Control', () => {
    it('lets everybody keep v1, and its asker alone v2', async () => {
      const { ask, v1, v2 } = asking()
      expect((await ask('/v1/beta/posts')).header('cache-control')).toBe(
        'public, max-age=60, s-maxage=300, stale-while-revalidate=86400',
      )
      for (const path of ['/posts', '/posts/post-1', '/tags', '/authors/ada']) {
        // A workspace with a scheduled post lets nobody keep what is stale. A file that a host serves by itself has the
        // full times: no scheduled post can change a single post or an author.
        const isPlain = /^\/(?:posts\/|authors)/.test(path)
        expect((await v1(path)).header('cache-control')).toMatch(
          isPlain ? /^public, max-age=60, s-maxage=300/ : /^public, max-age=60, s-maxage=300$/,
        )
        const second = await v2(path)
        expect(second.header('cache-control')).toBe('private, max-age=60')
        expect(second.header('vary')).toMatch(/(^|, )Authorization($|,)/i)
      }
    })
  })

  describe('a trailing slash', () => {
    it.each([
      ['/v1/acme/posts/', '/v1/acme/posts'],
      [
        '/v1/acme/posts/post-1/?format=markdown&x=%2F',
        '/v1/acme/posts/post-1?format=markdown&x=%2F',
      ],
      ['/v1/acme/posts//', '/v1/acme/posts'],
      ['/v2/posts/?limit=3', '/v2/posts?limit=3'],
      ['/status/', '/status'],
      ['/nothing/', '/nothing'],
    ])('of %s leads to %s', async (path, location) => {
      const response = await asking().ask(path)
      expect(response.status).toBe(308)
      expect(response.header('location')).toBe(location)
    })

    it.each(['//evil.example/', '//evil.example/%2f..//', '/\\evil.example/', '///evil.example//'])(
      'of %s does not lead to another site',
      async (path) => {
        const { status, header } = await asking().ask(path)
        if (status === 308) expect(header('location')).toMatch(/^\/(?![/\\])/)
        else expect(status).toBe(404)
      },
    )
  })

  describe('the service', () => {
    it('tells its state and its build', async () => {
      const { status, body } = await asking().ask('/status')
      expect(status).toBe(200)
      expect(body).toEqual({ status: 'ok', build: expect.stringMatching(/^\w{8,}$/) })
    })

    it('describes itself in OpenAPI 3.1', async () => {
      const { body } = await asking().ask('/openapi.json')
      expect(body.openapi).toMatch(/^3\.1\./)
      const ids = Object.values(body.paths as Asking['document']['paths']).map(
        ({ get }) => get.operationId,
      )
      expect(new Set(ids).size).toBe(ids.length)
    })

    it('begins with a way on', async () => {
      const { status, text } = await asking().ask('/')
      expect(status).toBe(200)
      expect(text).toContain('/openapi.json')
    })

    it('has an id for every answer', async () => {
      const { ask } = asking()
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await ask('/status')).header('x-request-id')),
      )
      expect(new Set(ids).size).toBe(3)
    })
  })
}
