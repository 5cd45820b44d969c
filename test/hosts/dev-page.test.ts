// Who else than the machine itself may read content that is not published, where a server listens in the network.
import { expect, it, onTestFinished } from 'vitest'
import { createDevPage } from '../../src/hosts/dev-page.ts'
import { localOnly } from '../../src/hosts/server.ts'
import { corsHeaders } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler } from '../support/served-site.ts'

/** Responds as the responders of content do. */
const behind: Responder = async () => {
  const headers = [...corsHeaders, ['vary', 'Authorization']] as const
  return { status: 200, headers, body: null, source: 'none' }
}

it('pages of the same machine may, by its name', async () => {
  const handler = localOnly(behind, '0.0.0.0')
  const ask = (origin: string) =>
    askHandler(handler, '/v1/acme/posts', { headers: { host: 'laptop.lan:4321', origin } })
  const own = await ask('http://laptop.lan:3000')
  expect(own.header('access-control-allow-origin')).toBe('http://laptop.lan:3000')
  expect(own.header('vary')).toBe('Authorization, Origin')
  const other = await ask('http://other.lan')
  expect(other.header('access-control-allow-origin')).toBeNull()
})

it.each([
  ['Laptop.lan:4321', 200],
  ['[::1]:4321', 200],
  ['rebound.example:4321', 403],
])('the page of the server may, under the host %s: %i', async (host, status) => {
  const ways = { now: 5, explain: async () => '{}', at: () => behind }
  const project = { root: '/p', folder: 'content', ...ways }
  const page = createDevPage('laptop.lan', project)
  onTestFinished(() => page.close())
  const headers = { host, 'sec-fetch-site': 'same-origin' }
  const reply = await askHandler(page.before(behind), '/_quarry/content', { headers })
  expect([reply.status, reply.text.includes('"now":5,')]).toEqual([status, status === 200])
})
