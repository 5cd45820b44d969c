// Requests that nginx refuses by itself, as bytes on a connection: the response is that of `quarry serve`, as far as
// nginx can know it.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provideNginx } from '../support/nginx.ts'
import { openNginx } from './nginx.ts'
import type { ListeningHost } from './programs.ts'

describe.skipIf(provideNginx() !== null)('a refusal of nginx', () => {
  let host: ListeningHost

  beforeAll(async () => {
    host = await openNginx()
  })
  afterAll(() => host?.close?.())

  const v1 = ['error', 'details', 'message']
  const v2 = ['error', 'message']
  const cases: readonly (readonly [string, string, number, readonly string[]])[] = [
    ['GET /v1/acme/posts/%', '', 400, v1],
    ['GET /v1/acme/posts/%00', '', 404, v1],
    ['PUT /v1/acme/posts/%00', '', 405, v1],
    ['GET /v1/acme/posts/./post-1', '', 404, v1],
    ['GET /v1/acme/posts/../tags', '', 404, v1],
    ['GET /v1/acme/posts/x/../post-1', '', 404, v1],
    ['GET /v1/acme/posts/%2e%2e/tags', '', 404, v1],
    ['GET /v1/acme/%2E/posts/post-1', '', 404, v1],
    ['PUT /v1/acme%00/posts', '', 405, v1],
    ['GET /v2/tags%', 'Authorization: Bearer KEY', 400, [...v2, 'details']],
    ['GET /v2/tags%', '', 400, [...v2, 'details']],
    ['GET /nothing%', '', 404, v2],
    ['TRACE /v1/acme/posts', '', 405, v1],
    ['TRACE /v2/posts', '', 401, v2],
    ['TRACE /v2/posts', 'Authorization: Bearer KEY', 405, v2],
    ['POST /v1/acme/posts', `Content-Length: ${1024 * 1024}`, 405, v1],
    ['POST /v2/posts', `Authorization: Bearer KEY\r\nContent-Length: ${1024 * 1024}`, 405, v2],
    [`GET /v1/acme/posts?x=${'y'.repeat(9000)}`, '', 414, v1],
    [`GET /v1/acme/posts?x=${'y'.repeat(40_000)}`, '', 414, v1],
    [`GET /v2/posts?x=${'y'.repeat(40_000)}`, 'Authorization: Bearer KEY', 414, v2],
    ['GET /v1/acme/posts', `X-Long: ${'y'.repeat(40_000)}`, 431, v1],
    ['GET /v2/posts', `Authorization: Bearer KEY\r\nX-Long: ${'y'.repeat(40_000)}`, 431, v2],
    ['GET /v1/acme/posts', `X: ${'y'.repeat(9000)}\r\nY: ${'y'.repeat(9000)}`, 431, v1],
  ]
  it.each(cases)(
    'has the status and the form of quarry serve: case %#',
    async (line, header, status, keys) => {
      const fields = header.replace('KEY', host.site.keys.full)
      const text = await exchange(
        `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n\r\n`,
      )
      const end = text.indexOf('\r\n\r\n')
      const head = text.slice(0, end).toLowerCase()
      expect(Number(/^http\/1\.1 (\d+)/.exec(head)?.[1])).toBe(status)
      expect(head).toContain('content-type: application/json')
      expect(head).toContain('access-control-allow-origin: *')
      expect(head).toContain('cache-control: no-store')
      expect(head).toMatch(/x-request-id: [\w-]{8,}/)
      expect(Object.keys(JSON.parse(text.slice(end + 4)))).toEqual(keys)
    },
  )

  async function exchange(bytes: string): Promise<string> {
    const { hostname, port } = new URL(host.url)
    const socket = connect(Number(port), hostname)
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      socket.once('error', () => resolve())
    })
    socket.write(bytes.endsWith('\r\n\r\n\r\n') ? bytes.slice(0, -2) : bytes)
    await closed
    return Buffer.concat(parts).toString('latin1')
  }
})
