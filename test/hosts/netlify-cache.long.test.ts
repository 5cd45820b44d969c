// Netlify's cache before the function: no response reaches a request that it does not belong to.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploy } from '../../src/hosts/deploy.ts'
import { createNetlifyHandler } from '../../src/hosts/netlify.ts'
import fc from '../support/fast-check.ts'
import { NetlifyCache, queryReadings } from '../support/netlify-cache.ts'
import { openStoredSite, type StoredSite } from '../support/stored-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

let stored: StoredSite
let send: (request: Request) => Promise<Response>
beforeAll(async () => {
  // Without filters by custom fields: a site with them has another cache key, below.
  stored = await openStoredSite((content) => {
    const path = join(content, 'beta/workspace.yml')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('index: true', 'index: false'))
  })
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  const handler = createNetlifyHandler(pathToFileURL(`${stored.lambda}/`))
  send = (request) => handler(request, { ip: '192.0.2.7' })
})
afterAll(() => {
  delete process.env['QUARRY_RATE_LIMIT']
  stored.remove()
})

const get = (target: string, headers: Record<string, string> = {}) =>
  new Request(`https://host.invalid${target}`, { headers })

const paths = fc.constantFrom(
  ...[
    '/v1/beta/posts',
    '/v1/acme/posts',
    '/v1/acme/posts/post-1',
    '/v1/acme/tags',
    '/v1/acme/authors/ada',
  ],
  ...[
    '/v1/acme/posts/p%6Fst-1',
    '/v1/secret/posts',
    '/v2/posts',
    '/v1/acme/nothing',
    '/status',
    '/',
  ],
)
const names = fc.constantFrom(
  ...[
    'page',
    '%70age',
    'p%61ge',
    'limit',
    'order',
    'tags',
    'categories',
    'query',
    'qu%65ry',
    'format',
  ],
  ...['excludeContent', 'include', 'featured', 'strict', 'utm_source', 'foo', 'Page', '_', ''],
)
const values = fc.constantFrom(
  ...[
    '1',
    '2',
    '%32',
    'asc',
    'desc',
    'true',
    'alpha',
    'beta',
    'alpha,beta',
    'alpha%2Cbeta',
    'news',
    'posts',
  ],
  ...['markdown', 'post+1', 'post%201', 'post%2B1', '日本', 'all', '', '=', 'x;page=2', '3', '%'],
)
const queries = fc
  .array(fc.tuple(names, values), { maxLength: 3 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
const clients = fc.constantFrom<'none' | 'full' | 'other' | 'unknown'>(
  'none',
  'none',
  'full',
  'other',
  'unknown',
)
const requests = fc.array(fc.tuple(paths, queries, clients), { minLength: 20, maxLength: 60 })

function headersOf(client: 'none' | 'full' | 'other' | 'unknown'): Record<string, string> {
  return client === 'none' ? {} : { authorization: `Bearer ${stored.site.keys[client]}` }
}

/**
 * A name that is escaped or given twice: which response its client gets is Netlify's choice. Such a request must
 * change no other one's response.
 */
function isAmbiguous(query: string): boolean {
  const names = query.split('&').map((part) => part.split('=', 1)[0] ?? '')
  return names.some((name) => name.includes('%')) || new Set(names).size < names.length
}

describe.each(queryReadings)('a cache that reads parameters as %s', (reading) => {
  it('gives a request the status and the body that the function gives it', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (log) => {
        const cache = new NetlifyCache(send, reading)
        for (const [path, query, client] of log) {
          const target = query === '' ? path : `${path}?${query}`
          const headers = headersOf(client)
          const kept = await cache.send(get(target, headers), 0)
          const own = await send(get(target, headers))
          const pair = [await kept.text(), await own.text()]
          if (isAmbiguous(query)) continue
          expect([kept.status, pair[0]], target).toEqual([own.status, pair[1]])
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a response', () => {
  const controlOf = async (target: string, headers?: Record<string, string>) =>
    (await send(get(target, headers))).headers.get('netlify-cdn-cache-control')

  it('is kept until the next deployment where nothing is scheduled, else no longer than elsewhere', async () => {
    expect(await controlOf('/v1/beta/posts')).toBe('public, durable, max-age=31536000')
    expect(await controlOf('/v1/beta/posts?page=1&utm_source=x')).toBe(
      'public, durable, max-age=31536000',
    )
    expect(await controlOf('/v1/acme/posts')).toBe('public, durable, max-age=300')
    expect(await controlOf('/v1/acme/posts/post-1')).toBe('public, durable, max-age=300')
  })

  it.each([
    '/v1/beta/posts?foo=1',
    '/v1/beta/posts?limit=0',
    '/v1/beta/posts/nobody',
    '/v1/beta/posts?tags=a&tags=b',
    '/v1/beta/posts?%70age=1',
    '/v1/beta/posts?query=a+b',
    '/v1/beta/posts/',
    '/v2/posts',
    '/status',
    '/openapi.json',
  ])('to %s is not kept', async (target) => {
    const headers = { authorization: `Bearer ${stored.site.keys.full}` }
    expect(await controlOf(target, headers)).toBeNull()
  })

  it('to a client that has it, or asks for its head, is not kept', async () => {
    expect(await controlOf('/v1/beta/posts', { 'if-none-match': '*' })).toBeNull()
    const head = new Request('https://host.invalid/v1/beta/posts', { method: 'HEAD' })
    expect((await send(head)).headers.get('netlify-cdn-cache-control')).toBeNull()
  })

  it('that is kept is the same for all clients', async () => {
    process.env['QUARRY_RATE_LIMIT'] = '100/1'
    const limited = createNetlifyHandler(pathToFileURL(`${stored.lambda}/`))
    const namesOf = async (target: string) =>
      [...(await limited(get(target), { ip: '192.0.2.7' })).headers.keys()].join()
    const kept = await namesOf('/v1/beta/posts')
    process.env['QUARRY_RATE_LIMIT'] = 'off'
    expect(kept).not.toContain('ratelimit')
    expect(kept).toContain('netlify-vary')
    expect(await namesOf('/v1/beta/posts?foo=1')).toContain('ratelimit-remaining')
    const { headers } = await send(get('/v1/beta/posts'))
    expect(headers.get('netlify-vary')).toMatch(/^query=limit\|page\|order\|.*\bstrict\b/)
  })
})

describe.each(queryReadings)(
  'with custom fields, a cache that reads parameters as %s',
  (reading) => {
    it('gives a filter the posts that the function gives it', async () => {
      const { send, remove } = await siteWithFields()
      const cache = new NetlifyCache(send, reading)
      const targets = ['', '?fields.rating=4', '?fields.rating[gte]=1', '?fields.rating[gte]=4']
        .concat('?fields.rating[lte]=1', '?fields.rating[lte]=1&fields.rating[ne]=1')
        .concat('?fields.rating%5Bgte%5D=4', '?fields.typo=4')
        .map((query) => `/v1/acme/posts${query}`)
      for (const target of [...targets, ...targets.toReversed()]) {
        const [kept, own] = [await cache.send(get(target), 0), await send(get(target))]
        const found = [target, kept.status, await kept.text()]
        expect(found).toEqual([target, own.status, await own.text()])
      }
      // The two without brackets and escapes reach the function once, the others twice.
      expect(cache.passed).toBe(2 + 6 * 2)
      expect((await send(get(targets[0] ?? ''))).headers.get('netlify-vary')).toBe('query')
      remove()
    })
  },
)

async function siteWithFields() {
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'fields:\n  rating: { type: number, index: true }\n')
    .post('low', { publishedAt: '2026-01-01', fields: '{ rating: 1 }' })
    .post('high', { publishedAt: '2026-01-02', fields: '{ rating: 4 }' })
  const { manifest } = await site.build()
  const { folder } = await deploy('netlify', { out: site.out, manifest })
  const files = join(folder, 'functions/quarry/function/')
  const handler = createNetlifyHandler(pathToFileURL(files))
  const remove = () => rmSync(folder, { recursive: true })
  return { send: (request: Request) => handler(request, { ip: '192.0.2.7' }), remove }
}
