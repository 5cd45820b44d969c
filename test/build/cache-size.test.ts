// The cache of a site after many edits, in bytes.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mulberry32 } from '../../bench/corpus.ts'
import { caseCount } from '../support/cases.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

it('holds little more than that of a clean build, after each of many edits', async () => {
  const [site, clean] = [temporarySite({ cache: 'cache' }), temporarySite({ cache: 'cache' })]
  for (const one of [site, clean]) {
    for (let number = 0; number < 20; number++) one.post(`post-${number}`, {}, bodyOf(number))
  }
  await clean.build()
  await site.build()
  const fresh = cacheBytes(clean)
  for (let edit = 0; edit < edits; edit++) {
    site.post('post-7', { title: `Edited ${edit}` }, bodyOf(100 + edit))
    await site.build()
    expect(cacheBytes(site) / fresh).toBeLessThan(1.6)
  }
})

/** One writes a twentieth of the cache again: twelve would be too many for a cache that keeps all. */
const edits = caseCount(40, 18)

/** Some 3 kB of words. */
function bodyOf(seed: number): string {
  const random = mulberry32(seed + 1)
  const words = Array.from({ length: 400 }, () => Math.floor(random() * 2 ** 30).toString(36))
  return `${words.join(' ')}\n`
}

function cacheBytes(site: TemporarySite): number {
  const folder = join(site.folder, 'cache')
  const packs = readdirSync(folder).filter((name) => name.endsWith('.pack'))
  return packs.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
