import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ResponderOptions } from '../../src/runtime/responder.ts'
import fc from '../support/fast-check.ts'
import {
  askHandler,
  type ReadReply,
  type ServedFolder,
  serveFolder,
} from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const start = Date.UTC(2026, 5, 1, 12)
const minute = 60_000
/** `soon` appears with `at.soon`, its twin at the same moment, `later` an hour after. */
const at = { soon: start + 10 * minute, later: start + 70 * minute }
const kept = 1024 * 1024
const plain = { maxAge: 60, shared: 300, stale: 86_400 }

/** One site whose clock is ours, asked with files and without, with a cache and without. */
interface Clocked {
  now: number
  get(target: string): Promise<ReadReply>
}

let served: ServedFolder
let clocked: Clocked

const site = new TemporarySite()

beforeAll(async () => {
  site
    .write('content/acme/categories/news.md', '---\nname: News\n---\n')
    .write('content/acme/tags.yml', '[{slug: hot, name: Hot}, {slug: cold, name: Cold}]')
    .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
  const moments = { old: Date.UTC(2026, 0, 1), soon: at.soon, twin: at.soon, later: at.later }
  for (const [name, moment] of Object.entries(moments)) {
    const publishedAt = new Date(moment).toISOString()
    site.post(name, { tags: '[hot]', authors: '[ada]', publishedAt }, 'A needle.\n')
  }
  await site.build({ now: start })
  served = await serveFolder(site.out)
})

afterAll(() => {
  served.close()
  rmSync(site.folder, { recursive: true })
})

