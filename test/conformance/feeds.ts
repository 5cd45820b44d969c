// Feeds and the other documents for readers, as every host gives them: workspace `acme` has scheduled posts, `beta` none.
import { describe, expect, it } from 'vitest'
import { documentTable, feedKinds } from '../../src/api/documents.ts'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineFeeds(asking: () => Asking): void {
  describe.each(feedKinds)('%s', (kind) => {
    it('has its type, headers of v1, and an ETag that is known', async () => {
      const { ask } = asking()
      for (const workspace of ['acme', 'beta']) {
        const path = `/v1/${workspace}/${kind}`
        const reply = await ask(path, { headers: { 'accept-encoding': 'identity' } })
        expect([reply.status, reply.header('content-type')], path).toEqual([
          200,
          documentTable[kind].contentType,
        ])
        expect(reply.header('access-control-allow-origin')).toBe('*')
        expect(reply.header('cache-control')).toMatch(/^public, max-age=/)
        const known = { 'if-none-match': reply.header('etag') ?? '' }
        expect((await ask(path, { headers: known })).status).toBe(304)
        const head = await ask(path, { method: 'HEAD' })
        expect([head.status, head.text, head.header('content-type')]).toEqual([
          200,
          '',
          documentTable[kind].contentType,
        ])
      }
    })

    it('names visible posts alone', async () => {
      const { ask } = asking()
      const { text } = await ask(`/v1/acme/${kind}`)
      expect(text).toContain('https://example.com/acme/index')
      for (const hidden of ['scheduled', 'draft', '2999']) expect(text).not.toContain(hidden)
    })

    it('is of v1, and of no closed workspace', async () => {
      const { ask, v2 } = asking()
      expect((await ask(`/v1/secret/${kind}`)).status).toBe(404)
      expect((await v2(`/${kind}`)).status).toBe(404)
      expect((await ask(`/v1/beta/${kind}/x`)).status).toBe(404)
      expect((await ask(`/v1/beta/${kind}?strict=true&limit=1`)).status).toBe(400)
      expect((await ask(`/v1/beta/${kind}?limit=1&tags=x`)).status).toBe(200)
    })
  })

  it('a page of the sitemap beyond the last is a 400', async () => {
    const { ask } = asking()
    expect((await ask('/v1/beta/sitemap.xml?page=1')).status).toBe(200)
    expect((await ask('/v1/beta/sitemap.xml?page=2')).status).toBe(400)
    expect((await ask('/v1/beta/sitemap-2.xml')).status).toBe(404)
  })
}
