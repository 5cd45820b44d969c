import { rmSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseEncoding, compressing } from '../../src/hosts/compression.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let served: ServedFolder
let handler: Responder
let plain: Responder

beforeAll(async () => {
  site.write('content/acme/categories/news.md', '---\nname: News\n---\n').posts(12)
  // In `limit=all` alone, which is sent in parts because of them.
  const code = `~~~\n${'lorem ipsum dolor sit amet\n'.repeat(22_000)}~~~\n`
  for (const slug of ['one', 'two']) site.post(slug, { publishedAt: '2020-01-01' }, code)
  await site.build()
  served = await serveFolder(site.out)
  plain = served.handler()
  handler = compressing(plain)
})
afterAll(() => rmSync(site.folder, { recursive: true }))

it.each<[string | null, string | null]>([
  [null, null],
  ['identity', null],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['gzip; q=0.0', null],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, br;q=0, *;q=1', null],
  ['gzip;q=nonsense', null],
  [';q=1,,', null],
])('the encoding for %j is %j', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

describe.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a response in %s', (encoding, decode) => {
  const headers = { 'accept-encoding': encoding }

  it.each([
    ['/v1/acme/posts', true],
    ['/v1/acme/posts?limit=all', false],
    ['/openapi.json', true],
  ])('to %s is the plain one, smaller, with its length if it is known', async (target, isWhole) => {
    const whole = await askHandler(plain, target)
    for (let time = 0; time < 2; time++) {
      const small = await askHandler(handler, target, { headers })
      expect(small.header('content-encoding')).toBe(encoding)
      expect(decode(small.bytes).equals(whole.bytes)).toBe(true)
      expect(small.bytes.length).toBeLessThan(whole.bytes.length)
      const length = isWhole ? String(small.bytes.length) : null
      expect(small.header('content-length')).toBe(length)
    }
  })

  it('has a tag of its own, which a second request may name', async () => {
    const whole = await askHandler(handler, '/v1/acme/posts')
    const tag = whole.header('etag')?.replace(/"$/, `-${encoding}"`) ?? ''
    for (const known of [tag, `"x", W/${tag}`]) {
      const named = { headers: { ...headers, 'if-none-match': known } }
      const second = await askHandler(handler, '/v1/acme/posts', named)
      expect([second.status, second.bytes.length, second.header('etag')]).toEqual([304, 0, tag])
      expect(second.header('vary')).toBe('Accept-Encoding')
    }
    const short = await askHandler(handler, '/v1/acme/categories/news', { headers })
    expect(short.header('content-encoding')).toBeNull()
    const named = { headers: { ...headers, 'if-none-match': short.header('etag') ?? '' } }
    const again = await askHandler(handler, '/v1/acme/categories/news', named)
    expect([again.status, again.header('etag')]).toEqual([304, short.header('etag')])
  })

  it('has no body for HEAD, and the headers that GET has', async () => {
    const got = await askHandler(handler, '/v1/acme/posts', { headers })
    const head = await askHandler(handler, '/v1/acme/posts', { headers, method: 'HEAD' })
    expect(head.bytes).toHaveLength(0)
    for (const name of ['etag', 'vary', 'content-encoding', 'content-type', 'cache-control'])
      expect(head.header(name), name).toBe(got.header(name))
  })
})

it('every response says that it varies, but errors and redirects are left alone', async () => {
  expect((await askHandler(handler, '/v1/acme/posts')).header('vary')).toBe('Accept-Encoding')
  const headers = { authorization: `Bearer ${served.keyOf('acme')}`, 'accept-encoding': 'br' }
  const { header } = await askHandler(handler, '/v2/posts', { headers })
  expect(header('vary')).toBe('Authorization, Accept-Encoding')
  for (const target of ['/v1/acme/posts?limit=0', '/nothing', '/v1/acme/posts/']) {
    const reply = await askHandler(handler, target, { headers })
    expect(reply.header('content-encoding')).toBeNull()
    expect(reply.text).toBe((await askHandler(plain, target)).text)
  }
})
