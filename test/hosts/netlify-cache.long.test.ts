// Netlify's cache before the function: no response reaches a request that it does not belong to.
import { readFileSync, writeFileSync } from 'node:fs'
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

const oneOf = (words: string) => fc.constantFrom(...words.split(' '))
const paths = oneOf(
  '/v1/beta/posts /v1/acme/posts /v1/acme/posts/post-1 /v1/acme/posts/p%6Fst-1 /v1/acme/tags /v1/secret/posts /v2/posts /v1/acme/nothing /status',
)
const names = oneOf(
  'page %70age p%61ge limit order tags query qu%65ry format excludeContent include strict utm_source foo Page _ ',
)
const values = oneOf(
  '1 2 %32 asc true alpha alpha,beta alpha%2Cbeta news posts markdown post+1 post%201 日本 all = x;page=2 % ',
)
const queries = fc
  .array(fc.tuple(names, values), { maxLength: 3 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
const clients = fc.constantFrom('none', 'full', 'other', 'unknown')
const requests = fc.array(fc.tuple(paths, queries, clients), { minLength: 20, maxLength: 60 })

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
          const key = stored.site.keys[client as keyof typeof stored.site.keys]
          const headers = { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
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

it.each([
  ['/v1/beta/posts', 'public, durable, max-age=31536000'],
  ['/v1/beta/posts?page=1&utm_source=x', 'public, durable, max-age=31536000'],
  ['/v1/acme/posts', 'public, durable, max-age=300'],
  ['/v1/beta/posts?foo=1', null],
  ['/v1/beta/posts?limit=0', null],
  ['/v1/beta/posts?tags=a&tags=b', null],
  ['/v1/beta/posts?%70age=1', null],
  ['/v1/beta/posts?query=a+b', null],
  ['/v1/beta/posts/', null],
  ['/v2/posts', null],
  ['/openapi.json', null],
])('the response to %s is kept: %s', async (target, control) => {
  const { headers } = await send(get(target, { authorization: `Bearer ${stored.site.keys.full}` }))
  expect(headers.get('netlify-cdn-cache-control')).toBe(control)
})

it('a response that is kept says nothing of one client', async () => {
  process.env['QUARRY_RATE_LIMIT'] = '100/1'
  const limited = createNetlifyHandler(pathToFileURL(`${stored.lambda}/`))
  const { headers } = await limited(get('/v1/beta/posts'), { ip: '192.0.2.7' })
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  expect([...headers.keys()].join()).not.toContain('ratelimit')
  expect(headers.get('netlify-vary')).toMatch(/^query=limit\|page\|order\|.*\bstrict\b/)
})

it('with custom fields, a cache gives a filter the posts that the function gives it', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'fields:\n  rating: { type: number, index: true }\n')
    .post('low', { publishedAt: '2026-01-01', fields: '{ rating: 1 }' })
    .post('high', { publishedAt: '2026-01-02', fields: '{ rating: 4 }' })
  const { manifest } = await site.build()
  const { folder } = deploy('netlify', { out: site.out, manifest })
  const files = pathToFileURL(join(folder, 'functions/quarry/function/'))
  const handler = createNetlifyHandler(files)
  const own = (request: Request) => handler(request, { ip: '192.0.2.7' })
  const targets = ['', '?fields.rating=4', '?fields.rating[gte]=4', '?fields.rating%5Bgte%5D=4']
    .concat('?fields.rating[lte]=1&fields.rating[ne]=1', '?fields.typo=4')
    .map((query) => `/v1/acme/posts${query}`)
  for (const reading of queryReadings) {
    const cache = new NetlifyCache(own, reading)
    for (const target of [...targets, ...targets.toReversed()]) {
      const [kept, expected] = [await cache.send(get(target), 0), await own(get(target))]
      expect([target, kept.status, await kept.text()]).toEqual([
        ...[target, expected.status, await expected.text()],
      ])
    }
  }
})
