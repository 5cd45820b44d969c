// Functions that come before the files: what they read for a canonical request, and what they send.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorker } from '../../src/hosts/cloudflare.ts'
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
let index: ReturnType<typeof indexOnly>
let requests: ReturnType<typeof canonicalRequests>
beforeAll(async () => {
  stored = await openStoredSite()
  index = indexOnly(stored.lambda)
  requests = canonicalRequests(stored)
})
afterAll(() => stored.remove())

it('a cold function reads the root and one file for a canonical request, and sends what the index gives', async () => {
  expect(requests.length).toBeGreaterThan(200)
  for (const { target, headers } of requests) {
    const { send, reads, faults } = coldFunction(stored.lambda)
    const reply = await send(target, { headers })
    expect(reply, target).toEqual(await index.send(target, { headers }))
    expect(reply.status, target).toBe(200)
    const response = expect.stringMatching(/^responses\/\w{32}\.json/)
    expect([...reads.map(([name]) => name), ...faults]).toEqual(['root.json', response])
  }
})

it('a cold function sends HEAD, 304 and errors as the index gives them, and reads it only for what has no file', async () => {
  const { send, reads } = coldFunction(stored.lambda)
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
    ['/v1/secret/posts', {}],
    ['/v2/posts', {}],
    ['/v2/posts/post-1', keyed('full')],
    ['/v2/posts', keyed('noPosts')],
    ['/v2/authors/ada?include=posts', keyed('noPosts')],
    ['/v2/posts', keyed('expired')],
  ]
  for (const [target, init] of cases)
    expect(await send(target, init), target).toEqual(await index.send(target, init))
  expect(indexReads(reads)).toEqual([])
  // In `acme`, a post is scheduled.
  for (const target of ['/v1/beta/posts/nobody', '/v1/beta/posts?page=99', '/v1/acme/posts'])
    expect(await send(target), target).toEqual(await index.send(target))
  expect(indexReads(reads)).not.toEqual([])
})

it('a damaged response is never sent: the index gives it, and the fault is logged', async () => {
  const responses = readdirSync(join(stored.lambda, 'responses'))
  const read = (name: string) => readFileSync(join(stored.lambda, 'responses', name))
  await fc.assert(
    fc.asyncProperty(fc.nat(requests.length - 1), anyDamage, async (at, damage) => {
      const { target, headers } = requests[at] ?? { target: '', headers: {} }
      const first = coldFunction(stored.lambda)
      await first.send(target, { headers })
      const name = first.reads.at(-1)?.[0].slice('responses/'.length) ?? ''
      const damaged = damageOne([name, ...responses], read, { ...damage, file: 0 })
      const { send, faults } = coldFunction(stored.lambda, (path, bytes) =>
        path === `responses/${name}` && damaged !== null ? damaged.bytes : bytes,
      )
      expect(await send(target, { headers })).toEqual(await index.send(target, { headers }))
      expect(faults.length).toBe(damaged === null ? 0 : 1)
    }),
    { numRuns: 60 },
  )
})

it('a function with a damaged root is a 500, and v2 without a key a 401', async () => {
  const { send } = coldFunction(stored.lambda, (name, bytes) =>
    name === 'root.json' ? bytes.slice(0, -1) : bytes,
  )
  const headers = { authorization: `Bearer ${stored.site.keys.full}` }
  for (const target of ['/v2', '/v2/posts?query=a']) {
    expect((await send(target)).status, target).toBe(401)
    expect((await send(target, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
    expect((await send(target, { headers })).status).toBe(500)
  }
  expect((await send('/v1/beta/posts')).status).toBe(500)
})

it('a worker fetches the root once, and one asset for each canonical request', async () => {
  let fetched = 0
  const ASSETS = {
    fetch: async (url: string) => {
      fetched += 1
      return new Response(readFileSync(join(stored.assets, new URL(url).pathname)))
    },
  }
  const worker = createWorker()
  const environment = { ASSETS, QUARRY_RATE_LIMIT: 'off' }
  const open = requests.filter(({ headers }) => !headers['authorization'])
  for (const [at, { target }] of open.entries()) {
    fetched = 0
    const request = new Request(`https://worker.invalid${target}`)
    const response = await worker.fetch(request, environment, { waitUntil: () => undefined })
    const { status, body } = await index.send(target)
    expect(await plain(response), target).toMatchObject({ status, body })
    expect(fetched, target).toBe(at === 0 ? 2 : 1)
  }
})
