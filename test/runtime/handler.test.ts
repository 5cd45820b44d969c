import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import fc from '../support/fast-check.ts'
import { type BuiltSample, buildSample, handlerOf, sampleNow } from '../support/sample-site.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import { containsKey, spellings } from '../support/spelled-key.ts'
import { temporarySite } from '../support/temporary-site.ts'

let sample: BuiltSample

beforeAll(async () => {
  sample = await buildSample()
})

function open(limit: string, { out }: { readonly out: string } = sample, now?: number) {
  const handler = handlerOf(out, { QUARRY_RATE_LIMIT: limit }, now)
  return (path: string, init?: RequestInit, address = '') =>
    handler(new Request(`https://content.example${path}`, init), address)
}

it('every file is what the handler responds, also by ids and for slugs that are file names of other things', async () => {
  const lists = ['default', 'asc', 'excludeContent+all']
  const precompute = { ids: true, pageSizes: [10, 3], lists }
  const { out, manifest } = await buildSample(undefined, { precompute })
  const served = await serveFolder(out)
  const handler = served.handler({ now: () => sampleNow })
  const files = [...manifest.files.keys()].filter((path) =>
    /^(public\/v1|private\/v2)\//.test(path),
  )
  expect(files.length).toBeGreaterThan(500)
  for (const file of files) {
    const request = requestOfFile(file) ?? expect.unreachable(file)
    const headers = { authorization: `Bearer ${served.keyOf(request.workspace)}` }
    const { status, text } = await askHandler(handler, targetOfRequest(request), { headers })
    expect(status, file).toBe(200)
    expect(text === readFileSync(join(out, file), 'utf8'), file).toBe(true)
  }
})

it('a handler repeats no key of a request, however it is spelled', async () => {
  const key = encodeKey(new Uint8Array(32).fill(201))
  const ask = open('off')
  const repeats = async (target: string) => {
    const response = await ask(target)
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
    return containsKey(`${headers.join('\n')}\n${await response.text()}`, key)
  }
  await fc.assert(
    fc.asyncProperty(spellings(key), async (spelled) => {
      for (const target of [
        `/v1/journal/posts?${spelled}=1&key=${spelled}`,
        `/v1/journal/posts?strict=true&${spelled}=1`,
        `/v1/journal/posts?fields.${spelled}[gte]=1`,
        `/v1/journal/posts?include=${spelled}`,
        `/v1/journal/posts?limit=${spelled}&page=${spelled}&order=${spelled}`,
        `/v1/journal/posts/${spelled}`,
        `/v1/journal/changes?since=${spelled}`,
        `/v1/${spelled}/posts`,
        `/v2/${spelled}`,
      ]) {
        expect([target, await repeats(target)]).toEqual([target, false])
      }
    }),
    { numRuns: 20 },
  )
  const response = await ask(`/v1/journal/posts?order=up&${key}=1&%ff=a`)
  expect(response.headers.get('x-ignored-parameters')).toBe('qk_%E2%80%A6, %25ff')
})

it.each([
  // A closed workspace counts as none.
  [
    ['/v1/vault/posts', '/v1/nobody/posts', '/v1/vault/posts', '/v1/nobody/posts'],
    [404, 404, 429, 429],
  ],
  // Documents and redirects count apart from content, and `/status` not at all.
  [
    ['/', '/openapi.json', '/status', '/a/', '/status', '/v1/journal/posts'],
    [200, 200, 200, 429, 200, 200],
  ],
])('the limit of a handler for an address gives, for %j, %j', async (paths, expected) => {
  const ask = open('2/60')
  const statuses: number[] = []
  for (const path of paths) statuses.push((await ask(path, {}, '192.0.2.1')).status)
  expect(statuses).toEqual(expected)
  expect((await ask(paths[0] ?? '', {}, '192.0.2.2')).status).toBe(expected[0])
})

it('`http` sets the cache times of v1 and the origins whose pages may read it', async () => {
  const cacheControl = 'public, max-age=10, stale-if-error=60'
  const cors = ['https://a.example', 'https://b.example']
  const own = temporarySite({ http: { cacheControl, cors } })
  await own.post('one').build()
  const send = open('off', own, Date.now())
  const ask = async (path: string, origin: string) => {
    const { headers } = await send(path, { headers: { origin } })
    return ['access-control-allow-origin', 'vary', 'cache-control'].map((name) => headers.get(name))
  }
  const isOpen = ['https://b.example', 'Origin']
  expect(await ask('/v1/acme/posts', 'https://b.example')).toEqual([...isOpen, cacheControl])
  expect(await ask('/v1/acme/posts/no', 'https://b.example')).toEqual([...isOpen, 'no-store'])
  expect(await ask('/v1/acme/posts', 'https://c.example')).toEqual([null, 'Origin', cacheControl])
  own.post('later', { publishedAt: '2999-01-01' })
  await own.build()
  const response = await open('off', own, Date.UTC(2999, 0, 1) - 5000)('/v1/acme/posts')
  expect(response.headers.get('cache-control')).toBe('public, max-age=5')
})
