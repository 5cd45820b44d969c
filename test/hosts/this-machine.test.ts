import { expect, it } from 'vitest'
import { onThisMachine } from '../../src/hosts/server.ts'
import { corsHeaders, preflightHeaders } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler } from '../support/served-site.ts'

/** Responds as the responders of content do. */
const behind: Responder = ({ method }) => ({
  status: 200,
  headers: method === 'OPTIONS' ? preflightHeaders : [...corsHeaders, ['vary', 'Authorization']],
  body: null,
  source: 'none',
})

const ask = (headers: Readonly<Record<string, string>>, host = '127.0.0.1', method = 'GET') =>
  askHandler(onThisMachine(behind, host), '/v1/acme/posts', { method, headers })

it.each([
  ['http://127.0.0.1:4321', true],
  ['http://blog.localhost:5173', true],
  ['http://[::1]:8080', true],
  ['null', false],
  ['https://evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://127.evil.example', false],
])('content that is not published may be read by pages of %s: %s', async (origin, isAllowed) => {
  for (const method of ['GET', 'OPTIONS']) {
    const { status, header } = await ask({ host: 'localhost:4321', origin }, '127.0.0.1', method)
    expect(status).toBe(200)
    expect(header('access-control-allow-origin')).toBe(isAllowed ? origin : null)
    expect(header('vary')).toBe(method === 'GET' ? 'Authorization, Origin' : 'Origin')
  }
})

it.each(['rebound.example:4321', 'localhost.evil.example', '127.0.0.1.nip.io', ''])(
  'there is no reply under the host name %j, where a server listens for this machine only',
  async (host) => {
    for (const own of ['127.0.0.1', 'localhost', '::1']) {
      const { status, text, header } = await ask({ host, origin: `http://${host}` }, own)
      expect([status, JSON.parse(text).error]).toEqual([403, 'Forbidden'])
      expect(header('access-control-allow-origin')).toBeNull()
    }
  },
)

it('in the network, pages of the same machine may read it', async () => {
  const origin = 'http://laptop.lan:3000'
  const own = await ask({ host: 'laptop.lan:4321', origin }, '0.0.0.0')
  expect([own.status, own.header('access-control-allow-origin')]).toEqual([200, origin])
  const other = await ask({ host: 'laptop.lan:4321', origin: 'http://other.lan' }, '0.0.0.0')
  expect(other.header('access-control-allow-origin')).toBeNull()
})
