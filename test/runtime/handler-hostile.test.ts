import { beforeAll, expect, it } from 'vitest'
import type { Responder } from '../../src/runtime/responder.ts'
import fc from '../support/fast-check.ts'
import { type HostileRequest, hostileRequests, problemOf } from '../support/hostile.ts'
import { buildSample, sampleNow } from '../support/sample-site.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'

let served: ServedFolder
let handler: Responder

beforeAll(async () => {
  served = await serveFolder((await buildSample()).out)
  handler = served.handler({ now: () => sampleNow })
})

const posts = '/v1/journal/posts'

it.each<[string, number]>([
  [`${posts}/%ED%A0%80`, 400],
  [`${posts}/..%2f..%2fmanifest.json`, 404],
  [`${posts}/../../../manifest.json`, 404],
  [`${posts}/index%00.json`, 404],
  ['/v1/..%2f..%2fprivate%2fv2%2fjournal/posts', 404],
  ['*', 404],
  ['', 404],
  [`${posts}?tags=${'a,'.repeat(2500)}`, 400],
  [`${posts}?${'&'.repeat(5000)}`, 200],
  [`${posts}?limit=%EF%BC%93`, 400],
  [`${posts}?query=${encodeURIComponent('ﷺ'.repeat(256))}`, 200],
  [`${posts}?__proto__=1&constructor=2&toString=3`, 200],
  // These lead to a place of ours.
  ['//evil.example/', 308],
  ['/\\evil.example/', 308],
  ['/\\/evil.example//', 308],
  ['//', 308],
  ['///?x', 308],
  ['/.//evil/', 308],
])('%.80s is answered with %i', async (target, status) => {
  expect(await problemOf(handler, { method: 'GET', target, headers: {} })).toBeNull()
  expect((await askHandler(handler, target)).status).toBe(status)
})

it('a request at random is always answered, and alike whether responses are kept or not', async () => {
  const errors: unknown[] = []
  const options = { now: () => sampleNow, onError: (error: unknown) => errors.push(error) }
  const fresh = served.handler(options)
  const keeping = served.handler({ ...options, replyCacheBytes: 64 * 1024 })
  const keys = ['journal', 'notes', 'vault'].map(served.keyOf)
  const essence = async (responder: Responder, request: HostileRequest) => {
    const { status, text, header } = await askHandler(responder, request.target, request)
    const names = ['etag', 'cache-control', 'content-length', 'vary', 'location']
    return [status, status === 500 ? '' : text, ...names.map(header)]
  }
  await fc.assert(
    fc.asyncProperty(hostileRequests(keys), async (request) => {
      expect(await problemOf(fresh, request)).toBeNull()
      // Twice, so that the second can be one that was kept.
      await essence(keeping, request)
      expect(await essence(keeping, request)).toEqual(await essence(fresh, request))
    }),
    { numRuns: 6000, seed: 1 },
  )
  expect(errors).toEqual([])
})

it('a fault of ours is 500 with the request’s id, without its text, and is told', async () => {
  const told: [unknown, string][] = []
  const failing = served.handler({
    keyring: () => {
      throw new Error('secret of /inner/place')
    },
    onError: (error, id) => told.push([error, id]),
  })
  const reply = await askHandler(failing, '/v2/posts')
  const id = reply.header('x-request-id') ?? '?'
  expect(reply.status).toBe(500)
  const message = expect.stringContaining(id)
  expect(JSON.parse(reply.text)).toEqual({ error: 'Internal Server Error', message })
  expect(reply.text).not.toContain('secret')
  expect(told).toEqual([[expect.objectContaining({ message: 'secret of /inner/place' }), id]])
})
