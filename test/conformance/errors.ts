// Errors: their status, label and body in each version.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineErrors(asking: () => Asking): void {
  describe('404', () => {
    it.each(['posts', 'categories', 'tags', 'authors'])(
      'for an unknown one of %s',
      async (kind) => {
        const { v1, v2 } = asking()
        const first = await v1(`/${kind}/nobody`)
        expect(first.status).toBe(404)
        expect(first.body).toEqual({
          error: 'Not Found',
          details: null,
          message: expect.any(String),
        })
        const second = await v2(`/${kind}/nobody`)
        expect(second.status).toBe(404)
        expect(second.body).toEqual({ error: 'Not Found', message: first.body.message })
      },
    )

    it.each([
      '/v1',
      '/v1/acme',
      '/v1/acme/nothing',
      '/v1/acme/posts/a/b',
      '/v1/nowhere/posts',
      '/v1/ACME/posts',
      '/v1/acme/Posts',
      '/v1/acme/posts/Post-1',
      '/v1/acme/posts/..%2f..%2fmanifest',
      '/v1/acme/posts/%00',
      '/v1/acme/posts/_page',
      '/v1/acme/posts/post-1.json',
      '/v1/%2e%2e%2f/posts',
      '/v1/acme%2fposts',
      '/v1/constructor/posts',
      '/v1/acme/__proto__',
    ])('for %s', async (path) => {
      const { status, body } = await asking().ask(path)
      expect(status).toBe(404)
      expect(Object.keys(body)).toEqual(['error', 'details', 'message'])
    })

    it.each(['/nothing', '/v3/posts', '/V1/acme/posts', '/openapi', '/status/x', '/manifest.json'])(
      'for %s, outside both versions',
      async (path) => {
        const { status, body } = await asking().ask(path)
        expect(status).toBe(404)
        expect(Object.keys(body)).toEqual(['error', 'message'])
      },
    )

    it.each(['', '/nothing', '/posts/a/b', '/acme/posts'])('for v2%s with a key', async (path) => {
      expect((await asking().v2(path)).status).toBe(404)
    })
  })

  describe('400', () => {
    it.each([
      ['/posts?page=9', 4, 9],
      ['/posts?limit=20&page=3', 2, 3],
      ['/posts?page=9007199254740991', 4, 9007199254740991],
      ['/posts?categories=nothing&page=2', 0, 2],
      ['/categories?page=2', 1, 2],
      ['/tags?limit=3&page=3', 2, 3],
      ['/tags/unused?include=posts&page=2', 0, 2],
      ['/authors/bob?include=posts&page=3', 1, 3],
    ])('for a page beyond the last: %s', async (path, totalPages, requestedPage) => {
      const { v1, v2 } = asking()
      const { status, body } = await v1(path)
      expect(status).toBe(400)
      expect(body).toEqual({
        error: 'Bad Request',
        details: { message: expect.any(String), totalPages, requestedPage },
        message: expect.any(String),
      })
      const second = await v2(path)
      expect(Object.keys(second.body)).toEqual(['error', 'message', 'details'])
      expect(second.body.details).toEqual(body.details)
    })

    it.each(['/v1/acme/posts/%', '/v1/acme/posts/%e9', '/v1/%c0%af/posts', '/v1/acme/posts/%zz'])(
      'for %s, which is not percent-encoded UTF-8',
      async (path) => {
        const { status, body } = await asking().ask(path)
        expect(status).toBe(400)
        expect(body).toMatchObject({ error: 'Bad Request', details: null })
      },
    )
  })

  describe('405', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('for %s, with Allow', async (method) => {
      const { ask, v2 } = asking()
      for (const response of [
        await ask('/v1/acme/posts', { method }),
        await ask('/v1/acme/posts/nobody', { method }),
        await ask('/status', { method }),
        await v2('/posts', 'full', { method }),
      ]) {
        expect(response.status).toBe(405)
        expect(response.body.error).toBe('Method Not Allowed')
        expect(response.header('allow')).toBe('GET, HEAD, OPTIONS')
      }
    })

    it('comes after what the path and the key have to say', async () => {
      const { ask, v2 } = asking()
      expect((await ask('/nothing', { method: 'POST' })).status).toBe(404)
      expect((await ask('/v2/posts', { method: 'POST' })).status).toBe(401)
      expect((await v2('/authors', 'postsOnly', { method: 'POST' })).status).toBe(403)
    })
  })

  describe('414', () => {
    it('for a target beyond 8 KiB, in the form of its version', async () => {
      const { ask } = asking()
      const first = await ask(`/v1/acme/posts?query=${'x'.repeat(8200)}`)
      expect(first.status).toBe(414)
      expect(first.body).toEqual({
        error: 'URI Too Long',
        details: null,
        message: expect.any(String),
      })
      const second = await ask(`/v2/posts?query=${'x'.repeat(8200)}`)
      expect(second.status).toBe(414)
      expect(Object.keys(second.body)).toEqual(['error', 'message'])
    })

    it('not for one of exactly 8 KiB', async () => {
      const path = '/v1/acme/posts?x='
      const { status } = await asking().ask(path + 'y'.repeat(8 * 1024 - path.length))
      expect(status).toBe(200)
    })
  })
}
