// Lists: their order, their pages and their filters.
import { describe, expect, it } from 'vitest'
import { categories, tags } from './fixture.ts'
import type { Asking } from './host.ts'

interface Item {
  readonly id: string
  readonly slug: string
  readonly publishedAt: string
}

/** Defines the cases. */
export function defineLists(asking: () => Asking): void {
  describe('the post list', () => {
    it('holds every published post once, latest first, equal dates by id, descending', async () => {
      const { v1, site } = asking()
      const { body } = await v1('/posts?limit=all')
      const items: readonly Item[] = body.posts
      expect(items.map(({ slug }) => slug).toSorted()).toEqual(
        site.posts.map(({ slug }) => slug).toSorted(),
      )
      expect(items).toEqual(items.toSorted(byDateAndId))
      expect(new Set(items.map(({ publishedAt }) => publishedAt)).size).toBeLessThan(items.length)
    })

    it('gives the exact reverse for order=asc, page by page', async () => {
      const { v1 } = asking()
      const { body } = await v1('/posts?limit=all')
      const ascending = await pages(asking(), '/posts?order=asc&limit=7')
      expect(ascending).toEqual(body.posts.toReversed())
    })

    it.each([1, 7, 10, 37, 100])(
      'is parted into pages of %i without gap or overlap',
      async (limit) => {
        const { v1 } = asking()
        const { body } = await v1('/posts?limit=all')
        expect(await pages(asking(), `/posts?limit=${limit}`)).toEqual(body.posts)
      },
    )

    it('has pages of 10 and begins with the first', async () => {
      const { v1, site } = asking()
      const { body } = await v1('/posts')
      const totalItems = site.posts.length
      expect(body.posts).toHaveLength(10)
      expect(body.pagination).toEqual({
        limit: 10,
        currentPage: 1,
        nextPage: 2,
        previousPage: null,
        totalPages: Math.ceil(totalItems / 10),
        totalItems,
      })
    })

    it('describes one page of everything for limit=all, whatever the page', async () => {
      const { v1, site } = asking()
      const totalItems = site.posts.length
      const pagination = {
        limit: totalItems,
        currentPage: 1,
        nextPage: null,
        previousPage: null,
        totalPages: 1,
        totalItems,
      }
      expect((await v1('/posts?limit=all')).body.pagination).toEqual(pagination)
      expect((await v1('/posts?limit=all&page=3')).body.pagination).toEqual(pagination)
    })

    it('is an empty page where nothing matches', async () => {
      const { v1 } = asking()
      const pagination = { currentPage: 1, nextPage: null, previousPage: null, totalPages: 0 }
      const paged = await v1('/posts?categories=idle')
      expect(paged.body).toEqual({
        posts: [],
        pagination: { limit: 10, ...pagination, totalItems: 0 },
      })
      const whole = await v1('/posts?categories=idle&limit=all')
      expect(whole.body).toEqual({
        posts: [],
        pagination: { limit: 0, ...pagination, totalItems: 0 },
      })
    })

    it.each([
      '/posts?page=1',
      '/posts?limit=10&order=desc',
      '/posts?page=&limit=',
      '/posts?format=html&excludeContent=false',
      '/posts?unknown=1&Limit=3',
      '/posts?limit=010&page=01',
      '/posts?categories=,%20,&query=%20',
      '/posts?',
    ])('answers %s as it answers no parameters', async (path) => {
      const { v1 } = asking()
      const plain = await v1('/posts')
      const same = await v1(path)
      expect(same.text).toBe(plain.text)
      expect(same.header('etag')).toBe(plain.header('etag'))
    })

    it('leaves content alone out with excludeContent=true', async () => {
      const { v1 } = asking()
      const { body } = await v1('/posts?limit=all')
      const short = await v1('/posts?limit=all&excludeContent=true')
      const without = body.posts.map(({ content, ...rest }: { content: string }) => rest)
      expect(short.body.posts).toEqual(without)
    })

    it('gives Markdown byte for byte with format=markdown', async () => {
      const { v1, site } = asking()
      const { body } = await v1('/posts?limit=all&format=markdown')
      const given = body.posts.map(({ slug, content }: { slug: string; content: string }) => [
        slug,
        content,
      ])
      expect(Object.fromEntries(given)).toEqual(
        Object.fromEntries(site.posts.map(({ slug, body: text }) => [slug, text])),
      )
    })
  })

  describe('filters', () => {
    const has = (values: readonly string[], wanted: string) => values.includes(wanted)
    it.each<
      [string, (post: { category: string; tags: readonly string[]; featured: boolean }) => boolean]
    >([
      ['categories=news', ({ category }) => category === 'news'],
      ['categories=news,fish', ({ category }) => category !== 'tools'],
      ['categories=news&categories=fish', ({ category }) => category !== 'tools'],
      ['categories=,news%20,%20', ({ category }) => category === 'news'],
      ['categories=nothing', () => false],
      ['categories=nothing,news', ({ category }) => category === 'news'],
      ['categories=News', () => false],
      ['excludeCategories=news', ({ category }) => category !== 'news'],
      ['excludeCategories=news,tools', ({ category }) => category === 'fish'],
      ['excludeCategories=nothing', () => true],
      ['categories=news&excludeCategories=news', () => false],
      ['tags=alpha', ({ tags }) => has(tags, 'alpha')],
      ['tags=alpha,beta', ({ tags }) => has(tags, 'alpha') || has(tags, 'beta')],
      ['tags=unused', () => false],
      ['tags=index', ({ tags }) => has(tags, 'index')],
      ['tags=a.json', ({ tags }) => has(tags, 'a.json')],
      ['tags=%E6%97%A5%E6%9C%AC', ({ tags }) => has(tags, '日本')],
      ['excludeTags=alpha', ({ tags }) => !has(tags, 'alpha')],
      ['excludeTags=alpha,beta', ({ tags }) => !has(tags, 'alpha') && !has(tags, 'beta')],
      ['tags=alpha&excludeTags=beta', ({ tags }) => has(tags, 'alpha') && !has(tags, 'beta')],
      [
        'categories=fish&tags=alpha',
        ({ category, tags }) => category === 'fish' && has(tags, 'alpha'),
      ],
      ['featured=true', ({ featured }) => featured],
      ['featured=false', ({ featured }) => !featured],
      ['featured=true&categories=news', (post) => post.featured && post.category === 'news'],
    ])('%s keeps what it says, in order', async (query, isKept) => {
      const { v1, site } = asking()
      const all: readonly Item[] = (await v1('/posts?limit=all')).body.posts
      const kept = site.posts
        .filter((post) => isKept({ ...post, featured: post.featured === true }))
        .map(({ slug }) => slug)
      const { body } = await v1(`/posts?limit=all&${query}`)
      expect(body.posts).toEqual(all.filter(({ slug }) => kept.includes(slug)))
      expect(body.pagination.totalItems).toBe(kept.length)
      expect(await pages(asking(), `/posts?limit=3&${query}`)).toEqual(body.posts)
    })
  })

  describe.each([
    ['categories', categories],
    ['tags', tags],
  ] as const)('the list of %s', (kind, terms) => {
    it('is in the order of lower-cased names, with counts of published posts', async () => {
      const { v1, site } = asking()
      const { body } = await v1(`/${kind}`)
      const expected = Object.entries(terms)
        .toSorted(([, [a]], [, [b]]) => compare(a.toLowerCase(), b.toLowerCase()))
        .map(([slug, [name, description]]) => ({
          name,
          slug,
          description:
            description === null ? null : expect.stringContaining(description.slice(0, 4)),
          count: { posts: site.posts.filter((post) => namesOf(post, kind).includes(slug)).length },
        }))
      expect(body[kind]).toMatchObject(expected)
      expect(body[kind]).toHaveLength(expected.length)
    })

    it('gives each its first ten posts with include=posts', async () => {
      const { v1 } = asking()
      const { body } = await v1(`/${kind}?include=posts&limit=2&page=2`)
      expect(body.pagination).toMatchObject({ limit: 2, currentPage: 2, previousPage: 1 })
      for (const term of body[kind]) {
        const { body: single } = await v1(`/${kind}/${encodeURIComponent(term.slug)}?include=posts`)
        expect(term).toEqual(single)
      }
    })
  })

  describe('the list of authors', () => {
    it('is in name order, without a count', async () => {
      const { v1 } = asking()
      const { body } = await v1('/authors')
      expect(body.authors.map(({ slug }: Item) => slug)).toEqual(['ada', 'bob', 'idle'])
      expect(Object.keys(body.authors[0])).toEqual([
        'id',
        'name',
        'image',
        'slug',
        'bio',
        'role',
        'socials',
      ])
    })

    it('gives each its posts with include=posts', async () => {
      const { v1, site } = asking()
      const { body } = await v1('/authors?include=posts')
      const counts = body.authors.map(
        (author: { slug: string; posts: { pagination: object } }) => author.posts.pagination,
      )
      const totals = ['ada', 'bob', 'idle'].map(
        (slug) => site.posts.filter(({ authors }) => authors.includes(slug)).length,
      )
      expect(counts).toMatchObject(
        totals.map((totalItems) => ({ limit: 10, currentPage: 1, totalItems })),
      )
    })
  })

  describe('lists of terms', () => {
    it.each(['categories', 'tags', 'authors'])('of %s are parted into pages', async (kind) => {
      const { v1 } = asking()
      const whole = await v1(`/${kind}?limit=100`)
      const { totalItems } = whole.body.pagination
      expect(whole.body[kind]).toHaveLength(totalItems)
      const found: object[] = []
      for (let page: number | null = 1; page !== null; ) {
        const { body } = await v1(`/${kind}?limit=2&page=${page}`)
        found.push(...body[kind])
        page = body.pagination.nextPage
      }
      expect(found).toEqual(whole.body[kind])
    })

    it.each(['tags', 'authors'])('of %s are empty where the workspace has none', async (kind) => {
      const { body } = await asking().ask(`/v1/beta/${kind}?include=posts`)
      expect(body).toEqual({
        [kind]: [],
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
  })
}

/** Every item of every page, by following `nextPage`; the pages before agree. */
async function pages({ v1 }: Asking, path: string): Promise<readonly Item[]> {
  const found: Item[] = []
  let previous: number | null = null
  for (let page: number | null = 1; page !== null; ) {
    const { body } = await v1(`${path}&page=${page}`)
    expect(body.pagination).toMatchObject({ currentPage: page, previousPage: previous })
    found.push(...body.posts)
    previous = page
    page = body.pagination.nextPage
  }
  return found
}

function byDateAndId(a: Item, b: Item): number {
  return compare(b.publishedAt, a.publishedAt) || compare(b.id, a.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function namesOf(
  post: { readonly category: string; readonly tags: readonly string[] },
  kind: 'categories' | 'tags',
): readonly string[] {
  return kind === 'categories' ? [post.category] : post.tags
}
