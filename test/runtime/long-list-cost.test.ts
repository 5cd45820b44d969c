import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryLimiter } from '../../src/runtime/rate-limit.ts'
import type { Responder, ResponderOptions } from '../../src/runtime/responder.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const now = Date.parse('2026-01-01T00:00:00Z')
let served: ServedFolder
/** Of the content of a post in JSON. */
const htmlBytes = '"<p></p>\\n"'.length + 'word '.repeat(1000).trimEnd().length

// 250 posts are published, 25 of them with a tag; 300 more are scheduled.
beforeAll(async () => {
  site.write(
    'content/acme/workspace.yml',
    'references: create\nlinks: { post: "https://example.com/{slug}" }\n',
  )
  for (let number = 0; number < 550; number++) {
    const publishedAt = number < 250 ? '2025-01-01' : '2027-01-01'
    const fields = { publishedAt, tags: number % 10 === 0 ? '[rare]' : '[]' }
    // With all content the list is longer than what is kept in memory.
    site.post(`p-${number}`, fields, `${'word '.repeat(1000)}\n`)
  }
  await site.build({ now })
  served = await serveFolder(site.out)
})

afterAll(() => {
  served.close()
  rmSync(site.folder, { recursive: true })
})

function limited(limit: number, options: ResponderOptions = {}): Responder {
  const requests = memoryLimiter({ limit, windowSeconds: 10 }, undefined, () => now)
  return served.handler({ now: () => now, limits: { requests, failures: requests }, ...options })
}

async function remaining(handler: Responder, target: string, options = {}) {
  const { status, header } = await askHandler(handler, target, options)
  return [status, header('ratelimit-remaining')]
}

