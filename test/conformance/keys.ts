// Keys: who is let in, what they see, and what they are told when they are not.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineKeys(asking: () => Asking): void {
  describe('a key', () => {
    it('that is missing, malformed, unknown, expired or revoked is 401, all the same', async () => {
      const { ask, site } = asking()
      const { keys } = site
      const texts = new Set<string>()
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        keys.full,
        `Basic ${keys.full}`,
        `Bearer${keys.full}`,
        `Bearer ${keys.full.slice(0, -1)}`,
        `Bearer ${keys.full}x`,
        `Bearer ${keys.full} ${keys.full}`,
        `Bearer ${keys.full}, Bearer ${keys.other}`,
        `Bearer ${keys.full.toLowerCase()}`,
        `Bearer ${keys.unknown}`,
        `Bearer ${keys.expired}`,
        `Bearer ${keys.revoked}`,
        `Bearer ${'q'.repeat(2000)}`,
      ]) {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
        const response = await ask('/v2/posts', { headers })
        expect(response.status, authorization).toBe(401)
        expect(response.header('www-authenticate')).toBe('Bearer')
        expect(response.body.error).toBe('Unauthorized')
        texts.add(response.text)
      }
      expect(texts.size).toBe(1)
    })

    it.each(['', '/posts/nobody', '/posts?limit=0', '/nothing', '/posts/a/b', '/posts/%'])(
      'is asked for before anything is said of v2%s',
      async (path) => {
        const { ask } = asking()
        const known = await ask('/v2/posts')
        const response = await ask(`/v2${path}`)
        expect(response.status).toBe(401)
        expect(response.text).toBe(known.text)
      },
    )

    it('is written with any case of its scheme', async () => {
      const { ask, site } = asking()
      for (const scheme of ['bearer', 'BEARER', 'Bearer']) {
        const headers = { authorization: `${scheme} ${site.keys.full}` }
        expect((await ask('/v2/posts', { headers })).status).toBe(200)
      }
    })

    it('is not read from the query, nor by v1', async () => {
      const { ask, site } = asking()
      expect((await ask(`/v2/posts?key=${site.keys.full}`)).status).toBe(401)
      const open = await ask('/v1/acme/posts')
      const headers = { authorization: 'Bearer nonsense' }
      expect((await ask('/v1/acme/posts', { headers })).text).toBe(open.text)
      const other = { authorization: `Bearer ${site.keys.other}` }
      expect((await ask('/v1/acme/posts', { headers: other })).text).toBe(open.text)
    })

    it('decides the workspace', async () => {
      const { ask, v2 } = asking()
      expect((await v2('/posts', 'other')).text).toBe((await ask('/v1/beta/posts')).text)
      expect((await v2('/posts', 'full')).text).toBe((await ask('/v1/acme/posts')).text)
    })
  })

  describe('a scope', () => {
    it.each([
      ['postsOnly', ['posts']],
      ['noPosts', ['categories', 'tags', 'authors']],
      ['full', ['posts', 'categories', 'tags', 'authors']],
    ] as const)('of the key %s opens %j', async (key, open) => {
      const { v2 } = asking()
      const existing = { posts: 'a', categories: 'news', tags: 'alpha', authors: 'ada' }
      for (const [kind, slug] of Object.entries(existing)) {
        for (const path of [
          `/${kind}`,
          `/${kind}/${slug}`,
          `/${kind}/nobody`,
          `/${kind}?limit=0`,
        ]) {
          const response = await v2(path, key)
          if ((open as readonly string[]).includes(kind)) {
            expect(response.status).not.toBe(403)
            continue
          }
          expect(response.status, path).toBe(403)
          expect(response.body).toEqual({ error: 'Forbidden', message: expect.any(String) })
        }
      }
    })

    it.each(['/tags', '/categories/news', '/authors/ada'])(
      'for posts is needed to include them in %s, whoever asked before',
      async (path) => {
        const { v2 } = asking()
        const including = `${path}?include=posts`
        expect((await v2(including, 'full')).status).toBe(200)
        expect((await v2(including, 'noPosts')).status).toBe(403)
        expect((await v2(path, 'noPosts')).status).toBe(200)
        expect((await v2(`${including}&page=0`, 'noPosts')).status).toBe(400)
        expect((await v2(including, 'full')).status).toBe(200)
      },
    )

    it('is not asked for where there is no route', async () => {
      expect((await asking().v2('/nothing', 'postsOnly')).status).toBe(404)
    })
  })
}
