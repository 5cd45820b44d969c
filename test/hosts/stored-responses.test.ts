// Functions that come before the files: what they read for a canonical request, and what they send.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { isServedFile, requestOfFile } from '../../src/api/paths.ts'
import { createWorker } from '../../src/hosts/cloudflare.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { functionHost } from '../../src/hosts/folder.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import { keys } from '../blackbox/site.ts'
import { anyDamage, damageOne } from '../support/damage.ts'
import fc from '../support/fast-check.ts'
import { type BuiltSample, buildSample } from '../support/sample-site.ts'
import { plain, targetOfRequest } from '../support/served-site.ts'

type Change = (name: string, bytes: Uint8Array) => Uint8Array | null

let sample: BuiltSample
let lambda = ''
let assets = ''
/** A function that has nothing but its index. */
let index: ReturnType<typeof coldFunction>
/** Canonical requests whose files stay true until the next build, with what a client sends along. */
let requests: readonly { readonly target: string; readonly headers: Record<string, string> }[]

beforeAll(async () => {
  const lists = ['default', 'excludeContent', 'excludeContent+all']
  sample = await buildSample(undefined, { precompute: { lists } })
  const { out, manifest } = sample
  lambda = join(deploy('aws-lambda', { out, manifest }).folder, 'function')
  assets = join(deploy('cloudflare', { out, manifest }).folder, 'assets')
  index = coldFunction((name, bytes) => (name.startsWith('responses/') ? null : bytes))
  const keyOf: Readonly<Record<string, string>> = {
    journal: 'full',
    notes: 'notes',
    vault: 'vault',
    shop: 'shop',
  }
  requests = [...manifest.files.keys()].flatMap((path) => {
    const request = requestOfFile(path)
    // The Markdown of a post is no canonical request, and these documents are not the same for every key.
    if (request === null || path.endsWith('.md')) return []
    const { version, workspace, resource, collection = '' } = request
    const served = manifest.workspaces[workspace]
    const key = keys[keyOf[workspace] ?? '']
    if (served === undefined || key === undefined || /^ch|^coll/.test(resource)) return []
    if (!isServedFile(request, { ...served, ...served.collections?.[collection] })) return []
    const headers: Record<string, string> =
      version === 'v2' ? { authorization: `Bearer ${key}` } : {}
    return [{ target: targetOfRequest(request), headers }]
  })
})

/** A function that was just started. @param change damages what it reads; null removes it */
function coldFunction(change: Change = (_, bytes) => bytes) {
  const { storage } = functionHost(new URL(`file://${lambda}/`))
  const reads: string[] = []
  const faults: unknown[] = []
  const handler = createFunctionHandler({
    storage: {
      read: async (name, from, to) => {
        const bytes = change(name, await storage.read(name, from, to))
        if (bytes === null) throw new Error(`no ${name}`)
        reads.push(name)
        return bytes
      },
    },
    environment: { QUARRY_RATE_LIMIT: '1000000/10' },
    onError: (error) => faults.push(error),
  })
  const send = async (target: string, init: RequestInit = {}) =>
    plain(await handler(new Request(`https://host.invalid${target}`, init), '192.0.2.1'))
  return { reads, faults, send }
}

it('a cold function reads the root and one file for a canonical request, and sends what the index gives', async () => {
  expect(requests.length).toBeGreaterThan(200)
  for (const { target, headers } of requests) {
    const { send, reads, faults } = coldFunction()
    const reply = await send(target, { headers })
    expect(reply, target).toEqual(await index.send(target, { headers }))
    expect(reply.status, target).toBe(200)
    const response = expect.stringMatching(/^responses\/\w{32}\.json/)
    expect([...reads, ...faults]).toEqual(['root.json', response])
  }
})

it('a cold function sends HEAD, 304 and errors as the index gives them, and reads it only for what has no file', async () => {
  const { send, reads } = coldFunction()
  const indexReads = () => reads.filter((name) => !/^responses\/|^root\.json$/.test(name))
  const { headers } = await index.send('/v1/notes/posts')
  const etag = headers.find(([name]) => name === 'etag')?.[1] ?? ''
  const keyed = (key: string) => ({ headers: { authorization: `Bearer ${keys[key]}` } })
  const cases: [string, RequestInit][] = [
    ['/v1/notes/posts', { method: 'HEAD' }],
    ['/v1/notes/posts', { headers: { 'if-none-match': etag } }],
    ['/v1/notes/posts?utm_source=x&foo=1&page=1', {}],
    ['/v1/notes/posts?strict=true&foo=1', {}],
    ['/v1/notes/posts?limit=0', {}],
    ['/v1/vault/posts', {}],
    ['/v2/posts', {}],
    ['/v2/posts/post-1', keyed('full')],
    ['/v2/posts', keyed('noPosts')],
    ['/v2/posts', keyed('expired')],
  ]
  for (const [target, init] of cases)
    expect(await send(target, init), target).toEqual(await index.send(target, init))
  expect(indexReads()).toEqual([])
  // In `journal`, a post is scheduled.
  for (const target of ['/v1/notes/posts/nobody', '/v1/notes/posts?page=99', '/v1/journal/posts'])
    expect(await send(target), target).toEqual(await index.send(target))
  expect(indexReads()).not.toEqual([])
})

it('keys with different scopes share no response that is kept', async () => {
  const { send } = coldFunction()
  const statusFor = async (name: string) => {
    const headers = { authorization: `Bearer ${keys[name]}` }
    return (await send('/v2/tags?include=posts', { headers })).status
  }
  for (const _ of ['made', 'kept'])
    expect([await statusFor('full'), await statusFor('noPosts')]).toEqual([200, 403])
})

it('a damaged response is never sent: the index gives it, and the fault is logged', async () => {
  const responses = readdirSync(join(lambda, 'responses'))
  const read = (name: string) => readFileSync(join(lambda, 'responses', name))
  await fc.assert(
    fc.asyncProperty(fc.nat(requests.length - 1), anyDamage, async (at, damage) => {
      const { target, headers } = requests[at] ?? expect.unreachable()
      const first = coldFunction()
      await first.send(target, { headers })
      const name = first.reads.at(-1)?.slice('responses/'.length) ?? ''
      const damaged = damageOne([name, ...responses], read, { ...damage, file: 0 })
      const { send, faults } = coldFunction((path, bytes) =>
        path === `responses/${name}` && damaged !== null ? damaged.bytes : bytes,
      )
      expect(await send(target, { headers })).toEqual(await index.send(target, { headers }))
      expect(faults.length).toBe(damaged === null ? 0 : 1)
    }),
    { numRuns: 60 },
  )
})

it('a worker fetches the root once, and one asset for each canonical request', async () => {
  let fetched = 0
  const ASSETS = {
    fetch: async (url: string) => {
      fetched += 1
      return new Response(readFileSync(join(assets, new URL(url).pathname)))
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
