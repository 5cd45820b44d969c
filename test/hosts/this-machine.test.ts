import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onThisMachine } from '../../src/hosts/this-machine.ts'
import { corsHeaders, preflightHeaders } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { quarry } from '../../src/vite.ts'
import { askHandler } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** Responds as the responders of content do. */
const behind: Responder = ({ method }) => ({
  status: 200,
  headers: method === 'OPTIONS' ? preflightHeaders : [...corsHeaders, ['vary', 'Authorization']],
  body: null,
  source: 'none',
})

const ask = (headers: Readonly<Record<string, string>>, host = '127.0.0.1', method = 'GET') =>
  askHandler(onThisMachine(behind, host), '/v1/acme/posts', { method, headers })

describe('content that is not published', () => {
  it.each([
    'http://127.0.0.1:4321',
    'http://localhost:3000',
    'https://localhost',
    'http://blog.localhost:5173',
    'http://127.8.9.1:80',
    'http://[::1]:8080',
  ])('may be read by pages of %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { status, header } = await ask({ host: 'localhost:4321', origin }, '127.0.0.1', method)
      expect(status).toBe(200)
      expect(header('access-control-allow-origin')).toBe(origin)
      expect(header('vary')).toBe(method === 'GET' ? 'Authorization, Origin' : 'Origin')
    }
  })

  it.each([
    '',
    'null',
    '*',
    'https://evil.example',
    'http://evil.example:4321',
    'http://localhost.evil.example',
    'http://notlocalhost:3000',
    'http://127.0.0.1.evil.example',
    'http://127.evil.example',
    'http://evil.example/http://localhost',
    'http://192.0.2.7:3000',
    'http://[::2]',
    'file://localhost',
    'app://localhost',
    'http://',
  ])('may not be read by pages of %j', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { status, header } = await ask({ host: '127.0.0.1:4321', origin }, '::1', method)
      expect(status).toBe(200)
      expect(header('access-control-allow-origin')).toBeNull()
      expect(header('vary')).toContain('Origin')
    }
  })

  it.each([
    'rebound.example',
    'rebound.example:4321',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '',
  ])(
    'has no reply under the host name %j, where a server listens for this machine only',
    async (host) => {
      for (const own of ['127.0.0.1', 'localhost', '::1']) {
        const { status, text, header } = await ask({ host, origin: `http://${host}` }, own)
        expect(status).toBe(403)
        expect(JSON.parse(text)).toMatchObject({ error: 'Forbidden' })
        expect(header('access-control-allow-origin')).toBeNull()
      }
    },
  )

  it('may be read in the network, by pages of the same machine, where a server listens there', async () => {
    const reply = (origin: string) => ask({ host: 'laptop.lan:4321', origin }, '0.0.0.0')
    const own = await reply('http://laptop.lan:3000')
    expect(own.status).toBe(200)
    expect(own.header('access-control-allow-origin')).toBe('http://laptop.lan:3000')
    const other = await reply('http://other.lan:3000')
    expect(other.header('access-control-allow-origin')).toBeNull()
  })

  it('is kept to pages of this machine by the plugin of Vite', async () => {
    const site = temporarySite().post('first')
    const plugin = quarry({ project: site.folder, content: site.content })
    plugin.configResolved({ root: site.folder, logger: { warn: () => {}, error: () => {} } })
    const handlers: ((
      request: IncomingMessage,
      response: ServerResponse,
      next: () => void,
    ) => void)[] = []
    await plugin.configureServer({
      middlewares: { use: (handle) => void handlers.push(handle) },
      moduleGraph: { getModuleById: () => undefined, invalidateModule: () => {} },
      ws: { send: () => {}, on: () => {} },
      httpServer: null,
    })
    const server = createServer((request, response) => handlers[0]?.(request, response, () => {}))
    onTestFinished(async () => {
      server.close()
      await plugin.closeBundle()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const allowed = async (origin: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/acme/posts`, {
        headers: { origin },
      })
      expect(response.status).toBe(200)
      return response.headers.get('access-control-allow-origin')
    }
    expect(await allowed('http://localhost:3000')).toBe('http://localhost:3000')
    expect(await allowed('https://evil.example')).toBeNull()
  })
})
