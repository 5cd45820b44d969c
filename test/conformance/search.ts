// Search: a substring of the title or of the visible text, whatever the case, the accents and the white space.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineSearch(asking: () => Asking): void {
  describe('query', () => {
    it.each([
      ['straße', ['über-straße']],
      ['STRAẞE', ['über-straße']],
      ['uber die', ['über-straße']],
      ['U\u0308BER', ['über-straße']],
      ['ete', ['über-straße']],
      ['été ist zwei leerzeichen lang', ['über-straße']],
      ['  zwei\t leerzeichen ', ['über-straße']],
      ['本', ['日本語']],
      ['検索', ['日本語']],
      ['ガス', ['日本語']],
      ['हिन', ['हिन्दी']],
      ['viii', ['हिन्दी']],
      ['fin', ['हिन्दी']],
      ['a < b && c', ['markup']],
      ['&', ['markup']],
      ['<b>bold</b> & "quotes"', ['markup']],
      ['\u{1f469}\u200d\u{1f4bb}', ['markup']],
      ['heading one two', ['markup']],
      ['linkname', ['index']],
      ['hello bold world', ['index']],
      // Link targets, markup, what was left out and front matter are no content.
      ['linktarget', []],
      ['**bold**', []],
      ['<strong>', []],
      ['alert', []],
      ['descriptiononly', []],
      ['## ', []],
      ['needle-draft', []],
      ['needle-scheduled', []],
      ['nowhere at all', []],
      ['\0', []],
    ])('%j finds %j', async (query, slugs) => {
      expect(await find(asking(), query)).toEqual(slugs)
    })

    it.each(['post 1', 'POST', '1', 'o', 'number 2', 'body of number 30.', '.'])(
      'finds every post with %j in it and no other',
      async (query) => {
        const { site } = asking()
        const expected = site.posts
          .filter(({ title, body }) => {
            const text = `${title}\0${body}`.toLowerCase().normalize('NFKC')
            return text.includes(query.toLowerCase())
          })
          .map(({ slug }) => slug)
        const found = await find(asking(), query)
        const plain = (slug: string) => slug.startsWith('post-')
        expect(found.filter(plain)).toEqual(expected.filter(plain).toSorted())
      },
    )

    it('keeps the order and the pages of the list', async () => {
      const { v1 } = asking()
      const { body } = await v1('/posts?limit=all&query=number%201')
      const all = (await v1('/posts?limit=all')).body.posts
      const slugs = new Set(body.posts.map((post: { slug: string }) => post.slug))
      expect(body.posts).toEqual(all.filter((post: { slug: string }) => slugs.has(post.slug)))
      const second = await v1('/posts?limit=4&page=2&query=number%201')
      expect(second.body.posts).toEqual(body.posts.slice(4, 8))
      expect(second.body.pagination.totalItems).toBe(body.posts.length)
    })

    it('is one filter among the others', async () => {
      const { v1, site } = asking()
      const { body } = await v1(
        '/posts?limit=all&query=number&categories=news&tags=alpha&order=asc',
      )
      const expected = site.posts.filter(
        ({ slug, category, tags }) =>
          slug.startsWith('post-') && category === 'news' && tags.includes('alpha'),
      )
      expect(body.posts.map((post: { slug: string }) => post.slug).toSorted()).toEqual(
        expected.map(({ slug }) => slug).toSorted(),
      )
    })

    it('takes + as a blank', async () => {
      const { v1 } = asking()
      const { body } = await v1('/posts?query=hello+bold')
      expect(body.posts.map((post: { slug: string }) => post.slug)).toEqual(['index'])
    })
  })
}

async function find({ v1, v2 }: Asking, query: string): Promise<readonly string[]> {
  const target = `/posts?limit=all&excludeContent=true&query=${encodeURIComponent(query)}`
  const { body, text } = await v1(target)
  expect((await v2(target)).text).toBe(text)
  return body.posts.map((post: { slug: string }) => post.slug).toSorted()
}
