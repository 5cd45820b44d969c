import { beforeAll, expect, it } from 'vitest'
import { memoryLimiter } from '../../src/runtime/rate-limit.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const now = Date.parse('2026-01-01T00:00:00Z')
let served: ServedFolder
/** Of the content of a post in JSON. */
const htmlBytes = '"<p></p>\\n"'.length + 'word '.repeat(1000).trimEnd().length

// 250 posts are published, 25 of them with a tag; 50 more are scheduled.
beforeAll(async () => {
  const settings = 'references: create\nlinks: { post: "https://example.com/{slug}" }\n'
  site.write('content/acme/workspace.yml', settings)
  for (let number = 0; number < 300; number++) {
    const publishedAt = number < 250 ? '2025-01-01' : '2027-01-01'
    const fields = { publishedAt, tags: number % 10 === 0 ? '[rare]' : '[]' }
    // With all content the list is longer than what is kept in memory.
    site.post(`p-${number}`, fields, `${'word '.repeat(1000)}\n`)
  }
  await site.build({ now })
  served = await serveFolder(site.out)
})

function limited(limit: number, replyCacheBytes = 0): Responder {
  const requests = memoryLimiter({ limit, windowSeconds: 10 }, undefined, () => now)
  const limits = { requests, failures: requests }
  return served.handler({ now: () => now, limits, replyCacheBytes })
}

async function remaining(handler: Responder, path: string, options = {}) {
  const { status, header } = await askHandler(handler, `/v1/acme/${path}`, options)
  return [status, Number(header('ratelimit-remaining'))]
}

it.each<[string, posts: number, searched: boolean]>([
  ['posts?limit=51&page=2', 51, false],
  ['posts?limit=100&excludeContent=true', 100, false],
  ['posts?limit=all', 250, false],
  ['posts?limit=all&select=id', 250, false],
  ['posts?query=word&include=matches&limit=100&select=id', 100, true],
  ['posts?query=word&include=matches&limit=100&tags=rare', 25, true],
  ['posts?query=nowhere&include=matches&limit=100', 0, true],
  ['posts/p-0', 1, false],
  ['tags?include=posts', 10, false],
  ['sitemap.xml', 250, false],
  ['llms.txt', 250, false],
  ['feed.xml', 20, false],
])('%s costs its posts, its bytes or its searched texts', async (path, posts, isSearched) => {
  const handler = limited(100, 64 * 1024)
  const { status, header, text } = await askHandler(handler, `/v1/acme/${path}`)
  expect(status).toBe(200)
  const searched = isSearched ? posts * htmlBytes : 0
  const bytes = Buffer.byteLength(text)
  const cost = Math.ceil(Math.max(posts / 100, bytes / 256 / 1024, searched / 32 / 1024, 1))
  expect(header('ratelimit-remaining')).toBe(String(100 - cost))
  // The same from memory.
  expect(await remaining(handler, path)).toEqual([200, 100 - 2 * cost])
})

it('what is too much is refused before a text is searched or a post is read', async () => {
  for (const path of ['posts?query=word&include=matches&limit=100', 'sitemap.xml', 'llms.txt']) {
    const handler = limited(20)
    for (const left of [14, 8, 2])
      expect(await remaining(handler, 'posts?limit=all')).toEqual([200, left])
    const refused = await askHandler(handler, `/v1/acme/${path}`)
    expect([refused.status, refused.header('ratelimit-remaining')]).toEqual([429, '1'])
    expect(refused.header('retry-after')).toBe('10')
  }
})

it('a response costs the whole limit at most: whoever requests nothing else gets any list', async () => {
  const handler = limited(2)
  expect(await remaining(handler, 'posts?limit=all')).toEqual([200, 0])
  expect(await remaining(handler, 'posts')).toEqual([429, 0])
})
