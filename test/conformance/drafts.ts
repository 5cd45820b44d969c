// Drafts: given to a key with their scope, and to nobody else by any spelling.
import { describe, expect, it } from 'vitest'
import type { FixtureKey } from './fixture.ts'
import { type ApiResponse, type Asking, readResponse } from './host.ts'

const refusal = { error: 'Forbidden', message: 'Insufficient permissions for this resource.' }

/** Defines the cases. */
export function defineDrafts(asking: () => Asking): void {
  const sdk = async (target: string, key: FixtureKey): Promise<ApiResponse> => {
    const headers = { authorization: `Bearer ${asking().site.keys[key]}` }
    return readResponse(await asking().request(`/v1${target}`, { headers }))
  }

  describe('drafts', () => {
    it('are listed for a key with their scope, each with its status', async () => {
      const { v2, site } = asking()
      const own = site.drafts.map(({ slug }) => slug).reverse()
      for (const reply of [
        await v2('/posts?status=draft', 'drafts'),
        await sdk('/posts?status=draft', 'drafts'),
      ]) {
        expect(reply.status).toBe(200)
        expect(reply.header('cache-control')).toBe('private, no-store')
        expect(reply.header('vary')).toContain('Authorization')
        expect(reply.body.posts.map(({ slug }: { slug: string }) => slug)).toEqual(own)
        for (const { status } of reply.body.posts) expect(status).toBe('draft')
      }
      const all = await v2('/posts?status=all&limit=all&excludeContent=true', 'drafts')
      const published = await v2('/posts?limit=all&excludeContent=true', 'drafts')
      const { totalItems } = published.body.pagination
      expect(all.body.pagination.totalItems).toBe(totalItems + own.length)
      expect(published.text).not.toContain('"status"')
    })

    it('are found by text, by terms and by name within their status', async () => {
      const { v2 } = asking()
      const slugsOf = async (query: string) =>
        (await v2(`/posts?${query}`, 'drafts')).body.posts.map(({ slug }: { slug: string }) => slug)
      expect(await slugsOf('status=draft&query=needle-draft')).toHaveLength(2)
      expect(await slugsOf('status=all&tags=unused')).toEqual(['entwürf'])
      expect(await slugsOf('status=all&authors=idle&include=facets')).toEqual(['entwürf'])
      expect(await slugsOf('status=draft&query=number')).toEqual([])
      for (const name of ['draft-id', encodeURIComponent('entwürf'), 'a-draft']) {
        const { status, body } = await v2(`/posts/${name}?status=draft`, 'drafts')
        expect([status, body.post.status], name).toEqual([200, 'draft'])
      }
      const moved = await v2('/posts/old-draft?status=all', 'drafts')
      expect([moved.status, moved.header('location')]).toEqual([
        308,
        '/v2/posts/a-draft?status=all',
      ])
      expect(moved.header('cache-control')).toBe('private, no-store')
      expect((await v2('/posts/post-1?status=draft', 'drafts')).status).toBe(404)
      for (const status of ['draft', 'all'])
        expect((await v2(`/posts/scheduled-1?status=${status}`, 'drafts')).status).toBe(404)
    })

    it('are confirmed to those who may see them, and to nobody else', async () => {
      const { v2 } = asking()
      const path = '/posts/a-draft?status=draft'
      const etag = (await v2(path, 'drafts')).header('etag') ?? ''
      const headers = { 'if-none-match': etag }
      expect((await v2(path, 'drafts', { headers })).status).toBe(304)
      for (const condition of [etag, '*']) {
        const reply = await v2(path, 'full', { headers: { 'if-none-match': condition } })
        expect([reply.status, reply.header('etag')]).toEqual([403, null])
      }
    })

    it('are 403 without their scope, whoever requested them before', async () => {
      const { ask, v2, site } = asking()
      const names = [...site.hidden, 'old-draft', 'draft-id', 'nobody']
      const targets = ['/posts?', ...names.map((name) => `/posts/${encodeURIComponent(name)}?`)]
      for (const path of targets.map((target) => `${target}status=draft`)) {
        await v2(path, 'drafts')
        for (const key of ['full', 'postsOnly'] as const) {
          expect((await v2(path, key)).body, path).toEqual(refusal)
          expect((await sdk(path, key)).body, path).toEqual(refusal)
        }
        expect((await ask(`/v2${path}`)).status).toBe(401)
        expect((await v2(path, 'noPosts')).body).toEqual(refusal)
      }
      expect((await v2('/posts?status=all', 'other')).status).toBe(403)
      expect((await v2('/posts?status=none', 'full')).status).toBe(400)
    })

    it('need no scope for status=published, which changes nothing', async () => {
      const { v2 } = asking()
      expect((await v2('/posts?status=published')).text).toBe((await v2('/posts')).text)
      expect((await v2('/posts/a?status=published')).text).toBe((await v2('/posts/a')).text)
    })

    it('have no status in v1, which ignores it', async () => {
      const { v1 } = asking()
      for (const path of ['/posts', '/posts/a']) {
        const plain = await v1(path)
        for (const status of ['draft', 'all', 'published', 'nonsense'])
          expect((await v1(`${path}?status=${status}`)).text).toBe(plain.text)
      }
      expect((await v1('/posts?status=draft&strict=true')).status).toBe(400)
    })

    it('are nowhere without their status, by any spelling', async () => {
      const { v1, v2 } = asking()
      const names = ['a-draft', 'A-DRAFT', '%61-draft', 'entw%C3%BCrf', 'draft-id', 'old-draft']
      const queries = ['slugs=a-draft,entw%C3%BCrf', 'ids=draft-id', 'query=needle-draft']
      const lists = [...queries, 'tags=unused', 'authors=idle'].map((query) => `/posts?${query}`)
      const more = ['?include=neighbours,related', '?select=title', '?format=markdown']
      const singles = names.flatMap((name) =>
        ['', ...more].map((query) => `/posts/${name}${query}`),
      )
      for (const path of singles) {
        for (const key of ['full', 'drafts'] as const) {
          expect((await v2(path, key)).status, path).toBe(404)
          expect((await sdk(path, key)).status, path).toBe(404)
        }
        expect((await v1(path)).status, path).toBe(404)
      }
      for (const path of lists) {
        expect((await v1(path)).body.posts, path).toEqual([])
        expect((await v2(path, 'drafts')).body.posts, path).toEqual([])
      }
      for (const path of ['/tags/unused?include=posts', '/authors?include=posts', '/redirects']) {
        const { text } = await v1(path)
        expect(text).not.toMatch(/a-draft|needle-draft|entw|draft-id|old-draft/)
        expect((await v2(path)).text).toBe(text)
      }
    })
  })
}
