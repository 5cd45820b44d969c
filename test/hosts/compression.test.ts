import { rmSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseEncoding, compressedStreamsMax, compressing } from '../../src/hosts/compression.ts'
import type { HttpReply } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { fixtureNow, writeFixture } from '../conformance/fixture.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let served: ServedFolder
let handler: Responder
let plain: Responder

beforeAll(async () => {
  writeFixture(site.content)
  // The oldest ones: on no first page, but in `limit=all`, which is sent in pieces because of them.
  for (const name of ['long-1', 'long-2']) site.write(`content/acme/posts/${name}.md`, longPost())
  await site.build()
  served = await serveFolder(site.out)
  plain = served.handler({ now: () => fixtureNow })
  handler = compressing(plain)
})

afterAll(() => {
  served.close()
  rmSync(site.folder, { recursive: true })
})

describe('the encoding', () => {
  it.each<[string | null, string | null]>([
    [null, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip;q=0.5', 'br'],
    ['gzip;q=0', null],
    ['gzip; q=0.0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0, br;q=0, *;q=1', null],
    ['deflate, zstd, compress', null],
    ['gzip;q=nonsense', null],
    [';q=1,,', null],
  ])('for %j is %j', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding)
  })
})

describe.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('an answer in %s', (encoding, decode) => {
  const headers = { 'accept-encoding': encoding }

  it.each(['/v1/acme/posts', '/v1/acme/posts?limit=all', '/openapi.json'])(
    'to %s is the plain one, smaller',
    async (target) => {
      const whole = await askHandler(plain, target)
      const small = await askHandler(handler, target, { headers })
      expect(small.header('content-encoding')).toBe(encoding)
      expect(decode(small.bytes).toString()).toBe(whole.text)
      expect(small.bytes.length).toBeLessThan(whole.bytes.length)
      const again = await askHandler(handler, target, { headers })
      expect(again.bytes).toEqual(small.bytes)
    },
  )

  it('says its own length, unless it is made in pieces', async () => {
    const small = await askHandler(handler, '/v1/acme/posts', { headers })
    expect(small.header('content-length')).toBe(String(small.bytes.length))
    const streamed = await askHandler(handler, '/v1/acme/posts?limit=all', { headers })
    const whole = await askHandler(plain, '/v1/acme/posts?limit=all')
    expect(whole.bytes.length).toBeGreaterThan(1024 * 1024)
    expect(streamed.header('content-length')).toBeNull()
    expect(decode(streamed.bytes).equals(whole.bytes)).toBe(true)
  })

  it('has a tag of its own, which a second request may name', async () => {
    const whole = await askHandler(handler, '/v1/acme/posts')
    const small = await askHandler(handler, '/v1/acme/posts', { headers })
    const tag = small.header('etag') ?? ''
    expect(tag).toBe(whole.header('etag')?.replace(/"$/, `-${encoding}"`))
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const second = await askHandler(handler, '/v1/acme/posts', {
        headers: { ...headers, 'if-none-match': known },
      })
      expect([second.status, second.bytes.length, second.header('etag')]).toEqual([304, 0, tag])
      expect(second.header('vary')).toBe('Accept-Encoding')
    }
  })

  it('confirms the tag of a short answer without the mark that it never had', async () => {
    const target = '/v1/acme/categories/news'
    const short = await askHandler(handler, target, { headers })
    expect(short.header('content-encoding')).toBeNull()
    const tag = short.header('etag') ?? ''
    const second = await askHandler(handler, target, {
      headers: { ...headers, 'if-none-match': tag },
    })
    expect([second.status, second.header('etag')]).toEqual([304, tag])
  })

  it('has no body for HEAD, and the headers that GET has', async () => {
    const got = await askHandler(handler, '/v1/acme/posts', { headers })
    const head = await askHandler(handler, '/v1/acme/posts', { headers, method: 'HEAD' })
    expect(head.bytes).toHaveLength(0)
    for (const name of ['etag', 'vary', 'content-encoding', 'content-type', 'cache-control']) {
      expect(head.header(name), name).toBe(got.header(name))
    }
    // Either that of GET or, as here, not said (RFC 9110 §8.6).
    expect([null, got.header('content-length')]).toContain(head.header('content-length'))
  })
})

describe('every answer that could be encoded', () => {
  it('says that it varies, also where it is not', async () => {
    for (const target of ['/v1/acme/posts', '/v1/acme/categories/news']) {
      expect((await askHandler(handler, target)).header('vary')).toBe('Accept-Encoding')
    }
    const headers = { authorization: `Bearer ${served.keyOf('acme')}`, 'accept-encoding': 'br' }
    const { header } = await askHandler(handler, '/v2/posts', { headers })
    expect(header('vary')).toBe('Authorization, Accept-Encoding')
  })

  it('is left alone where it is an error or a redirect', async () => {
    const headers = { 'accept-encoding': 'br' }
    for (const target of ['/v1/acme/posts?limit=0', '/nothing', '/v1/acme/posts/']) {
      const reply = await askHandler(handler, target, { headers })
      expect(reply.header('content-encoding')).toBeNull()
      expect(reply.text).toBe((await askHandler(plain, target)).text)
    }
  })
})

/** 600 kB in a block of code, which is the quickest to render. */
function longPost(): string {
  const code = 'lorem ipsum dolor sit amet\n'.repeat(22_000)
  return `---\ntitle: Long\ncategory: news\npublishedAt: 2024-01-01\n---\n~~~\n${code}~~~\n`
}

describe('long answers in pieces', () => {
  const headers = { 'accept-encoding': 'br' }
  const ask = () =>
    handler({
      method: 'GET',
      target: '/v1/acme/posts?limit=all',
      clientAddress: '192.0.2.1',
      header: (name) => (name === 'accept-encoding' ? headers[name] : null),
    })
  const isCompressed = (reply: HttpReply) =>
    reply.headers.some(([name]) => name === 'content-encoding')

  it('are compressed a few at once, and go out as they are beyond that', async () => {
    const busy = []
    for (let count = 0; count < compressedStreamsMax; count++) {
      const reply = await ask()
      expect(isCompressed(reply)).toBe(true)
      const fragments = partsOf(reply)
      await fragments.next()
      busy.push(fragments)
    }
    const plainReply = await ask()
    expect(isCompressed(plainReply)).toBe(false)
    expect(plainReply.headers).toContainEqual(['vary', 'Accept-Encoding'])
    await busy[0]?.return(undefined)
    expect(isCompressed(await ask())).toBe(true)
    for (const fragments of busy) await fragments.return(undefined)
  })

  function partsOf({ body }: HttpReply): AsyncGenerator<Uint8Array> {
    if (body === null || body instanceof Uint8Array) throw new Error('the answer is in one piece')
    return body as AsyncGenerator<Uint8Array>
  }
})
