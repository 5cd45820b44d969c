import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryLimiter } from '../../src/runtime/rate-limit.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { fixtureNow, writeFixture } from '../conformance/fixture.ts'
import { problemOf } from '../support/hostile.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let served: ServedFolder
let handler: Responder

beforeAll(async () => {
  writeFixture(site.content)
  await site.build()
  served = await serveFolder(site.out)
  handler = served.handler({ now: () => fixtureNow })
})

afterAll(() => {
  served.close()
  rmSync(site.folder, { recursive: true })
})

const posts = '/v1/acme/posts'

describe('a hostile target', () => {
  it.each<[string, number]>([
    [`${posts}/%`, 400],
    [`${posts}/%e9`, 400],
    [`${posts}/%ED%A0%80`, 400],
    [`${posts}/..%2f..%2fmanifest.json`, 404],
    [`${posts}/..%5c..%5cmanifest.json`, 404],
    [`${posts}/../../../manifest.json`, 404],
    [`${posts}/%00`, 404],
    [`${posts}/index%00.json`, 404],
    [`${posts}/_page%2f2`, 404],
    ['/v1/..%2f..%2fprivate%2fv2%2facme/posts', 404],
    ['/v1/__proto__/posts', 404],
    ['/v1/acme/constructor', 404],
    ['/v1/%00/posts', 404],
    ['*', 404],
    ['', 404],
    ['http://example.com/v1/acme/posts', 404],
    ['//v1/acme/posts', 404],
    ['/v1//posts', 404],
    [`${posts}?${'x'.repeat(100_000)}`, 414],
    [`/${'x'.repeat(20_000)}`, 414],
    [`${posts}?tags=${'a,'.repeat(2500)}`, 400],
    [`${posts}?tags=${'a,'.repeat(10_000)}`, 414],
    [`${posts}?tags=${','.repeat(5000)}`, 200],
    [`${posts}?${'&'.repeat(5000)}`, 200],
    [`${posts}?${'limit=3&'.repeat(900)}`, 200],
    [`${posts}?limit=3&limit=4`, 400],
    [`${posts}?limit[]=3&limit[a]=x`, 200],
    [`${posts}?limit=1e308`, 400],
    [`${posts}?page=1e308`, 400],
    [`${posts}?page=${'9'.repeat(400)}`, 400],
    [`${posts}?limit=%D9%A3`, 400],
    [`${posts}?limit=%EF%BC%93`, 400],
    [`${posts}?limit=%F0%9D%9F%91`, 400],
    [`${posts}?query=%00`, 200],
    [`${posts}?query=%ED%A0%80`, 400],
    [`${posts}?query=${encodeURIComponent('ﷺ'.repeat(256))}`, 200],
    [`${posts}?query=(a%2B)%2B$`, 200],
    [`${posts}?__proto__=1&constructor=2&toString=3`, 200],
    [`${posts}?%=1&%e9=2`, 200],
    [`${posts}#x`, 404],
  ])('%.80s is answered with %i', async (target, status) => {
    const request = { method: 'GET', target, headers: {} }
    expect(await problemOf(handler, request)).toBeNull()
    expect((await askHandler(handler, target)).status).toBe(status)
  })

  it.each(['get', 'Get', '', 'FROBNICATE', 'CONNECT', 'TRACE', 'x'.repeat(1000), '__proto__'])(
    'with the method %.20j is 405',
    async (method) => {
      const reply = await askHandler(handler, posts, { method })
      expect(reply.status).toBe(405)
      expect(reply.header('allow')).toBe('GET, HEAD, OPTIONS')
    },
  )

  it('that ends in many slashes leads to one place of ours', async () => {
    for (const target of [
      '//evil.example/',
      '/\\evil.example/',
      '/\\/evil.example//',
      '//',
      '///?x',
      '/.//evil/',
    ]) {
      const { status, header } = await askHandler(handler, target)
      expect(status).toBe(308)
      expect(header('location')).toMatch(/^\/(?![/\\])/)
    }
  })
})

