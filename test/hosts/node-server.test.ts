// The Node server, spoken to byte by byte.
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compressing } from '../../src/cli/serve.ts'
import type { NodeServer } from '../../src/hosts/server.ts'
import type { HttpReply } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { listenWith } from '../support/process.ts'
import { serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let handler: Responder
let server: NodeServer
let key = ''

beforeAll(async () => {
  await site.write('content/acme/workspace.yml', 'references: create\n').posts(12).build()
  const served = await serveFolder(site.out)
  key = served.keyOf('acme')
  handler = served.handler()
  server = await listenWith(handler)
})

const end = 'Host: x\r\nConnection: close\r\n\r\n'
const y = (count: number) => 'y'.repeat(count)

describe('a raw request', () => {
  it.each<[string, number]>([
    ['GET /v1/acme/posts HTTP/1.1', 200],
    ['GET https://user@evil.example:81/v1/acme/posts HTTP/1.1', 200],
    ['OPTIONS * HTTP/1.1', 204],
    ['HELO example.com', 400],
    ['GET /v1/acme/posts\0 HTTP/1.1', 400],
    ['GET /v1/acme/posts/%2e%2e%2fmanifest.json HTTP/1.1', 404],
    [`GET /v1/acme/posts?x=${y(100_000)} HTTP/1.1`, 414],
    [`GET /status HTTP/1.1\r\nX-Long: ${y(16_000)}`, 200],
    [`GET /status HTTP/1.1\r\nX-Long: ${y(17_000)}`, 431],
    [`GET /status HTTP/1.1\r\n${'X-Long: y\r\n'.repeat(20_000)}X: y`, 431],
    ['GET /status HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked', 400],
    ['GET /status HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade, close', 200],
    [`GET /status HTTP/1.1\r\n${'a:\r\n'.repeat(3000)}Host: y`, 400],
  ])('%.70j is answered with %i', async (head, status) => {
    expect(statusOf(await exchange(`${head}\r\n${end}`))).toBe(status)
  })

  it.each(['FRY /v1/x', 'get /v1/x', 'CONNECT x:80'])('%s is a 405', async (line) => {
    const raw = await exchange(`${line} HTTP/1.1\r\n${end}`)
    expect([statusOf(raw), /^allow: (.*)$/im.exec(raw)?.[1]]).toEqual([405, 'GET, HEAD, OPTIONS'])
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

  it.each([
    [900, '900'],
    [901, 'null'],
  ])('has a body of %i bytes, which is read up to a limit', async (length, read) => {
    const { url } = await listenWith(async ({ readBody }) => {
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
    const onError = (...error: unknown[]) => errors.push(error)
    const { url } = await listenWith(() => replyWith(parts(1, { isFailing: true })), { onError })
    const raw = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\n', url)
    expect(raw).toContain('part')
    expect(raw).not.toMatch(/0\r\n\r\n$/)
    expect(errors).toEqual([[expect.any(RangeError), 'some-id']])
  })

  it.each([
    ['has gone', true, {}],
    ['takes nothing', false, {}],
    ['has gone, compressed or not', true, { prepare: compressing }],
  ])('stops being made when its reader %s', async (_, isGone, options) => {
    const onEnd = vi.fn()
    const timeouts = { headers: 200, request: 400, idle: 200, stalled: 400 }
    const { url } = await listenWith(() => replyWith(parts(Number.POSITIVE_INFINITY, { onEnd })), {
      timeouts,
      ...options,
    })
    const socket = (await opened(url)).on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n')
    if (isGone) socket.once('data', () => socket.destroy())
    await expect.poll(() => onEnd.mock.calls.length, { timeout: 10_000 }).toBe(1)
    socket.destroy()
  })

  it('has no other response in the middle of it, whatever comes behind its request', async () => {
    const { url } = await listenWith(() => replyWith(parts(200)))
    const raw = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\n\0nonsense\r\n\r\n', url)
    expect(raw).not.toContain('not valid HTTP')
  })
})

it.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, identity', null],
])('a response for %j has the encoding %j, its tag, the same bytes', async (accepted, encoding) => {
  const { url } = await listenWith(handler, { prepare: compressing })
  const [target, sent] = ['/v1/acme/posts', { 'accept-encoding': accepted }]
  const response = await fetch(url + target, { headers: sent })
  const namesOf = ({ headers }: Response) =>
    ['etag', 'vary', 'content-encoding'].map((name) => String(headers.get(name)))
  const [etag = '', vary, ...coding] = namesOf(response)
  const head = await fetch(url + target, { method: 'HEAD', headers: sent })
  expect([head.status, ...namesOf(head)]).toEqual([200, etag, vary, ...coding])
  expect([vary, ...coding]).toEqual(['Accept-Encoding', String(encoding)])
  const plain = await fetch(server.url + target)
  expect(await response.text()).toBe(await plain.text())
  expect(etag.replace(`-${encoding}"`, '"')).toBe(plain.headers.get('etag'))
  const known = { headers: { ...sent, 'if-none-match': etag } }
  const { status, headers } = await fetch(url + target, known)
  expect([status, headers.get('etag'), headers.get('vary')]).toEqual([304, etag, vary])
})

it.each([
  ['sends its headers letter by letter', 'GET / HTTP/1.1\r\nX-Slow: ', /^(HTTP\/1\.1 4|$)/],
  ['never ends its body', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n`, / 405 /],
  ['asks for nothing more', 'GET /status HTTP/1.1\r\nHost: x\r\n\r\n', /"status":"ok"/],
])('a slow client that %s is cut off', async (_, beginning, expected) => {
  const timeouts = { headers: 200, request: 400, idle: 200, stalled: 60_000 }
  const { url } = await listenWith(handler, { timeouts })
  expect(await exchange(beginning, url, { slowly: !beginning.includes('GET') })).toMatch(expected)
})

it('closing waits for the response under way, takes no new connection, and drops silent ones', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isAsked = false
  const opening = await listenWith(async (request) => {
    isAsked = true
    await released
    return handler(request)
  })
  await opened(opening.url)
  const pending = fetch(`${opening.url}/v1/acme/posts`)
  await expect.poll(() => isAsked).toBe(true)
  const closed = opening.close(60_000)
  await expect(fetch(`${opening.url}/status`)).rejects.toThrow()
  release()
  const response = await pending
  expect(response.headers.get('connection')).toBe('close')
  expect(JSON.parse(await response.text()).posts).toHaveLength(10)
  await closed
})

function replyWith(body: NonNullable<HttpReply['body']>): HttpReply {
  const headers = [
    ['x-request-id', 'some-id'],
    ['content-type', 'application/json'],
  ] as const
  return { status: 200, headers, body, source: 'none' }
}

async function* parts(
  count: number,
  { isFailing = false, onEnd }: { isFailing?: boolean; onEnd?: () => void } = {},
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from('part'.repeat(count === Number.POSITIVE_INFINITY ? 16_000 : 1))
  try {
    for (let part = 0; part < count; part++) yield bytes
    await new Promise((resolve) => setImmediate(resolve))
    if (isFailing) throw new RangeError('the file ends')
  } finally {
    onEnd?.()
  }
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
  const received: Buffer[] = []
  socket.on('data', (part) => received.push(part))
  const closed = new Promise((resolve) => socket.once('error', resolve).once('close', resolve))
  socket.write(Buffer.from(bytes, 'latin1'))
  const timer = setInterval(() => slowly && socket.write('y'), 20)
  await closed
  clearInterval(timer)
  return Buffer.concat(received).toString('latin1')
}

function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket))
    socket.once('error', reject)
  })
}
