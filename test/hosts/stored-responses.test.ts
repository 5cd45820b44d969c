// Functions that come before the files: what they read for a canonical request, and what they send.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { includesPosts } from '../../src/api/request.ts'
import { createWorker } from '../../src/hosts/cloudflare.ts'
import { responseFile, responseKey } from '../../src/runtime/stored-response.ts'
import { anyDamage, damageOne } from '../support/damage.ts'
import fc from '../support/fast-check.ts'
import {
  canonicalRequests,
  coldFunction,
  indexOnly,
  indexReads,
  openStoredSite,
  plain,
  type StoredSite,
} from '../support/stored-site.ts'

let stored: StoredSite
beforeAll(async () => {
  stored = await openStoredSite()
})
afterAll(() => stored.remove())

describe('a cold function', () => {
  it('reads the root and one file for a canonical request, and sends what the index gives', async () => {
    const index = indexOnly(stored.lambda)
    const requests = canonicalRequests(stored)
    expect(requests.length).toBeGreaterThan(200)
    for (const { target, headers } of requests) {
      const { send, reads, faults } = coldFunction(stored.lambda)
      const reply = await send(target, { headers })
      expect(reply, target).toEqual(await index.send(target, { headers }))
      expect(reply.status, target).toBe(200)
      const names = reads.map(([name]) => name)
      expect(names, target).toEqual([
        'root.json',
        expect.stringMatching(/^responses\/\w{32}\.json/),
      ])
      expect(faults).toEqual([])
    }
  })

  it('sends HEAD, 304 and errors as the index gives them, and reads it only for what has no file', async () => {
    const { send, reads } = coldFunction(stored.lambda)
    const index = indexOnly(stored.lambda)
    const { headers } = await index.send('/v1/beta/posts')
    const etag = headers.find(([name]) => name === 'etag')?.[1] ?? ''
    const keyed = (key: 'full' | 'noPosts' | 'expired') => ({
      headers: { authorization: `Bearer ${stored.site.keys[key]}` },
    })
    const cases: [string, { method?: string; headers?: Record<string, string> }][] = [
      ['/v1/beta/posts', { method: 'HEAD' }],
      ['/v1/beta/posts', { headers: { 'if-none-match': etag } }],
      ['/v1/beta/posts?utm_source=x&foo=1&page=1', {}],
      ['/v1/beta/posts?strict=true&foo=1', {}],
      ['/v1/beta/posts?limit=0', {}],
      ['/v1/beta/posts', { method: 'POST' }],
      ['/v1/beta/posts/', {}],
      ['/v1/secret/posts', {}],
      ['/v2/posts', {}],
      ['/v2/posts/post-1', keyed('full')],
      ['/v2/posts', keyed('noPosts')],
      ['/v2/authors/ada?include=posts', keyed('noPosts')],
      ['/v2/posts', keyed('expired')],
      ['/status', {}],
    ]
    for (const [target, init] of cases)
      expect(await send(target, init), target).toEqual(await index.send(target, init))
    expect(indexReads(reads)).toEqual([])
    for (const target of ['/v1/beta/posts/nobody', '/v1/beta/posts?page=99', '/v1/acme/posts', '/'])
      expect(await send(target), target).toEqual(await index.send(target))
    expect(indexReads(reads)).not.toEqual([])
  })

  it('leaves to the index what a scheduled post may change, whichever posts are scheduled', async () => {
    const known = new Set(readdirSync(join(stored.lambda, 'responses')))
    const ofAcme = [...stored.manifest.files.keys()].flatMap((path) => {
      const request = requestOfFile(path)
      return request?.workspace === 'acme' && request.version === 'v1' ? [request] : []
    })
    const nameOf = (request: (typeof ofAcme)[number]) =>
      responseFile(responseKey(request) ?? '').slice('responses/'.length)
    const isPlain = ({ resource, identifier, parameters }: (typeof ofAcme)[number]) =>
      !includesPosts(parameters) &&
      (resource === 'authors' || (resource === 'posts' && identifier !== null))
    const given = ofAcme.filter((request) => known.has(nameOf(request)))
    expect(given).toEqual(ofAcme.filter(isPlain))
    expect(given.length).toBeGreaterThan(70)
  })

  it('never sends a damaged response: the index gives it, and the fault is logged', async () => {
    const index = indexOnly(stored.lambda)
    const requests = canonicalRequests(stored)
    const responses = readdirSync(join(stored.lambda, 'responses'))
    const read = (name: string) => readFileSync(join(stored.lambda, 'responses', name))
    await fc.assert(
      fc.asyncProperty(fc.nat(requests.length - 1), anyDamage, async (at, damage) => {
        const { target, headers } = requests[at] ?? { target: '', headers: {} }
        const first = coldFunction(stored.lambda)
        await first.send(target, { headers })
        const name = first.reads.at(-1)?.[0].slice('responses/'.length) ?? ''
        const damaged = damageOne([name, ...responses], read, { ...damage, file: 0 })
        const { send, faults, reads } = coldFunction(stored.lambda, (path, bytes) =>
          path === `responses/${name}` && damaged !== null ? damaged.bytes : bytes,
        )
        expect(await send(target, { headers })).toEqual(await index.send(target, { headers }))
        expect(faults.length).toBe(damaged === null ? 0 : 1)
        expect(indexReads(reads).length > 0).toBe(damaged !== null)
      }),
      { numRuns: 100 },
    )
  })

  it('with a damaged root is a 500, and v2 without a key a 401', async () => {
    const { send } = coldFunction(stored.lambda, (name, bytes) =>
      name === 'root.json' ? bytes.slice(0, -1) : bytes,
    )
    const headers = { authorization: `Bearer ${stored.site.keys.full}` }
    for (const target of ['/v2/posts', '/v2/posts/nobody', '/v2', '/v2/posts?query=a']) {
      expect((await send(target)).status, target).toBe(401)
      expect((await send(target, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
      expect((await send(target, { headers })).status).toBe(500)
    }
    expect((await send('/v1/beta/posts')).status).toBe(500)
  })
})

describe('a worker', () => {
  it('fetches the root once, and one asset for each canonical request', async () => {
    let fetched = 0
    const ASSETS = {
      fetch: async (url: string) => {
        fetched += 1
        return new Response(readFileSync(join(stored.assets, new URL(url).pathname)))
      },
    }
    const worker = createWorker()
    const index = indexOnly(stored.lambda)
    const context = { waitUntil: () => undefined }
    const environment = { ASSETS, QUARRY_RATE_LIMIT: '1000000/10' }
    const requests = canonicalRequests(stored).filter(({ headers }) => !headers['authorization'])
    for (const [at, { target }] of requests.entries()) {
      fetched = 0
      const request = new Request(`https://worker.invalid${target}`)
      const reply = await plain(await worker.fetch(request, environment, context))
      const { headers, ...expected } = await index.send(target)
      expect(reply, target).toMatchObject(expected)
      expect(fetched, target).toBe(at === 0 ? 2 : 1)
    }
  })
})
