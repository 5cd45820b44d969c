// The Node server, spoken to byte by byte.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { compressing } from '../../src/hosts/compression.ts'
import {
  type ListenOptions,
  listen,
  type NodeServer,
  type ResponseEntry,
} from '../../src/hosts/server.ts'
import type { HttpReply } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let handler: Responder
let server: NodeServer
let key = ''

beforeAll(async () => {
  site.write('content/acme/categories/news.md', '---\nname: News\n---\n')
  await site.posts(12).build()
  const served = await serveFolder(site.out)
  key = served.keyOf('acme')
  handler = served.handler()
  server = await listen(handler, { host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close(0))

/** A server until the end of the test. */
async function open(service: Responder, options: Partial<ListenOptions> = {}): Promise<NodeServer> {
  const opened = await listen(service, { host: '127.0.0.1', port: 0, ...options })
  onTestFinished(() => opened.close(0))
  return opened
}

const end = 'Host: x\r\nConnection: close\r\n\r\n'

describe('a raw request', () => {
  it.each<[string, string, number]>([
    ['of a path', 'GET /v1/acme/posts HTTP/1.1', 200],
    ['in absolute form', 'GET https://user@evil.example:81/v1/acme/posts HTTP/1.1', 200],
    ['in absolute form without a path', 'GET http://example.com?limit=0 HTTP/1.1', 200],
    ['in asterisk form', 'OPTIONS * HTTP/1.1', 204],
    ['of an unknown method', 'FROBNICATE /v1/acme/posts HTTP/1.1', 400],
    ['of a rare method', 'PROPFIND /v1/acme/posts HTTP/1.1', 405],
    ['of HTTP/1.0', 'GET /status HTTP/1.0', 200],
    ['of another protocol', 'HELO example.com', 400],
    ['with a NUL in its target', 'GET /v1/acme/posts\0 HTTP/1.1', 400],
    ['with bytes that are no ASCII', 'GET /v1/acme/posts/\xfc\xff HTTP/1.1', 400],
    ['with encoded dot segments', 'GET /v1/acme/posts/%2e%2e%2fmanifest.json HTTP/1.1', 404],
    ['with a long target', `GET /v1/acme/posts?x=${'y'.repeat(8 * 1024)} HTTP/1.1`, 414],
    ['with a target of 100 kB', `GET /v1/acme/posts?x=${'y'.repeat(100_000)} HTTP/1.1`, 414],
  ])('%s is answered', async (_, line, status) => {
    expect(statusOf(await exchange(`${line}\r\n${end}`))).toBe(status)
  })

  it.each<[string, string, number]>([
    ['a header just within the limit', `X-Long: ${'y'.repeat(16_000)}`, 200],
    ['a header that is too long', `X-Long: ${'y'.repeat(17_000)}`, 431],
    ['headers that are far too long together', `${'X-Long: y\r\n'.repeat(20_000)}X: y`, 431],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5', 400],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked', 400],
    ['a blank before the colon', 'Host : y', 400],
    ['an expectation that nobody meets', 'Expect: miracles', 200],
    ['an upgrade', 'Upgrade: websocket\r\nConnection: Upgrade, close', 200],
    ['a second host behind three thousand other headers', `${'a:\r\n'.repeat(3000)}Host: y`, 400],
  ])('with %s is answered', async (_, header, status) => {
    expect(statusOf(await exchange(`GET /status HTTP/1.1\r\n${header}\r\n${end}`))).toBe(status)
  })

  it('without a host is 400 in HTTP/1.1, in the form of its version', async () => {
    const raw = await exchange('GET /v1/acme/posts HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(raw).toMatch(/^HTTP\/1\.1 400 .*\{"error":"Bad Request","details":null,/s)
    expect(statusOf(await exchange('GET /v1/acme/posts HTTP/1.0\r\n\r\n'))).toBe(200)
  })

  it.each([
    ['GET /v2/posts?x=', 'y', 414],
    ['GET /v2/posts HTTP/1.1\r\nX: ', 'y ', 431],
  ])('that comes bit by bit is refused for what is too long: %j', async (start, letter, status) => {
    const socket = await opened(server.url)
    const received = new Promise<string>((resolve) => {
      socket.once('data', (part) => resolve(String(part)))
    })
    socket.on('error', () => undefined).write(start)
    const timer = setInterval(() => socket.write(letter.repeat(4000)), 2)
    expect(await received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*"message":`, 's'))
    clearInterval(timer)
    socket.destroy()
  })

  it('with a body is answered, and so is the one behind it', async () => {
    const raw = await exchange(
      `GET /status HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /no HTTP/1.1\r\n${end}`,
    )
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  it('with two Authorization headers opens nothing', async () => {
    const header = `Authorization: Bearer ${key}\r\n`
    expect(statusOf(await exchange(`GET /v2/posts HTTP/1.1\r\n${header}${end}`))).toBe(200)
    expect(statusOf(await exchange(`GET /v2/posts HTTP/1.1\r\n${header}${header}${end}`))).toBe(401)
  })

  it.each(['//evil.example/', '/\\evil.example/', 'http://x//evil.example/'])(
    'of %s does not lead to another site',
    async (target) => {
      const raw = await exchange(`GET ${target} HTTP/1.1\r\n${end}`)
      expect(raw).toMatch(/^HTTP\/1\.1 308 .*\r\nlocation: \/(?![/\\])/is)
    },
  )

  it.each([
    ['GET /v1/acme/posts?query=é HTTP/1.1\r\nHost: x\r\n\r\n', true],
    ['nonsense\r\n\r\n', false],
  ])('that is no HTTP is told how to write its target, if that is why: %j', async (bytes, is) => {
    const raw = await exchange(bytes)
    expect(statusOf(raw)).toBe(400)
    expect(raw.includes('Percent-encode what is not ASCII in its target as UTF-8')).toBe(is)
  })

  it.each([
    [900, '900'],
    [901, 'null'],
  ])('has a body of %i bytes, which is read up to a limit', async (length, read) => {
    const { url } = await open(async ({ readBody }) => {
      const bytes = await readBody?.(900)
      return replyWith(Buffer.from(String(bytes?.length ?? null)))
    })
    const body = `Content-Length: ${length}\r\n${end}${'x'.repeat(length)}`
    expect(await exchange(`POST / HTTP/1.1\r\n${body}`, url)).toContain(`\r\n${read}\r\n`)
  })
})

describe('a response in parts', () => {
  it('that fails on its way is cut, not ended, and reported', async () => {
    const errors: unknown[] = []
    const { url } = await open(() => replyWith(failingParts()), {
      onError: (...error) => errors.push(error),
    })
    const raw = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\n', url)
    expect(raw).toContain('first')
    expect(raw).not.toMatch(/0\r\n\r\n$/)
    expect(errors).toEqual([[expect.any(Error), 'some-id']])
  })

  it('stops being made when its reader has gone, or takes nothing', async () => {
    for (const isGone of [true, false]) {
      let isEnded = false
      const onEnd = () => {
        isEnded = true
      }
      const patience = { headers: 200, request: 400, idle: 200, stalled: 400 }
      const { url } = await open(() => replyWith(endlessParts(onEnd)), { patience })
      const socket = (await opened(url)).on('error', () => undefined)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      if (isGone) socket.once('data', () => socket.destroy())
      await expect.poll(() => isEnded, { timeout: 10_000 }).toBe(true)
      socket.destroy()
    }
  })

  it('leaves the event loop a turn after each part', async () => {
    let turns = 0
    const { url } = await open(() => replyWith(manyParts(200)))
    const count = () => {
      turns += 1
      immediate = setImmediate(count)
    }
    let immediate = setImmediate(count)
    await (await fetch(url)).arrayBuffer()
    clearImmediate(immediate)
    expect(turns).toBeGreaterThanOrEqual(100)
  })

  it('has no other response in the middle of it, whatever comes behind its request', async () => {
    const { url } = await open(() => replyWith(manyParts(200)))
    const raw = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\n\0nonsense\r\n\r\n', url)
    expect(raw).not.toContain('not valid HTTP')
  })
})

describe('a slow client', () => {
  const patience = { headers: 200, request: 400, idle: 200, stalled: 60_000 }

  it.each([
    [
      'sends its headers letter by letter',
      'GET /status HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      /^(HTTP\/1\.1 4|$)/,
    ],
    [
      'never ends its body',
      'POST /status HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n',
      / 405 /,
    ],
    ['asks for nothing more', 'GET /status HTTP/1.1\r\nHost: x\r\n\r\n', /"status":"ok"/],
  ])('that %s is cut off', async (_, beginning, expected) => {
    const { url } = await open(handler, { patience })
    expect(await exchange(beginning, url, { slowly: !beginning.includes('GET') })).toMatch(expected)
  })
})

describe('closing', () => {
  it('waits for the response under way, takes no new connection, and drops silent ones', async () => {
    const asked = deferred()
    const released = deferred()
    const waiting = await open(async (request) => {
      asked.resolve()
      await released.promise
      return handler(request)
    })
    await opened(waiting.url)
    const pending = fetch(`${waiting.url}/v1/acme/posts`)
    await asked.promise
    const closed = waiting.close(60_000)
    await expect(fetch(`${waiting.url}/status`)).rejects.toThrow()
    released.resolve()
    const response = await pending
    expect(response.headers.get('connection')).toBe('close')
    expect(JSON.parse(await response.text()).posts).toHaveLength(10)
    await closed
  })

  it('ends when its time is up', async () => {
    const asked = deferred()
    const stuck = await listen(
      () => {
        asked.resolve()
        return new Promise(() => undefined)
      },
      { host: '127.0.0.1', port: 0 },
    )
    const failed = fetch(stuck.url).catch((error: unknown) => error)
    await asked.promise
    await stuck.close(0)
    expect(await failed).toBeInstanceOf(Error)
  })
})

describe('listening', () => {
  it('fails with its code where the port is taken', async () => {
    const port = Number(new URL(server.url).port)
    const listening = listen(handler, { host: '127.0.0.1', port })
    await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('tells of every response once, with what was asked', async () => {
    const entries: ResponseEntry[] = []
    const { url } = await open(handler, { onResponse: (entry) => entries.push(entry) })
    const target = '/v1/acme/posts?limit=2'
    const response = await fetch(`${url}${target}`)
    await response.text()
    expect(response.headers.get('server-timing')).toBeNull()
    await expect.poll(() => entries.length).toBe(1)
    expect(entries).toMatchObject([{ method: 'GET', target, clientAddress: '127.0.0.1' }])
  })
})

describe('a compressed response', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, identity', null],
  ])('for %j has the encoding %j, the same bytes and the same tag', async (accepted, encoding) => {
    const { url } = await open(handler, { prepare: compressing })
    const target = `${url}/v1/acme/posts`
    const response = await fetch(target, { headers: { 'accept-encoding': accepted } })
    const etag = response.headers.get('etag') ?? ''
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(await response.text()).toBe(await (await fetch(`${server.url}/v1/acme/posts`)).text())
    const headers = { 'accept-encoding': accepted, 'if-none-match': etag }
    const { status, headers: confirmed } = await fetch(target, { headers })
    expect([status, confirmed.get('vary')]).toEqual([304, 'Accept-Encoding'])
  })

  it('ends where its reader leaves', async () => {
    let isEnded = false
    const onEnd = () => {
      isEnded = true
    }
    const { url } = await open(
      () => ({
        ...replyWith(endlessParts(onEnd)),
        headers: [['content-type', 'application/json']],
      }),
      { prepare: compressing },
    )
    const controller = new AbortController()
    const headers = { 'accept-encoding': 'br' }
    await fetch(url, { headers, signal: controller.signal })
    controller.abort()
    await expect.poll(() => isEnded, { timeout: 10_000 }).toBe(true)
  })
})

function replyWith(body: NonNullable<HttpReply['body']>): HttpReply {
  return { status: 200, headers: [['x-request-id', 'some-id']], body, source: 'none' }
}

async function* failingParts(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first')
  await new Promise((resolve) => setImmediate(resolve))
  throw new RangeError('the file ends')
}

async function* manyParts(count: number): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < count; part++) yield new Uint8Array(1)
}

async function* endlessParts(onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield new Uint8Array(64 * 1024)
  } finally {
    onEnd()
  }
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

function statusOf(raw: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(raw)?.[1])
}

/** Sends bytes (Latin-1), then letters if `slowly`, and reads until the server ends the connection. */
async function exchange(
  bytes: string,
  url: string = server.url,
  { slowly = false }: { slowly?: boolean } = {},
): Promise<string> {
  const socket = await opened(url)
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  const closed = new Promise((resolve) => socket.once('error', resolve).once('close', resolve))
  socket.write(Buffer.from(bytes, 'latin1'))
  const timer = setInterval(() => slowly && socket.write('y'), 20)
  await closed
  clearInterval(timer)
  return Buffer.concat(parts).toString('latin1')
}

function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket))
    socket.once('error', reject)
  })
}
