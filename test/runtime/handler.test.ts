import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { createHandler, type HandlerOptions } from '../../src/runtime/handler.ts'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import type { ServedSite } from '../../src/runtime/site.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { fixtureNow, writeFixture } from '../conformance/fixture.ts'
import fc from '../support/fast-check.ts'
import { containsKey, spellings } from '../support/spelled-key.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const host = 'https://content.example'
let storage: Storage
let bundle: { readonly site: ServedSite }

beforeAll(async () => {
  writeFixture(site.content)
  for (const name of ['long-1', 'long-2']) {
    const code = 'lorem ipsum dolor sit amet\n'.repeat(22_000)
    const fields = `title: ${name}\ncategory: news\npublishedAt: 2001-01-01`
    site.write(`content/acme/posts/${name}.md`, `---\n${fields}\n---\n~~~\n${code}~~~\n`)
  }
  await site.build()
  storage = createFileStorage(`${site.out}/function`)
  bundle = { site: await openBuild(storage) }
})

afterAll(() => {
  rmSync(site.folder, { recursive: true })
})

function open(options: HandlerOptions = {}) {
  const handler = createHandler(bundle, { now: () => fixtureNow, ...options })
  return (path: string, init?: RequestInit) => handler(new Request(`${host}${path}`, init))
}

describe('a handler', () => {
  it('repeats no key of a request, however it is spelled', async () => {
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
          `/v1/acme/posts?${spelled}=1`,
          `/v1/acme/posts?key=${spelled}`,
          `/v1/acme/posts?strict=true&${spelled}=1`,
          `/v1/acme/posts?fields.${spelled}[gte]=1`,
          `/v1/acme/posts?include=${spelled}`,
          `/v1/acme/posts?limit=${spelled}&page=${spelled}&order=${spelled}`,
          `/v1/acme/posts/${spelled}`,
          `/v1/acme/changes?since=${spelled}`,
          `/v1/${spelled}/posts`,
          `/v2/${spelled}`,
          `/${spelled}`,
        ]) {
          expect([target, await repeats(target)]).toEqual([target, false])
        }
      }),
      { numRuns: 20 },
    )
    const response = await ask(`/v1/acme/posts?order=up&${key}=1&catagories=a`)
    expect(response.headers.get('x-ignored-parameters')).toBe('qk_%E2%80%A6, catagories')
  })

  it('sends a long answer in pieces, and makes none that nobody reads', async () => {
    const response = await open()('/v1/acme/posts?limit=all')
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(first?.value?.length).toBeGreaterThan(64 * 1024)
    await reader?.cancel()
    const whole = await (await open()('/v1/acme/posts?limit=all')).text()
    expect(whole.length).toBeGreaterThan(1024 * 1024)
    expect(JSON.parse(whole).pagination.nextPage).toBeNull()
  })

  it('knows the keys of the environment', async () => {
    const key = encodeKey(new Uint8Array(32).fill(200))
    const ask = open({ environmentKeys: `acme:${hashKey(key)}` })
    expect((await ask('/v2/posts')).status).toBe(401)
    const response = await ask('/v2/posts', { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
  })

  it.each<[string, HandlerOptions]>([
    ['malformed', { environmentKeys: 'nonsense' }],
    [
      "another workspace's",
      { environmentKeys: `elsewhere:${'a'.repeat(64)} elsewhere2:${'a'.repeat(64)}` },
    ],
  ])('is not made with keys that are %s', (_, options) => {
    expect(() => open(options)).toThrow(expect.objectContaining({ name: 'KeyringError' }))
  })

  it('is not made with a limit that is malformed', () => {
    expect(() => open({ rateLimit: 'often' })).toThrow(RangeError)
  })
})

describe('the limit of a handler', () => {
  const rateLimit = '2/60'
  const clientAddress = (request: Request) => request.headers.get('x-test-address') ?? ''
  const from = (address: string) => ({ headers: { 'x-test-address': address } })
  const statuses = async (ask: ReturnType<typeof open>, init: RequestInit, paths: string[]) => {
    const found = []
    for (const path of paths) found.push((await ask(path, init)).status)
    return found
  }

  it('counts an address in each workspace apart', async () => {
    const ask = open({ rateLimit, clientAddress })
    const posts = '/v1/acme/posts'
    expect(await statuses(ask, from('192.0.2.1'), [posts, posts, posts])).toEqual([200, 200, 429])
    expect(await statuses(ask, from('192.0.2.2'), [posts])).toEqual([200])
  })

  it('does not tell a closed workspace from none', async () => {
    const ask = open({ rateLimit, clientAddress })
    const paths = ['/v1/secret/posts', '/v1/nobody/posts', '/v1/secret/posts', '/v1/nobody/posts']
    expect(await statuses(ask, from('192.0.2.3'), paths)).toEqual([404, 404, 429, 429])
  })

  it('counts nobody whose address is not known', async () => {
    const ask = open({ rateLimit })
    const posts = '/v1/acme/posts'
    expect(await statuses(ask, {}, [posts, posts, posts, posts])).toEqual([200, 200, 200, 200])
  })

  it('is 200 in 10 s when nothing is said', async () => {
    const response = await open({ clientAddress })('/v1/acme/posts', from('192.0.2.4'))
    expect(response.headers.get('ratelimit-limit')).toBe('200')
    expect(response.headers.get('ratelimit-reset')).toBe('10')
  })
})
