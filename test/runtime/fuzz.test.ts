import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtureNow, writeFixture } from '../conformance/fixture.ts'
import fc from '../support/fast-check.ts'
import { hostileRequests, problemOf } from '../support/hostile.ts'
import { type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let served: ServedFolder

beforeAll(async () => {
  writeFixture(site.content)
  await site.build()
  served = await serveFolder(site.out)
})

afterAll(() => {
  served.close()
  rmSync(site.folder, { recursive: true })
})

describe('a request at random', () => {
  it.each([
    ['with nothing kept', { replyCacheBytes: 0 }],
    ['with answers kept', { replyCacheBytes: 64 * 1024 }],
  ])('is always answered, %s', async (_, options) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const handler = served.handler({ ...options, now: () => fixtureNow, onError })
    const keys = ['acme', 'beta', 'secret'].map(served.keyOf)
    await fc.assert(
      fc.asyncProperty(hostileRequests(keys), async (request) => {
        expect(await problemOf(handler, request)).toBeNull()
      }),
      { numRuns: 8000, seed: 1 },
    )
    expect(errors).toEqual([])
  })

  it('is answered alike whether answers are kept or not', async () => {
    const fresh = served.handler({ replyCacheBytes: 0, now: () => fixtureNow })
    const keeping = served.handler({ replyCacheBytes: 64 * 1024, now: () => fixtureNow })
    const { askHandler } = await import('../support/served-site.ts')
    const keys = ['acme', 'beta'].map(served.keyOf)
    await fc.assert(
      fc.asyncProperty(hostileRequests(keys), async (request) => {
        // Twice, so that the second can be one that was kept.
        await askHandler(keeping, request.target, request)
        const kept = await askHandler(keeping, request.target, request)
        const made = await askHandler(fresh, request.target, request)
        const essence = ({ status, text, header }: typeof made) => ({
          status,
          text,
          headers: ['etag', 'cache-control', 'content-length', 'vary', 'location'].map(header),
        })
        expect(essence(kept)).toEqual(essence(made))
      }),
      { numRuns: 4000, seed: 2 },
    )
  })
})