describe('a target of 8 KiB', () => {
  const long = 8000
  const runs = ['/', '\\', '/\\', '\\/', '/a', '/.', '//a', '%2f', '%', '%c3', '?/', '&', 'a']
  const cases = runs.flatMap((run) => {
    const filled = run.repeat(Math.floor(long / run.length))
    return ['/', '/a', `${posts}/`, '/v2/posts'].flatMap((start) =>
      ['', 'b', '/', 'b/', '\\/', '/b/?x=/'].map((end) => start + filled + end),
    )
  })

  it('that ends in a slash leads to the path between its slashes', async () => {
    const slashes = cases.filter((target) => /^\/[^?]*\/(?:\?|$)/.test(target))
    expect(slashes.length).toBeGreaterThan(100)
    for (const target of slashes) {
      const [path = '', ...query] = target.split('?')
      const isSlash = (sign: string) => sign === '/' || sign === '\\'
      const signs = [...path]
      const first = signs.findIndex((sign) => !isSlash(sign))
      const last = signs.findLastIndex((sign) => !isSlash(sign))
      const middle = first === -1 ? '' : path.slice(first, last + 1)
      const { status, header } = await askHandler(handler, target)
      expect([status, header('location')]).toEqual([308, [`/${middle}`, ...query].join('?')])
    }
  })

  it('that ends otherwise is answered with a status of its own', async () => {
    const others = cases.filter((target) => !/^\/[^?]*\/(?:\?|$)/.test(target))
    expect(others.length).toBeGreaterThan(50)
    for (const target of others) {
      const { status } = await askHandler(handler, target)
      expect([200, 400, 401, 404], target).toContain(status)
    }
  })

  it('whose names and values are malformed names each parameter once', async () => {
    const tags = await askHandler(handler, `${posts}?${'tags=%C3&'.repeat(800)}`)
    expect(JSON.parse(tags.text).details).toEqual([
      { field: 'tags', message: 'must be percent-encoded UTF-8' },
    ])
    const names = await askHandler(handler, `${posts}?strict=true&${'%C3=&'.repeat(1500)}`)
    expect(names.status).toBe(200)
  })
})

describe('a fault of ours', () => {
  it('is 500 with the request’s id, without its text, and is told', async () => {
    const told: [unknown, string][] = []
    const failing = served.handler({
      keyring: () => {
        throw new Error('secret of /inner/place')
      },
      onError: (error, id) => told.push([error, id]),
    })
    const reply = await askHandler(failing, '/v2/posts')
    const id = reply.header('x-request-id') ?? '?'
    expect(reply.status).toBe(500)
    expect(JSON.parse(reply.text)).toEqual({
      error: 'Internal Server Error',
      message: expect.stringContaining(id),
    })
    expect(reply.text).not.toContain('secret')
    expect(told).toEqual([[expect.objectContaining({ message: 'secret of /inner/place' }), id]])
  })
})

describe('too many requests', () => {
  it('counts redirects of trailing slashes like the documents of the service', async () => {
    const slashes = limited(() => 0)
    const statuses: number[] = []
    for (const target of ['/a/', '/v1/acme/posts//', '/openapi.json', '/a/']) {
      statuses.push((await askHandler(slashes, target)).status)
    }
    expect(statuses).toEqual([308, 308, 200, 429])
  })

  const limited = (now: () => number) =>
    served.handler({
      now: () => fixtureNow,
      limits: {
        requests: memoryLimiter({ limit: 3, windowSeconds: 10 }, undefined, now),
        failures: memoryLimiter({ limit: 2, windowSeconds: 10 }, undefined, now),
      },
    })

  it('are 429 with the time to wait, and room again after it', async () => {
    let now = 0
    const handler = limited(() => now)
    for (const left of [2, 1, 0]) {
      const { status, header } = await askHandler(handler, posts)
      expect([status, header('ratelimit-remaining')]).toEqual([200, String(left)])
      expect(header('ratelimit-limit')).toBe('3')
    }
    now = 4000
    const refused = await askHandler(handler, posts)
    expect(refused.status).toBe(429)
    expect(refused.header('retry-after')).toBe('6')
    expect(refused.header('cache-control')).toBe('no-store')
    expect(JSON.parse(refused.text)).toEqual({
      error: 'Too Many Requests',
      details: null,
      message: expect.any(String),
      retryAfter: 6,
    })
    expect((await askHandler(handler, '/v1/beta/posts')).status).toBe(200)
    now = 10_000
    expect((await askHandler(handler, posts)).status).toBe(200)
  })

  it('of keys that open nothing are 429 after as many 401, and a good key passes', async () => {
    const handler = limited(() => 0)
    const statuses = []
    for (let number = 0; number < 4; number++) {
      statuses.push((await askHandler(handler, '/v2/posts')).status)
    }
    expect(statuses).toEqual([401, 401, 429, 429])
    const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
    expect((await askHandler(handler, '/v2/posts', { headers })).status).toBe(200)
    const refused = JSON.parse((await askHandler(handler, '/v2/posts')).text)
    expect(Object.keys(refused)).toEqual(['error', 'message', 'retryAfter'])
  })

  it('pass when the limiter cannot count', async () => {
    const uncounted = { take: () => Promise.resolve(null) }
    const handler = served.handler({
      now: () => fixtureNow,
      limits: { requests: uncounted, failures: uncounted },
    })
    const { status, header } = await askHandler(handler, posts)
    expect([status, header('ratelimit-limit')]).toEqual([200, null])
  })
})
