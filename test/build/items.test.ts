// Random items against the oracle of items, before and after they appear and expire.
import { expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { hasAllCases } from '../support/fast-check.ts'
import {
  expectedItems,
  type Random,
  randomItems,
  randomRequest,
  targetOfItems,
  writeItems,
} from '../support/item-oracle.ts'
import { newSite, someNoon } from '../support/temporary-site.ts'

/** Random sites, each with 500 requests. */
const sites = hasAllCases ? 20 : 4

it('responds to every request for items as the oracle does', { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= sites; seed++) {
    const random = randomOf(seed)
    const items = randomItems(random)
    const site = newSite()
    try {
      writeItems(site, items)
      await site.build({ drafts: true })
      const built = await openBuild(createFileStorage(`${site.out}/function`))
      let now = 0
      const respond = createResponder(() => built, { now: () => now })
      for (let count = 0; count < 500; count++) {
        const request = randomRequest(items, random)
        now = someNoon + Math.floor(random() * 5) * 86_400_000
        const target = targetOfItems(request)
        const header = () => null
        const { status, body } = await respond({ method: 'GET', target, header, clientAddress: '' })
        const got = new TextDecoder().decode((body ?? new Uint8Array()) as Uint8Array)
        const expected = expectedItems(items, request, now)
        const about = `seed ${seed}, ${new Date(now).toISOString()}: ${target}`
        expect(status, `${about}\n${got}`).toBe(expected.status)
        if (status === 200) expect(JSON.parse(got), about).toEqual(expected.body)
      }
    } finally {
      site.remove('.')
    }
  }
})

/** A linear congruential generator, by Park and Miller. */
function randomOf(seed: number): Random {
  let state = seed * 7919
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
