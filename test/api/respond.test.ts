import { describe, expect, it } from 'vitest'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { ask, type Reply } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse } from '../support/oracle.ts'
import {
  sampleAuthor,
  samplePost,
  sampleTerm,
  snapshotOf,
  workspaceOf,
} from '../support/sample-workspace.ts'

/** Workspaces at random; QUARRY_ORACLE_RUNS=200000 looks at some 500,000 requests. */
const runs = Number(process.env['QUARRY_ORACLE_RUNS'] ?? 2000)
const now = Date.UTC(2026, 5, 1)
const [news, guides] = [sampleTerm('news', { name: 'News' }), sampleTerm('guides')]
const [css, html] = [sampleTerm('css'), sampleTerm('html')]
const ada = sampleAuthor('ada', { name: 'Ada' })
const blog = await snapshotOf({
  ...workspaceOf([
    samplePost('first', { ...on(1), category: news, tags: [css], authors: [ada] }, 'Grüße'),
    samplePost('second', { ...on(2), category: news, tags: [css, html], featured: true }),
    samplePost('third', { ...on(3), category: guides, tags: [html] }, 'Once, *more*'),
    samplePost('twin-a', { ...on(4), category: guides }),
    samplePost('twin-b', { ...on(4), category: guides, authors: [ada] }),
  ]),
  tags: [html, css, sampleTerm('unused')],
})
const many = await snapshotOf(
  workspaceOf(
    Array.from({ length: 12 }, (_, number) =>
      samplePost(`p${number}`, { ...on(number), tags: [css] }),
    ),
  ),
)
const empty = await snapshotOf({ posts: [], categories: [], tags: [css], authors: [] })

