import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryLimiter } from '../../src/runtime/rate-limit.ts'
import type { ResponderOptions } from '../../src/runtime/responder.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let served: ServedFolder

beforeAll(async () => {
  site.write('content/acme/workspace.yml', 'references: create\n')
  await site.post('first').build()
  served = await serveFolder(site.out)
})

afterAll(() => {
  served.close()
  rmSync(site.folder, { recursive: true })
})

const page = new TextEncoder().encode(`<!doctype html>${'<p>page</p>'.repeat(200)}`)

function handler(options: ResponderOptions = {}) {
  return served.handler({ readPage: () => page, ...options })
}

describe('a document about the service', () => {
  it.each([
    ['/', {}],
    ['/', { accept: 'text/html' }],
    ['/openapi.json', {}],
  ])('has an ETag, which gives a 304: %s %j', async (path, headers) => {
    const first = await askHandler(handler(), path, { headers })
    const etag = first.header('etag') ?? ''
    expect([first.status, first.header('cache-control')]).toEqual([200, 'no-cache'])
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    const again = { headers: { ...headers, 'if-none-match': etag } }
    const second = await askHandler(handler(), path, again)
    expect([second.status, second.header('etag'), second.text]).toEqual([304, etag, ''])
    expect(second.header('vary')).toBe(first.header('vary'))
  })

  it('counts for the rate limit of its client, which the state of the service does not', async () => {
    const requests = memoryLimiter({ limit: 2, windowSeconds: 3600 })
    const limited = handler({ limits: { requests, failures: requests } })
    const statuses: number[] = []
    for (const path of ['/', '/openapi.json', '/status', '/', '/status', '/v1/acme/posts']) {
      statuses.push((await askHandler(limited, path)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 200, 200])
  })
})
