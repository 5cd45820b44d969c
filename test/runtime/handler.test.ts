import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { createHandler, type HandlerOptions } from '../../src/runtime/handler.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { openBuild, type ServedSite } from '../../src/runtime/open-build.ts'

import fc from '../support/fast-check.ts'
import { sampleNow, writeSample } from '../support/sample-site.ts'
import { containsKey, spellings } from '../support/spelled-key.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let bundle: { readonly site: ServedSite }

beforeAll(async () => {
  writeSample(site.folder)
  for (const name of ['long-1', 'long-2']) {
    const code = 'lorem ipsum dolor sit amet\n'.repeat(22_000)
    const fields = `title: ${name}\ncategory: news\npublishedAt: 2001-01-01`
    site.write(`content/journal/posts/${name}.md`, `---\n${fields}\n---\n~~~\n${code}~~~\n`)
  }
  await site.build()
  bundle = { site: await openBuild(createFileStorage(`${site.out}/function`)) }
})

afterAll(() => rmSync(site.folder, { recursive: true }))

const page = new TextEncoder().encode('<!doctype html>')

function open(options: HandlerOptions = {}) {
  const handler = createHandler(bundle, { now: () => sampleNow, readPage: () => page, ...options })
  return (path: string, init?: RequestInit) =>
    handler(new Request(`https://content.example${path}`, init))
}

it('a handler repeats no key of a request, however it is spelled', async () => {
  const key = encodeKey(new Uint8Array(32).fill(201))
  const ask = open()
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
  const response = await ask(`/v1/journal/posts?order=up&${key}=1&catagories=a`)
  expect(response.headers.get('x-ignored-parameters')).toBe('qk_%E2%80%A6, catagories')
})

describe('the limit of a handler', () => {
  const clientAddress = (request: Request) => request.headers.get('x-test-address') ?? ''
  const limited = (options: HandlerOptions = { clientAddress }) =>
    open({ rateLimit: '2/60', ...options })
  const statuses = async (ask: ReturnType<typeof open>, address: string, paths: string[]) => {
    const found = []
    const headers: Record<string, string> = { 'x-test-address': address }
    for (const path of paths) found.push((await ask(path, { headers })).status)
    return found
  }
  const posts = '/v1/journal/posts'

  it.each([
    [
      [posts, posts, posts],
      [200, 200, 429],
    ],
    // A closed workspace counts as none.
    [
      ['/v1/vault/posts', '/v1/nobody/posts', '/v1/vault/posts', '/v1/nobody/posts'],
      [404, 404, 429, 429],
    ],
    // Documents and redirects count apart from content, and `/status` not at all.
    [
      ['/', '/openapi.json', '/status', '/a/', '/status', posts],
      [200, 200, 200, 429, 200, 200],
    ],
  ])('of an address, for %j, gives %j', async (paths, expected) => {
    const ask = limited()
    expect(await statuses(ask, '192.0.2.1', paths)).toEqual(expected)
    expect(await statuses(ask, '192.0.2.2', paths.slice(0, 1))).toEqual(expected.slice(0, 1))
  })
})

it('`http` sets the cache times of v1 and the origins whose pages may read it', async () => {
  const cacheControl = 'public, max-age=10, stale-if-error=60'
  const cors = ['https://a.example', 'https://b.example']
  const own = new TemporarySite({ http: { cacheControl, cors } })
  own.write('content/acme/workspace.yml', 'references: create\n')
  await own.post('one').build()
  const served = { site: await openBuild(createFileStorage(`${own.out}/function`)) }
  const ask = async (path: string, origin: string) => {
    const request = new Request(`https://content.example${path}`, { headers: { origin } })
    const { headers } = await createHandler(served)(request)
    return ['access-control-allow-origin', 'vary', 'cache-control'].map((name) => headers.get(name))
  }
  const open = ['https://b.example', 'Origin']
  expect(await ask('/v1/acme/posts', 'https://b.example')).toEqual([...open, cacheControl])
  expect(await ask('/v1/acme/posts/no', 'https://b.example')).toEqual([...open, 'no-store'])
  expect(await ask('/v1/acme/posts', 'https://c.example')).toEqual([null, 'Origin', cacheControl])
  own.post('later', { publishedAt: '2999-01-01' })
  const now = () => Date.UTC(2999, 0, 1) - 5000
  await own.build()
  const scheduled = { site: await openBuild(createFileStorage(`${own.out}/function`)) }
  const response = await createHandler(scheduled, { now })(
    new Request('https://content.example/v1/acme/posts'),
  )
  expect(response.headers.get('cache-control')).toBe('public, max-age=5')
  rmSync(own.folder, { recursive: true })
})