describe('respond', () => {
  it('answers every request as the plain reading of the interface does', async () => {
    const asked = workspaces.chain((workspace) =>
      fc.record({
        workspace: fc.constant(workspace),
        isPaused: fc.boolean(),
        now: moments,
        written: fc.array(fc.tuple(requests(workspace), fc.nat({ max: 2 })), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(asked, async ({ workspace, isPaused, now, written }) => {
        const snapshot = await snapshotOf(workspace, isPaused)
        for (const [request, style] of written) {
          const target = targetOf(request, style)
          const { status, text } = await ask(target, snapshot, now, workspace.indexed)
          const found = { status, text: status === 200 ? text : withoutMessages(text) }
          expect({ target, ...found }).toEqual({
            target,
            ...expectedResponse(request, workspace, now),
          })
        }
      }),
      { numRuns: runs },
    )
  })
})

describe('a list of posts', () => {
  it.each([
    ['', ['twin-b', 'twin-a', 'third', 'second', 'first']],
    ['order=asc', ['first', 'second', 'third', 'twin-a', 'twin-b']],
    ['limit=2', ['twin-b', 'twin-a']],
    ['limit=2&page=3', ['first']],
    ['limit=2&page=3&order=asc', ['twin-b']],
    ['limit=all&order=asc', ['first', 'second', 'third', 'twin-a', 'twin-b']],
    ['categories=news,guides&excludeTags=html', ['twin-b', 'twin-a', 'first']],
    ['tags=css&tags=html', ['third', 'second', 'first']],
    ['categories=news-id', []],
    ['query=GRUSSE', []],
    ['query=GRU%E1%BA%9EE', ['first']],
    ['query=grusse', []],
    ['query=%20SECOND%20', ['second']],
    ['query=*more*', ['third']],
    ['query=once,+++*', ['third']],
    ['query=oncemore', []],
    ['featured=true', ['second']],
    ['featured=false&tags=css', ['first']],
  ])('with %j has %j', async (query, slugs) => {
    const { posts } = body(await ask(`/v1/acme/posts?${query}`, blog, now))
    expect(posts.map(({ slug }: { slug: string }) => slug)).toEqual(slugs)
  })

  it('has in ascending order the exact reverse, over all pages', async () => {
    const slugs = async (order: string) => {
      const pages = [1, 2, 3].map((page) =>
        ask(`/v2/posts?limit=5&page=${page}&order=${order}`, many, now),
      )
      const posts = (await Promise.all(pages)).flatMap((page) => body(page).posts)
      return posts.map(({ slug }) => slug)
    }
    expect(await slugs('asc')).toEqual((await slugs('desc')).reverse())
  })

  it('has content in the format asked for, or none', async () => {
    const [post] = body(await ask('/v2/posts?query=once', blog, now)).posts
    expect(post.content).toBe('<p>Once, *more*</p>')
    const [source] = body(await ask('/v2/posts?query=once&format=markdown', blog, now)).posts
    expect(source.content).toBe('Once, *more*')
    const [bare] = body(await ask('/v2/posts?query=once&excludeContent=true', blog, now)).posts
    expect(Object.keys(bare)).toEqual(Object.keys(post).filter((key) => key !== 'content'))
  })

  it.each([
    [
      '',
      '{"limit":10,"currentPage":1,"nextPage":null,"previousPage":null,"totalPages":0,"totalItems":0}',
    ],
    [
      '?limit=all',
      '{"limit":0,"currentPage":1,"nextPage":null,"previousPage":null,"totalPages":0,"totalItems":0}',
    ],
  ])('of nothing is an empty page 1: %j', async (query, pagination) => {
    const { status, text } = await ask(`/v1/acme/posts${query}`, empty, now)
    expect([status, text]).toEqual([200, `{"posts":[],"pagination":${pagination}}`])
  })

  it('has no page beyond its last, not even of nothing', async () => {
    for (const [target, totalPages] of [
      ['/v2/posts?page=3&limit=6', 2],
      ['/v2/posts?page=3&tags=x', 0],
    ] as const) {
      const { status, text } = await ask(target, many, now)
      expect(status).toBe(400)
      expect(JSON.parse(text).details).toEqual({
        message: expect.stringMatching(/\S/),
        totalPages,
        requestedPage: 3,
      })
    }
  })
})

describe('a single resource', () => {
  it.each([
    ['/v1/acme/posts/first', 'first'],
    ['/v2/posts/first-id', 'first'],
  ])('is found by slug and by id: %s', async (target, slug) => {
    expect(body(await ask(target, blog, now)).post.slug).toBe(slug)
  })

  it.each([
    ...['/v2/posts/First', '/v2/posts/nobody', '/v1/acme/posts/css', '/v2/tags/news'],
    ...['/v2/categories/first', '/v2/authors/Ada', '/v1/acme/authors/..%2fada', '/v2/tags/%00'],
  ])('is not found at %s', async (target) => {
    const { status, text } = await ask(target, blog, now)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toMatchObject({ error: 'Not Found' })
  })

  it('has a count of its published posts, an author none', async () => {
    expect((await ask('/v2/tags/css', blog, now)).text).toBe(
      '{"id":"css-id","name":"css","slug":"css","description":null,"count":{"posts":2}}',
    )
    expect(body(await ask('/v1/acme/tags/unused-id', blog, now)).count).toEqual({ posts: 0 })
    expect((await ask('/v2/authors/ada', blog, now)).text).toBe(
      '{"id":"ada-id","name":"Ada","image":null,"slug":"ada","bio":null,"role":null,"socials":[]}',
    )
  })

  it.each(['/v2/tags/css', '/v1/acme/categories/news', '/v2/authors/ada'])(
    'has its posts where asked for, limit and page theirs: %s',
    async (target) => {
      const { posts } = body(await ask(`${target}?include=posts&limit=1&page=2`, blog, now))
      expect(posts.pagination).toMatchObject({ limit: 1, currentPage: 2, totalItems: 2 })
      expect(posts.data).toEqual([
        {
          id: 'first-id',
          title: 'first',
          slug: 'first',
          description: '',
          coverImage: null,
          publishedAt: '2026-01-01T00:00:00.000Z',
        },
      ])
      expect((await ask(`${target}?include=posts&limit=1&page=3`, blog, now)).status).toBe(400)
    },
  )
})

describe('a list of terms', () => {
  it.each([
    ['/v1/acme/categories', 'categories', ['guides', 'news']],
    ['/v2/tags', 'tags', ['css', 'html', 'unused']],
    ['/v2/authors', 'authors', ['ada']],
    ['/v2/tags?limit=2&page=2', 'tags', ['unused']],
  ])('is in the order of names: %s', async (target, kind, slugs) => {
    const found = body(await ask(target, blog, now))[kind]
    expect(found.map(({ slug }: { slug: string }) => slug)).toEqual(slugs)
  })

  it('carries the first ten posts of each, whatever its own limit and page', async () => {
    const [unused] = body(await ask('/v2/tags?include=posts&limit=2&page=2', blog, now)).tags
    expect(unused.posts.pagination).toMatchObject({ limit: 10, currentPage: 1, totalItems: 0 })
    const [tag] = body(await ask('/v2/tags?include=posts&limit=1', many, now)).tags
    expect(tag.posts.data).toHaveLength(10)
    expect(tag.posts.pagination).toMatchObject({ limit: 10, nextPage: 2, totalItems: 12 })
  })
})

describe('the two versions', () => {
  it.each(['posts?limit=2', 'posts/first', 'tags?include=posts', 'authors', 'categories/news'])(
    'answer alike: %s',
    async (path) => {
      expect(await ask(`/v1/acme/${path}`, blog, now)).toEqual(await ask(`/v2/${path}`, blog, now))
    },
  )
})

function on(day: number): { publishedAt: string } {
  return { publishedAt: new Date(Date.UTC(2026, 0, day)).toISOString() }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
function body({ status, text }: Reply): any {
  expect(status).toBe(200)
  return JSON.parse(text)
}

/** An error's body with `…` for every message and its details in the order of their fields. */
function withoutMessages(text: string): string {
  const body = JSON.parse(text)
  expect(JSON.stringify(body)).toBe(text)
  if (Array.isArray(body.details)) {
    body.details.sort((a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1))
  }
  return JSON.stringify(body, (key, value) => (key === 'message' ? '…' : value))
}