describe.each([
  ['made from the index', { replyCacheBytes: 0 }],
  ['kept in memory', { replyCacheBytes: kept }],
  ['written down', { replyCacheBytes: 0, hasFiles: true }],
  ['written down and kept in memory', { replyCacheBytes: kept, hasFiles: true }],
])(
  'answers that are %s',
  (_, { hasFiles = false, ...options }: ResponderOptions & { hasFiles?: boolean }) => {
    beforeEach(() => {
      clocked = openClocked(options, hasFiles)
    })

    it.each([
      ['/v1/acme/posts', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/posts?limit=all', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/posts?format=markdown', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/posts?order=asc', (reply: ReadReply) => slugsOf(reply).toReversed()],
      ['/v1/acme/posts?categories=news', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/posts?tags=hot', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/posts?excludeTags=cold', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/posts?query=needle', (reply: ReadReply) => slugsOf(reply)],
      ['/v1/acme/categories/news?include=posts', (reply: ReadReply) => itemsOf(reply)],
      ['/v1/acme/tags/hot?include=posts', (reply: ReadReply) => itemsOf(reply)],
      ['/v1/acme/authors/ada?include=posts', (reply: ReadReply) => itemsOf(reply)],
      ['/v2/posts', (reply: ReadReply) => slugsOf(reply)],
    ])('to %s show a post from its moment on', async (target, read) => {
      const seen = async (now: number) => {
        clocked.now = now
        return read(await clocked.get(target))
      }
      // More than once, so that what is kept has to go.
      for (const now of [start, start + minute, at.soon - 1])
        expect(await seen(now)).toEqual(['old'])
      const [first, second, ...rest] = await seen(at.soon)
      expect([first, second].toSorted()).toEqual(['soon', 'twin'])
      expect(rest).toEqual(['old'])
      expect(await seen(at.later - 1)).toHaveLength(3)
      expect(await seen(at.later)).toEqual(['later', first, second, 'old'])
    })

    it('count posts from their moment on', async () => {
      const counts = async (now: number) => {
        clocked.now = now
        const targets = ['/v1/acme/categories/news', '/v1/acme/tags/hot', '/v2/tags']
        const bodies = await Promise.all(
          targets.map(async (target) => bodyOf(await clocked.get(target))),
        )
        return [
          bodies[0].count.posts,
          bodies[1].count.posts,
          bodies[2].tags.map((tag: { count: { posts: number } }) => tag.count.posts),
        ]
      }
      expect(await counts(start)).toEqual([1, 1, [0, 1]])
      expect(await counts(at.soon - 1)).toEqual([1, 1, [0, 1]])
      expect(await counts(at.soon)).toEqual([3, 3, [0, 3]])
      expect(await counts(at.later)).toEqual([4, 4, [0, 4]])
    })

    it('are 404 for a single post until its moment', async () => {
      for (const version of ['/v1/acme', '/v2']) {
        clocked.now = at.soon - 1
        const early = await clocked.get(`${version}/posts/soon`)
        expect(early.status).toBe(404)
        expect(early.header('cache-control')).toBe('no-store')
        expect(early.text).toBe((await clocked.get(`${version}/posts/nobody`)).text)
        clocked.now = at.soon
        expect(bodyOf(await clocked.get(`${version}/posts/soon`)).post.slug).toBe('soon')
        expect((await clocked.get(`${version}/posts/later`)).status).toBe(404)
      }
    })

    it('have another ETag from then on', async () => {
      const first = await clocked.get('/v1/acme/posts')
      clocked.now = at.soon
      const second = await clocked.get('/v1/acme/posts')
      expect(second.header('etag')).not.toBe(first.header('etag'))
    })

    it('may be cached until the next scheduled post of the workspace, whatever they hold', async () => {
      for (const target of [
        '/v1/acme/posts',
        '/v1/acme/posts/old',
        '/v1/acme/authors/ada?include=posts',
        '/v1/acme/tags/cold?include=posts',
        '/v1/acme/posts?query=nowhere',
      ]) {
        clocked.now = at.soon - 10 * minute
        expect(agesOf(await clocked.get(target))).toEqual({ maxAge: 60, shared: 300 })
        clocked.now = at.soon - 2 * minute
        expect(agesOf(await clocked.get(target))).toEqual({ maxAge: 60, shared: 120 })
        clocked.now = at.soon - 30_500
        expect(agesOf(await clocked.get(target))).toEqual({ maxAge: 30, shared: 30 })
        clocked.now = at.soon - 1
        expect(agesOf(await clocked.get(target))).toEqual({ maxAge: 0, shared: 0 })
        clocked.now = at.later
        expect(agesOf(await clocked.get(target))).toEqual(plain)
      }
      clocked.now = at.soon - 30_500
      expect((await clocked.get('/v2/posts')).header('cache-control')).toBe('private, max-age=30')
    })
  },
)

describe('written files', () => {
  it('are used until the first scheduled post appears, and never after', async () => {
    clocked = openClocked({ replyCacheBytes: 0 }, true)
    for (const target of ['/v1/acme/posts', '/v1/acme/tags/hot', '/v2/posts/old']) {
      clocked.now = at.soon - 1
      expect((await clocked.get(target)).source).toBe('file')
      clocked.now = at.soon
      expect((await clocked.get(target)).source).toBe('index')
      clocked.now = at.later
      expect((await clocked.get(target)).source).toBe('index')
    }
  })

  it('are not used by a clock that is behind the build', async () => {
    clocked = openClocked({ replyCacheBytes: 0 }, true)
    clocked.now = Date.UTC(2025, 0, 1)
    const reply = await clocked.get('/v1/acme/posts')
    expect(reply.source).toBe('index')
    expect(slugsOf(reply)).toEqual([])
  })
})

describe('an answer in memory', () => {
  it('is given again, and leaves at its moment', async () => {
    clocked = openClocked({ replyCacheBytes: kept }, false)
    expect((await clocked.get('/v1/acme/posts')).source).toBe('index')
    clocked.now = at.soon - 1
    expect((await clocked.get('/v1/acme/posts')).source).toBe('cache')
    clocked.now = at.soon
    expect((await clocked.get('/v1/acme/posts')).source).toBe('index')
    expect((await clocked.get('/v1/acme/posts')).source).toBe('cache')
  })

  it('is not given to a clock that was put back to before its newest post', async () => {
    clocked = openClocked({ replyCacheBytes: kept }, false)
    clocked.now = at.later + minute
    expect(slugsOf(await clocked.get('/v1/acme/posts'))).toHaveLength(4)
    clocked.now = start
    expect(slugsOf(await clocked.get('/v1/acme/posts'))).toEqual(['old'])
  })

  it('equals one that was made at the instant, however the clock jumps', async () => {
    const caching = openClocked({ replyCacheBytes: 64 * 1024 }, true)
    const making = openClocked({ replyCacheBytes: 0 }, false)
    const targets = fc.constantFrom(
      ...['/v1/acme/posts', '/v1/acme/posts?query=needle', '/v1/acme/posts/soon', '/v2/tags'],
      ...['/v2/posts?limit=2', '/v1/acme/tags/hot?include=posts', '/v1/acme/authors/ada'],
    )
    const instants = fc.constantFrom(
      ...[start, at.soon, at.later].flatMap((time) => [time - 1, time, time + 1]),
      ...[start - 400 * 24 * 60 * minute, at.soon - 30_500, at.later + 60 * minute],
    )
    await fc.assert(
      fc.asyncProperty(targets, instants, async (target, now) => {
        caching.now = now
        making.now = now
        const [one, other] = [await caching.get(target), await making.get(target)]
        const essence = ({ status, text, header }: ReadReply) => ({
          ...{ status, text },
          headers: ['etag', 'cache-control', 'content-length'].map(header),
        })
        expect(essence(one)).toEqual(essence(other))
      }),
      { numRuns: 2000 },
    )
  })
})

function openClocked(options: ResponderOptions, hasFiles: boolean): Clocked {
  const files = hasFiles ? { readFile: served.readFile } : {}
  const handler = served.handler({ ...options, ...files, now: () => result.now })
  const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
  const result: Clocked = {
    now: start,
    get: (target) => askHandler(handler, target, { headers }),
  }
  return result
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
function bodyOf(reply: ReadReply): any {
  return JSON.parse(reply.text)
}

function slugsOf(reply: ReadReply): readonly string[] {
  return bodyOf(reply).posts.map((post: { slug: string }) => post.slug)
}

function itemsOf(reply: ReadReply): readonly string[] {
  return bodyOf(reply).posts.data.map((post: { slug: string }) => post.slug)
}

/** Without `stale` where a scheduled post may come. */
function agesOf(reply: ReadReply): { maxAge: number; shared: number; stale?: number } {
  const [, maxAge, shared, stale] =
    /^public, max-age=(\d+), s-maxage=(\d+)(?:, stale-while-revalidate=(\d+))?$/.exec(
      reply.header('cache-control') ?? '',
    ) ?? []
  const ages = { maxAge: Number(maxAge), shared: Number(shared) }
  return stale === undefined ? ages : { ...ages, stale: Number(stale) }
}
