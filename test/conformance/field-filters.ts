// Filters by custom fields of `beta`. Their names follow from the content, and each of them must reach the function.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

const both = ['only-beta', 'index']

/** Defines the cases. */
export function defineFieldFilters(asking: () => Asking): void {
  describe('filters by custom fields', () => {
    it.each([
      ['fields.rating=4', ['index']],
      ['fields.rating=4.0', ['index']],
      ['fields.rating[gte]=0', ['index']],
      ['fields.rating%5Bgte%5D=0', ['index']],
      ['fields%2Erating[lte]=0', ['only-beta']],
      ['%66ields.rating[lte]=0', ['only-beta']],
      ['fields.rating[gte]=-1&fields.rating[lte]=4', both],
      ['fields.rating[in]=1,2', []],
      ['fields.rating[in]=1&fields.rating[in]=-0.5', ['only-beta']],
      ['fields.seen[gte]=2026-01-01', ['only-beta']],
      ['fields.seen[lte]=2025-12-31T00:00:00%2B00:00', ['index']],
      ['fields.isNew=true', ['index']],
      ['fields.isNew[ne]=true', ['only-beta']],
      ['fields.level=expert%20%26%20more', ['index']],
      ['fields.level=expert+%26+more', ['index']],
      ['fields.level=%C3%BCber', ['only-beta']],
      ['fields.level[ne]=%C3%BCber', ['index']],
      ['fields.parts=two', ['only-beta']],
      ['fields.parts[in]=none,one', both],
      ['utm_source=x&fields.parts[ne]=two', ['index']],
      ['limit=10&page=1&fields.parts=none', []],
      ['fields.level=', both],
    ])('%s keeps %j', async (query, expected) => {
      const { ask, v2 } = asking()
      const slugsOf = ({ body }: { body: { posts: readonly { slug: string }[] } }) =>
        body.posts.map(({ slug }) => slug)
      const open = await ask(`/v1/beta/posts?${query}`)
      expect(open.body.pagination.totalItems).toBe(expected.length)
      expect(slugsOf(open).toSorted()).toEqual(expected.toSorted())
      expect((await v2(`/posts?${query}`, 'other')).text).toBe(open.text)
      const lean = await ask(`/v1/beta/posts?excludeContent=true&${query}`)
      expect(slugsOf(lean)).toEqual(slugsOf(open))
    })

    it.each(['fields.nothing=1', 'fields.level[gte]=1', 'fields.rating%5Blike%5D=4', 'fields.=1'])(
      'refuses %s: a filter by a field that is not indexed, or with no such operator',
      async (query) => {
        const { ask, v2 } = asking()
        const [field = ''] = query.split('=')
        for (const reply of [
          await ask(`/v1/beta/posts?${query}`),
          await v2(`/posts?${query}`, 'other'),
        ])
          expect([reply.status, reply.body.details[0].field]).toEqual([
            400,
            decodeURIComponent(field),
          ])
      },
    )

    it('refuses a value that is none of the field', async () => {
      const reply = await asking().ask('/v1/beta/posts?fields.rating=four')
      expect([reply.status, reply.body.details[0].field]).toEqual([400, 'fields.rating'])
    })

    it('are filters of lists of posts alone', async () => {
      const { ask } = asking()
      for (const path of ['/v1/beta/posts/index', '/v1/beta/categories']) {
        const plain = await ask(path)
        expect((await ask(`${path}?fields.rating=5`)).text).toBe(plain.text)
        expect((await ask(`${path}?fields.rating=5&strict=true`)).status).toBe(400)
      }
    })
  })
}
