// Damage to precomputed responses and to the head of a site: the index gives the response, or nobody does.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyDamage, damageOne } from '../support/damage.ts'
import fc from '../support/fast-check.ts'
import {
  canonicalRequests,
  coldFunction,
  indexOnly,
  indexReads,
  openStoredSite,
  type StoredSite,
} from '../support/stored-site.ts'

let stored: StoredSite
beforeAll(async () => {
  stored = await openStoredSite()
})
afterAll(() => stored.remove())

describe('damage to a precomputed response', () => {
  it('is never sent: the index gives the response, and the fault is logged', async () => {
    const index = indexOnly(stored.lambda)
    const requests = canonicalRequests(stored)
    const responses = readdirSync(join(stored.lambda, 'responses'))
    const read = (name: string) => readFileSync(join(stored.lambda, 'responses', name))
    await fc.assert(
      fc.asyncProperty(fc.nat(requests.length - 1), anyDamage, async (at, damage) => {
        const { target, headers } = requests[at] ?? { target: '', headers: {} }
        const first = coldFunction(stored.lambda)
        await first.send(target, { headers })
        const name = first.reads.at(-1)?.[0].slice('responses/'.length) ?? ''
        const damaged = damageOne([name, ...responses], read, { ...damage, file: 0 })
        const { send, faults, reads } = coldFunction(stored.lambda, (path, bytes) =>
          path === `responses/${name}` && damaged !== null ? damaged.bytes : bytes,
        )
        expect(await send(target, { headers })).toEqual(await index.send(target, { headers }))
        expect(faults.length).toBe(damaged === null ? 0 : 1)
        expect(indexReads(reads).length > 0).toBe(damaged !== null)
      }),
      { numRuns: 200 },
    )
  })

  it('to the head is no fault of a response, and lets nobody in', async () => {
    const head = readFileSync(join(stored.lambda, 'responses/site.json'))
    await fc.assert(
      fc.asyncProperty(anyDamage, async (damage) => {
        const damaged = damageOne(['site.json'], () => head, damage)
        // Failed keys are counted.
        const index = indexOnly(stored.lambda)
        const { send } = coldFunction(stored.lambda, (path, bytes) =>
          path === 'responses/site.json' ? (damaged?.bytes ?? bytes) : bytes,
        )
        for (const target of ['/v1/beta/posts', '/v2/posts', '/v1/secret/posts']) {
          expect(await send(target), target).toEqual(await index.send(target))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('and to all else leaves v2 without a key a 401', async () => {
    const broken = (bytes: Uint8Array) => bytes.slice(0, -1)
    const noIndex = coldFunction(stored.lambda, (name, bytes) =>
      name === 'root.json' ? broken(bytes) : bytes,
    )
    const nothing = coldFunction(stored.lambda, (_, bytes) => broken(bytes))
    const headers = { authorization: `Bearer ${stored.site.keys.full}` }
    for (const { send } of [noIndex, nothing]) {
      for (const target of ['/v2/posts', '/v2/posts/nobody', '/v2', '/v2/posts?query=a']) {
        expect((await send(target)).status, target).toBe(401)
        expect((await send(target, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
      }
      expect((await send('/v2/posts?query=a', { headers })).status).toBe(500)
      expect((await send('/v1/acme/posts?query=a')).status).toBe(500)
    }
    expect((await noIndex.send('/v2/posts/post-1', { headers })).status).toBe(200)
    expect((await noIndex.send('/v1/beta/posts')).status).toBe(200)
    expect((await nothing.send('/v1/beta/posts')).status).toBe(500)
  })
})
