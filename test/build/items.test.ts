// Random items against the oracle of items, before and after they appear and expire.
import { expect, it } from 'vitest'
import { hasAllCases } from '../support/fast-check.ts'
import {
  expectedItems,
  type Random,
  randomItems,
  randomRequest,
  targetOfItems,
  writeItems,
} from '../support/item-oracle.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, temporarySite } from '../support/temporary-site.ts'

/** Random sites, each with 500 requests. */
const sites = hasAllCases ? 20 : 4

it('responds to every request for items as the oracle does', { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= sites; seed++) {
    const random = randomOf(seed)
    const items = randomItems(random)
    const site = temporarySite()
    writeItems(site, items)
    await site.build({ drafts: true })
    const { handler } = await serveFolder(site.out)
    for (let count = 0; count < 500; count++) {
      const request = randomRequest(items, random)
      const now = someNoon + Math.floor(random() * 5) * 86_400_000
      const target = targetOfItems(request)
      const { status, text } = await askHandler(handler({ now: () => now }), target)
      const expected = expectedItems(items, request, now)
      const about = `seed ${seed}, ${new Date(now).toISOString()}: ${target}`
      expect(status, `${about}\n${text}`).toBe(expected.status)
      if (status === 200) expect(JSON.parse(text), about).toEqual(expected.body)
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