describe('the cost of a list', () => {
  it.each<[string, posts: number, searched: boolean]>([
    ['posts', 10, false],
    ['posts?limit=100', 100, false],
    ['posts?limit=51&page=2', 51, false],
    ['posts?limit=100&excludeContent=true', 100, false],
    ['posts?limit=100&select=content', 100, false],
    ['posts?limit=all', 250, false],
    ['posts?limit=all&select=id', 250, false],
    ['posts?query=word&include=matches', 10, true],
    ['posts?query=word&include=matches&limit=100&select=id', 100, true],
    ['posts?query=word&include=matches&limit=100&tags=rare', 25, true],
    ['posts?query=nowhere&include=matches&limit=100', 0, true],
    ['posts?include=matches&limit=100&select=id', 100, false],
    ['posts/p-0', 1, false],
    ['tags?include=posts', 10, false],
    ['sitemap.xml', 250, false],
    ['llms.txt', 250, false],
    ['feed.xml', 20, false],
  ])(
    'of %s is that of its posts, its bytes or its searched texts',
    async (path, posts, isSearched) => {
      const handler = limited(100)
      const { status, header, text } = await askHandler(handler, `/v1/acme/${path}`)
      expect(status).toBe(200)
      const searched = isSearched ? posts * htmlBytes : 0
      const bytes = new TextEncoder().encode(text).length
      const cost = Math.ceil(Math.max(posts / 100, bytes / 256 / 1024, searched / 32 / 1024, 1))
      expect(header('ratelimit-remaining')).toBe(String(100 - cost))
      // The same from memory.
      const again = await askHandler(handler, `/v1/acme/${path}`)
      expect(again.header('ratelimit-remaining')).toBe(String(100 - 2 * cost))
    },
  )

  it('is refused before a text is searched or a post is read for a sitemap', async () => {
    for (const path of ['posts?query=word&include=matches&limit=100', 'sitemap.xml', 'llms.txt']) {
      const handler = limited(20)
      expect(await remaining(handler, '/v1/acme/posts?limit=all')).toEqual([200, '14'])
      expect(await remaining(handler, '/v1/acme/posts?limit=all')).toEqual([200, '8'])
      expect(await remaining(handler, '/v1/acme/posts?limit=all')).toEqual([200, '2'])
      const refused = await askHandler(handler, `/v1/acme/${path}`)
      expect([refused.status, refused.header('ratelimit-remaining')]).toEqual([429, '1'])
    }
  })

  it.each([
    'posts?query=word&include=matches&limit=100',
    'posts?select=id&limit=all',
    'sitemap.xml',
  ])('of %s is spread: the event loop turns meanwhile', async (path) => {
    let turns = 0
    let isAnswered = false
    const count = () => {
      turns++
      if (!isAnswered) setImmediate(count)
    }
    const answered = askHandler(limited(100), `/v1/acme/${path}`)
    setImmediate(count)
    await answered
    isAnswered = true
    expect(turns).toBeGreaterThan(2)
  })

  it('is one request for each 100 published posts in it, or for each 256 KiB', async () => {
    const handler = limited(100)
    const posts = '/v1/acme/posts'
    expect(await remaining(handler, posts)).toEqual([200, '99'])
    expect(await remaining(handler, `${posts}?limit=100`)).toEqual([200, '96'])
    expect(await remaining(handler, `${posts}?limit=all`)).toEqual([200, '90'])
    expect(await remaining(handler, `${posts}?limit=all&excludeContent=true`)).toEqual([200, '87'])
    expect(await remaining(handler, `${posts}?limit=all&tags=rare`)).toEqual([200, '86'])
    expect(await remaining(handler, `${posts}?limit=all&query=nowhere`)).toEqual([200, '85'])
    expect(await remaining(handler, '/v1/acme/tags?limit=100')).toEqual([200, '84'])
  })

  it('is the same for a key, and each time it is served from memory', async () => {
    const handler = limited(100, { replyCacheBytes: 64 * 1024 * 1024 })
    const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
    const target = '/v2/posts?limit=all&excludeContent=true'
    for (const left of ['97', '94', '91']) {
      expect(await remaining(handler, target, { headers })).toEqual([200, left])
    }
  })

  it.each([
    ['limit=all&excludeContent=true', 3],
    ['limit=all', 6],
  ])(
    'is one request for HEAD and a 304 of ?%s where its ETag is at hand, and else that of the list',
    async (query, cost) => {
      const target = `/v1/acme/posts?${query}`
      const keeping = limited(100, { replyCacheBytes: 64 * 1024 * 1024 })
      const first = await askHandler(keeping, target)
      const headers = { 'if-none-match': first.header('etag') ?? '' }
      expect(await remaining(keeping, target, { headers })).toEqual([304, String(99 - cost)])
      expect(await remaining(keeping, target, { method: 'HEAD' })).toEqual([200, String(98 - cost)])
      const again = await askHandler(keeping, target)
      expect([again.header('ratelimit-remaining'), again.text]).toEqual([
        String(98 - 2 * cost),
        first.text,
      ])
      // Another target with the same meaning is another entry of the cache.
      expect(await remaining(keeping, `${target}&k=1`, { method: 'HEAD' })).toEqual([
        200,
        String(98 - 3 * cost),
      ])
      expect(await remaining(keeping, `${target}&k=1`, { headers })).toEqual([
        304,
        String(97 - 3 * cost),
      ])
      const forgetting = limited(100)
      expect(await remaining(forgetting, target, { headers })).toEqual([304, String(100 - cost)])
      expect(await remaining(forgetting, target, { method: 'HEAD' })).toEqual([
        200,
        String(100 - 2 * cost),
      ])
    },
  )

  it('leaves the other headers of the response as they are', async () => {
    const { header } = await askHandler(limited(100), '/v1/acme/posts?limit=all&catagories=x')
    expect(header('ratelimit-remaining')).toBe('94')
    expect(header('x-ignored-parameters')).toBe('catagories')
    const handler = limited(8)
    await askHandler(handler, '/v1/acme/posts?limit=all')
    const refused = await askHandler(handler, '/v1/acme/posts?limit=all&catagories=x')
    expect(refused.status).toBe(429)
    expect(refused.header('x-ignored-parameters')).toBe('catagories')
    expect(refused.header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is refused where too little is left, and then counts as one request', async () => {
    const handler = limited(4)
    const target = '/v1/acme/posts?limit=all&excludeContent=true'
    expect(await remaining(handler, target)).toEqual([200, '1'])
    const refused = await askHandler(handler, target)
    expect(refused.status).toBe(429)
    expect(refused.header('ratelimit-remaining')).toBe('0')
    expect(refused.header('retry-after')).toBe('10')
    expect(JSON.parse(refused.text).retryAfter).toBe(10)
  })

  it('is that of the posts if their bytes are too many for what is left', async () => {
    const handler = limited(10)
    const target = '/v1/acme/posts?limit=all'
    expect(await remaining(handler, target)).toEqual([200, '4'])
    const { status, header } = await askHandler(handler, target)
    expect([status, header('ratelimit-remaining')]).toEqual([429, '1'])
  })

  it('is the whole limit at most: whoever requests nothing else gets any list', async () => {
    const handler = limited(2)
    expect(await remaining(handler, '/v1/acme/posts?limit=all')).toEqual([200, '0'])
    expect(await remaining(handler, '/v1/acme/posts')).toEqual([429, '0'])
    expect(await remaining(limited(1), '/v1/acme/posts?limit=all')).toEqual([200, '0'])
  })
})
