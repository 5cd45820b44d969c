import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressing } from '../../src/hosts/compression.ts'
import { listen, type NodeServer, type ResponseEntry } from '../../src/hosts/server.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { fixtureNow, writeFixture } from '../conformance/fixture.ts'
import { type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const entries: ResponseEntry[] = []
const errors: (readonly [error: unknown, requestId: string])[] = []
let served: ServedFolder
let handler: Responder
let server: NodeServer

beforeAll(async () => {
  writeFixture(site.content)
  await site.build()
  served = await serveFolder(site.out)
  handler = compressing(served.handler({ now: () => fixtureNow }))
  server = await open(handler)
})

afterAll(async () => {
  await server.close(0)
  served.close()
  rmSync(site.folder, { recursive: true })
})

function open(service: Responder): Promise<NodeServer> {
  return listen(service, {
    host: '127.0.0.1',
    port: 0,
    onResponse: (entry) => entries.push(entry),
    onError: (error, requestId) => errors.push([error, requestId]),
  })
}

interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

describe('a raw request', () => {
  it.each<[string, string, number]>([
    ['of a path', 'GET /v1/acme/posts HTTP/1.1', 200],
    ['in absolute form', 'GET http://example.com/v1/acme/posts?limit=3 HTTP/1.1', 200],
    [
      'in absolute form of another site',
      'GET https://user@evil.example:81/v1/acme/posts HTTP/1.1',
      200,
    ],
    ['in absolute form without a path', 'GET http://example.com HTTP/1.1', 200],
    ['in absolute form with a query alone', 'GET http://example.com?limit=0 HTTP/1.1', 200],
    ['in asterisk form', 'OPTIONS * HTTP/1.1', 204],
    ['in asterisk form with another method', 'GET * HTTP/1.1', 404],
    ['of a proxy', 'CONNECT example.com:443 HTTP/1.1', 405],
    ['with a fragment', 'GET /v1/acme/posts#part HTTP/1.1', 404],
    ['of a method that nobody knows', 'FROBNICATE /v1/acme/posts HTTP/1.1', 400],
    ['of a rare method', 'PROPFIND /v1/acme/posts HTTP/1.1', 405],
    ['of a lower-case method', 'get /v1/acme/posts HTTP/1.1', 400],
    ['of HTTP/1.0', 'GET /status HTTP/1.0', 200],
    ['of another HTTP', 'GET /status HTTP/3.7', 400],
    ['of another protocol', 'HELO example.com', 400],
    ['with a blank in its target', 'GET /v1/acme/posts /x HTTP/1.1', 400],
    ['with a NUL in its target', 'GET /v1/acme/posts\0 HTTP/1.1', 400],
    ['with a tab in its target', 'GET /\t/evil.example/ HTTP/1.1', 400],
    ['with bytes that are no ASCII', 'GET /v1/acme/posts/\xfc\xff HTTP/1.1', 400],
    ['with a trailing slash behind such bytes', 'GET /\xfc\xff/ HTTP/1.1', 400],
    ['with dot segments', 'GET /v1/acme/posts/../../../manifest.json HTTP/1.1', 404],
    [
      'with encoded dot segments',
      'GET /v1/acme/posts/%2e%2e%2f%2e%2e%2fmanifest.json HTTP/1.1',
      404,
    ],
    ['with encoding that is none', 'GET /v1/acme/posts/%zz HTTP/1.1', 400],
    ['with many slashes', 'GET ///v1//acme HTTP/1.1', 404],
    ['with a long target', `GET /v1/acme/posts?x=${'y'.repeat(8 * 1024)} HTTP/1.1`, 414],
    ['with a far too long target', `GET /v1/acme/posts?x=${'y'.repeat(20 * 1024)} HTTP/1.1`, 414],
    ['with a target of 100 kB', `GET /v1/acme/posts?x=${'y'.repeat(100_000)} HTTP/1.1`, 414],
  ])('%s is answered', async (_, line, status) => {
    const [handle] = await exchange(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(handle?.status).toBe(status)
    expectJson(handle)
  })

  it.each<[string, string, number]>([
    ['a header that is too long', `X-Long: ${'y'.repeat(17_000)}`, 431],
    ['a header that is far too long', `X-Long: ${'y'.repeat(100_000)}`, 431],
    ['headers that are too long together', `${'X-Long: y\r\n'.repeat(1600)}X: y`, 431],
    ['headers that are far too long together', `${'X-Long: y\r\n'.repeat(20_000)}X: y`, 431],
    ['a header just within the limit', `X-Long: ${'y'.repeat(16_000)}`, 200],
    ['many headers', Array.from({ length: 300 }, (_, i) => `X-${i}: y`).join('\r\n'), 200],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5', 400],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked', 400],
    ['a length that is no number', 'Content-Length: 1e3', 400],
    ['a length below nothing', 'Content-Length: -1', 400],
    ['chunks of another coding', 'Transfer-Encoding: chunked, identity', 400],
    ['a folded header', 'X-Folded: a\r\n b', 400],
    ['a header without a name', ': nameless', 400],
    ['a blank before the colon', 'Host : y', 400],
    ['an expectation that nobody meets', 'Expect: miracles', 200],
    ['an upgrade', 'Upgrade: websocket\r\nConnection: Upgrade, close', 200],
    ['a second host', 'Host: y', 400],
    ['a second host behind three thousand other headers', `${'a:\r\n'.repeat(3000)}Host: y`, 400],
  ])('with %s is answered', async (_, header, status) => {
    const [handle] = await exchange(
      `GET /status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`,
    )
    expect(handle?.status).toBe(status)
    expectJson(handle)
  })

  it('without a host is 400 in HTTP/1.1, in the form of its version', async () => {
    const [first] = await exchange('GET /v1/acme/posts HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(first?.status).toBe(400)
    expect(Object.keys(expectJson(first))).toEqual(['error', 'details', 'message'])
    const [old] = await exchange('GET /v1/acme/posts HTTP/1.0\r\n\r\n')
    expect(old?.status).toBe(200)
  })

  it('with a body is answered, and so is the one behind it', async () => {
    const responses = await exchange(
      'GET /status HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello' +
        `GET /v1/acme/posts/a HTTP/1.1\r\nHost: x\r\nContent-Length: 16384\r\n\r\n${'x'.repeat(16_384)}` +
        'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404])
  })

  it.each([
    ['in chunks', 'POST /status', `Transfer-Encoding: chunked\r\n\r\n${chunksOf(1, 100)}`, 405],
    ['of many bytes', 'GET /nothing', `Content-Length: 9000000\r\n\r\n${'x'.repeat(9e6)}`, 404],
    ['of more bytes than are sent', 'GET /status', 'Content-Length: 16385\r\n\r\n', 200],
  ])('with a body %s is answered, and is the last one', async (_, line, rest, status) => {
    const next = 'GET /status HTTP/1.1\r\nHost: x\r\n\r\n'
    const responses = await exchange(`${line} HTTP/1.1\r\nHost: x\r\n${rest}${next}`)
    expect(responses.map((response) => response.status)).toEqual([status])
    expect(responses[0]?.headers.get('connection')).toBe('close')
  })

  it('with two Authorization headers opens nothing', async () => {
    const key = served.keyOf('acme')
    const headers = `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}`
    const [handle] = await exchange(
      `GET /v2/posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`,
    )
    expect(handle?.status).toBe(401)
    expectJson(handle)
  })

  it('never leads to another site', async () => {
    for (const target of [
      '//evil.example/',
      '/\\evil.example/',
      '///evil.example//',
      'http://x//evil.example/',
      '//evil.example/..//',
    ]) {
      const [handle] = await exchange(
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      )
      expect(handle?.status, target).toBe(308)
      expect(handle?.headers.get('location'), target).toMatch(/^\/(?![/\\])/)
    }
  })

  it('of HEAD has the length of GET and no body, on a connection that goes on', async () => {
    const get = 'GET /v1/acme/posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const [got] = await exchange(get)
    const [head, next] = await exchange(
      `HEAD /v1/acme/posts HTTP/1.1\r\nHost: x\r\n\r\n${get}`,
      (line, index) => index === 0 && line !== '',
    )
    expect(head?.headers.get('content-length')).toBe(String(Buffer.byteLength(got?.text ?? '')))
    expect(next?.text).toBe(got?.text)
  })
})

describe('the body of a request', () => {
  it.each<[string, string, string]>([
    ['of a length', 'Content-Length: 900\r\n\r\n'.concat('x'.repeat(900)), '900'],
    ['of a length over the limit', 'Content-Length: 901\r\n\r\n'.concat('x'.repeat(901)), 'null'],
    ['in a chunk', `Transfer-Encoding: chunked\r\n\r\n${chunksOf(900, 1)}`, '900'],
    ['in 7 chunks', `Transfer-Encoding: chunked\r\n\r\n${chunksOf(1, 7)}`, '7'],
    ['in 8 chunks', `Transfer-Encoding: chunked\r\n\r\n${chunksOf(1, 8)}`, 'null'],
    ['that is empty', 'Content-Length: 0\r\n\r\n', '0'],
  ])('is read up to a limit, to which each chunk adds 128 bytes: %s', async (_, rest, read) => {
    const reader = await open(async ({ readBody }) => {
      const bytes = await readBody?.(900)
      const body = Buffer.from(String(bytes?.length ?? null))
      return { status: 200, headers: [], body, source: 'none' }
    })
    const raw = await exchangeBytes(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`,
      reader.url,
    )
    await reader.close(0)
    expect(raw).toMatch(new RegExp(`\\r\\n\\r\\n${read}$`))
  })
})

function chunksOf(bytes: number, count: number): string {
  return `${`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count)}0\r\n\r\n`
}

describe('a request that is far too large', () => {
  it.each<[string, string, number, readonly string[]]>([
    [
      'a target of v1',
      `GET /v1/acme/posts?x=${'y'.repeat(60_000)}`,
      414,
      ['error', 'details', 'message'],
    ],
    ['a target of v2', `GET /v2/posts?x=${'y'.repeat(60_000)}`, 414, ['error', 'message']],
    [
      'a header',
      `GET /v1/acme/posts HTTP/1.1\r\nX: ${'y'.repeat(60_000)}`,
      431,
      ['error', 'details', 'message'],
    ],
    [
      'headers',
      `GET /v2/posts HTTP/1.1\r\n${`X: ${'y'.repeat(94)}\r\n`.repeat(600)}`,
      431,
      ['error', 'message'],
    ],
  ])(
    'is refused for what is too long, in the form of its version: %s',
    async (_, text, status, keys) => {
      const [handle] = await exchange(text)
      expect(handle?.status).toBe(status)
      expect(Object.keys(expectJson(handle))).toEqual(keys)
    },
  )

  it.each<[string, string, number]>([
    ['a target', `GET /v1/acme/posts?x=${'y'.repeat(60_000)}`, 414],
    ['a header', `GET /v1/acme/posts HTTP/1.1\r\nX: ${'y y'.repeat(20_000)}`, 431],
    ['headers', `GET /v2/posts HTTP/1.1\r\n${`X: ${'y'.repeat(94)}\r\n`.repeat(600)}`, 431],
  ])('is refused so where it comes bit by bit: %s', async (_, text, status) => {
    const socket = await opened(server.url)
    const received = new Promise<string>((resolve) => {
      socket.once('data', (part) => resolve(String(part)))
    })
    let isRefused = false
    void received.then(() => {
      isRefused = true
    })
    socket.on('error', () => {})
    for (let at = 0; at < text.length && !isRefused; at += 4000) {
      await new Promise<void>((resolve) => socket.write(text.slice(at, at + 4000), () => resolve()))
      // The server, in this process, reads meanwhile.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    }
    expect(await received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    socket.destroy()
  })
})

describe('what is no HTTP', () => {
  it.each([
    ['GET /v1/acme/posts?query=é HTTP/1.1\r\nHost: x\r\n\r\n', true],
    ['GET /v1/acme/posts?query=%C3%A9 HTTP/1.1\r\nHost: é\0\r\n\r\n', false],
    ['nonsense\r\n\r\n', false],
  ])('is told how to write its target, when that is the reason: %j', async (request, isRaw) => {
    const server = await open(handler)
    const raw = await exchangeBytes(request, server.url)
    await server.close(0)
    expect(raw).toMatch(/^HTTP\/1\.1 400 /)
    expect(raw.includes('Percent-encode what is not ASCII in its target as UTF-8')).toBe(isRaw)
  })
})

describe('nonsense behind a request', () => {
  it('does not get into the answer that is under way', async () => {
    const slow = await open(async (request) => {
      const reply = await handler(request)
      return { ...reply, body: inParts(reply.body), headers: withoutLength(reply.headers) }
    })
    const raw = await exchangeBytes(
      'GET /v1/acme/posts HTTP/1.1\r\nHost: x\r\n\r\n\0\0nonsense\r\n\r\n',
      slow.url,
    )
    await slow.close(0)
    expect(raw.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(raw).not.toContain('not valid HTTP')
  })
})

describe('an answer in pieces', () => {
  it('that fails on its way is cut, not ended, and reported', async () => {
    const failing = await open(async () => ({
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['x-request-id', 'cut'],
      ],
      body: failingParts(),
      source: 'index',
    }))
    const raw = await exchangeBytes('GET / HTTP/1.1\r\nHost: x\r\n\r\n', failing.url)
    await failing.close(0)
    expect(raw).toContain('first')
    expect(raw).not.toMatch(/0\r\n\r\n$/)
    await until(() => errors.length > 0)
    expect(errors).toEqual([[expect.any(Error), 'cut']])
  })

  it('stops being made when its reader has gone', async () => {
    let isEnded = false
    const endless = await open(async () => ({
      status: 200,
      headers: [],
      body: endlessParts(() => {
        isEnded = true
      }),
      source: 'index',
    }))
    const socket = await opened(endless.url)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    await until(() => isEnded)
    await endless.close(0)
  })
})

describe('a long body', () => {
  it('leaves the event loop a turn after each part, for other requests', async () => {
    let turns = 0
    let timer = setImmediate(function again() {
      turns += 1
      timer = setImmediate(again)
    })
    const long = await open(() => ({
      status: 200,
      headers: [],
      body: (async function* () {
        for (let part = 0; part < 200; part++) yield new Uint8Array(1)
      })(),
      source: 'index',
    }))
    await (await fetch(long.url)).arrayBuffer()
    clearImmediate(timer)
    await long.close(0)
    expect(turns).toBeGreaterThanOrEqual(200)
  })
})

describe('a slow client', () => {
  const patience = { headers: 200, request: 400, idle: 200, stalled: 400 }
  let strict: NodeServer

  beforeAll(async () => {
    strict = await listen(handler, { host: '127.0.0.1', port: 0, patience })
  })

  afterAll(() => strict.close(0))

  it('that sends its headers letter by letter is cut off', async () => {
    const raw = await exchangeSlowly('GET /status HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'y')
    expect(raw).toMatch(/^(HTTP\/1\.1 4|$)/)
  })

  it('that never ends its body is cut off', async () => {
    const head = 'POST /status HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'
    const raw = await exchangeSlowly(head, 'y')
    expect(raw).toContain('HTTP/1.1 405')
  })

  it('that asks for nothing more is cut off', async () => {
    const raw = await exchangeBytes('GET /status HTTP/1.1\r\nHost: x\r\n\r\n', strict.url)
    expect(raw).toContain('"status":"ok"')
  })

  it('that takes nothing of its answer is cut off', async () => {
    let isEnded = false
    const endless = await listen(
      () => ({
        status: 200,
        headers: [],
        body: endlessParts(() => {
          isEnded = true
        }),
        source: 'index',
      }),
      { host: '127.0.0.1', port: 0, patience },
    )
    const socket = await opened(endless.url)
    socket.pause()
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => isEnded)
    socket.destroy()
    await endless.close(0)
  })

  it.each(['', '\r\n', 'G', 'GET /status HTTP/1.1\r\nHost: x\r\n'])(
    'that sends only %j, and does not close its side, leaves its place to another',
    async (beginning) => {
      const stalled = 60_000
      const full = await listen(handler, {
        host: '127.0.0.1',
        port: 0,
        patience: { ...patience, stalled },
        connectionsMax: 8,
      })
      const status = 'GET /status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
      const askFrom = async (localAddress: string) =>
        (await exchangeBytes(status, full.url, { localAddress })).slice(0, 12)
      const held = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const socket = await opened(full.url, { allowHalfOpen: true })
          socket.on('error', () => {})
          socket.write(beginning)
          return socket
        }),
      )
      expect(await askFrom('127.0.0.1')).toBe('')
      expect(await askFrom('127.0.0.2')).toBe('HTTP/1.1 200')
      await expect.poll(() => askFrom('127.0.0.1'), { timeout: 10_000 }).toBe('HTTP/1.1 200')
      for (const socket of held) socket.destroy()
      await full.close(0)
    },
  )

  it('finds no place where all are taken', async () => {
    const full = await listen(handler, { host: '127.0.0.1', port: 0, connectionsMax: 2 })
    const ask = () => exchangeBytes('GET /status HTTP/1.1\r\nHost: x\r\n\r\n', full.url)
    const held = [
      await opened(full.url, { localAddress: '127.0.0.2' }),
      await opened(full.url, { localAddress: '127.0.0.3' }),
    ]
    expect(await ask()).toBe('')
    for (const socket of held) socket.destroy()
    await expect.poll(ask, { timeout: 10_000 }).toContain('HTTP/1.1 200')
    await full.close(0)
  })

  /** Sends a beginning, then one letter after the other, until the server ends the connection. */
  async function exchangeSlowly(beginning: string, letter: string): Promise<string> {
    const socket = await opened(strict.url)
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => {})
    socket.write(beginning)
    const timer = setInterval(() => socket.write(letter), 20)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
    return Buffer.concat(parts).toString('latin1')
  }
})

describe('closing', () => {
  it('waits for the answer under way and takes no new connection', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isAsked = false
    const waiting = await open(async (request) => {
      isAsked = true
      await held
      return handler(request)
    })
    const handle = fetch(`${waiting.url}/v1/acme/posts`)
    await until(() => isAsked)
    const closed = waiting.close(60_000)
    await expect(fetch(`${waiting.url}/status`)).rejects.toThrow()
    release()
    const response = await handle
    expect(response.headers.get('connection')).toBe('close')
    expect(JSON.parse(await response.text()).posts).toHaveLength(10)
    await closed
  })

  it('does not wait for connections that only stay open', async () => {
    const quiet = await open(handler)
    const socket = await opened(quiet.url)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    await quiet.close(60_000)
    await ended
  })

  it('ends when its time is up', async () => {
    let isAsked = false
    const stuck = await open(() => {
      isAsked = true
      return new Promise(() => {})
    })
    const handle = fetch(stuck.url).catch((error: unknown) => error)
    await until(() => isAsked)
    await stuck.close(0)
    expect(await handle).toBeInstanceOf(Error)
  })
})

describe('listening', () => {
  it('fails with its code where the port is taken', async () => {
    const port = Number(new URL(server.url).port)
    await expect(listen(handler, { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('tells of every answer once, with what was asked', async () => {
    entries.length = 0
    await (await fetch(`${server.url}/v1/acme/posts?limit=2`)).text()
    await until(() => entries.length > 0)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      method: 'GET',
      target: '/v1/acme/posts?limit=2',
      clientAddress: '127.0.0.1',
      reply: { status: 200 },
    })
  })

  it('reports no duration', async () => {
    const response = await fetch(`${server.url}/status`)
    expect(response.headers.get('server-timing')).toBeNull()
  })
})

/** JSON where there is content, readable from anywhere. */
function expectJson(handle: RawResponse | undefined): object {
  if (handle === undefined) throw new Error('there is no answer')
  expect(handle.headers.get('access-control-allow-origin')).toBe('*')
  if ([204, 304, 308].includes(handle.status)) return {}
  expect(handle.headers.get('content-type')).toBe('application/json')
  return JSON.parse(handle.text)
}

/** Every answer to some bytes, until the server ends the connection. */
async function exchange(
  bytes: string,
  isBodiless: (line: string, index: number) => boolean = () => false,
): Promise<readonly RawResponse[]> {
  let rest = await exchangeBytes(bytes, server.url)
  const responses: RawResponse[] = []
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    const pairs = fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1).trim()]
    })
    const headers = new Headers(pairs)
    const isEmpty = [204, 304].includes(status) || isBodiless(line, responses.length)
    const length = isEmpty ? 0 : Number(headers.get('content-length') ?? 0)
    const chunked =
      !isEmpty && headers.get('transfer-encoding') === 'chunked' ? '0\r\n\r\n'.length : 0
    responses.push({
      status,
      headers,
      text: Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString(),
    })
    rest = rest.slice(end + 4 + length + chunked)
  }
  return responses
}

/** Sends bytes (Latin-1) and reads until the other side ends. */
/** Options of `connect`, besides the place. */
interface ConnectOptions {
  readonly allowHalfOpen?: boolean
  readonly localAddress?: string
}

async function exchangeBytes(
  bytes: string,
  url: string,
  options: ConnectOptions = {},
): Promise<string> {
  const socket = await opened(url, options)
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  const closed = new Promise<void>((resolve) => {
    // The server may end before it has read everything.
    socket.once('error', () => resolve())
    socket.once('close', () => resolve())
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  await closed
  return Buffer.concat(parts).toString('latin1')
}

function opened(url: string, options: ConnectOptions = {}): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ...options }, () =>
      resolve(socket),
    )
    socket.once('error', reject)
  })
}

async function* inParts(body: Awaited<ReturnType<Responder>>['body']): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Uint8Array)) return
  for (let at = 0; at < body.length; at += 100) {
    await new Promise((resolve) => setImmediate(resolve))
    yield body.subarray(at, at + 100)
  }
}

function withoutLength(
  headers: Awaited<ReturnType<Responder>>['headers'],
): Awaited<ReturnType<Responder>>['headers'] {
  return headers.filter(([name]) => name !== 'content-length')
}

async function* failingParts(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first')
  await new Promise((resolve) => setImmediate(resolve))
  throw new RangeError('the block ends')
}

async function* endlessParts(onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield new Uint8Array(64 * 1024)
  } finally {
    onEnd()
  }
}

/** Looks again and again until something holds. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it never came to hold')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
