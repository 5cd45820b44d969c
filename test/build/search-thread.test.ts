// Sites of so many posts that a thread makes their search: built again after an edit, and from a damaged cache.
// Knows nothing of how the thread is spoken to.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { damagePacks } from '../support/damaged-cache.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const posts = 300

describe('a site of many posts', () => {
  it('is after an edit what a clean build makes of it', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(posts)
    await site.build()
    edit(site)
    expect(await site.build()).toMatchObject({ rendered: 1 })
    // What only the function of the build before needed is removed by the next one.
    await site.build()
    const clean = temporarySite().posts(posts)
    edit(clean)
    await clean.build()
    expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
  })

  it('is built from a cache in which a byte of every text is another', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(posts)
    await site.build()
    expect(damagePacks(join(site.folder, 'cache'), 'text.\0')).toBe(posts)
    edit(site)
    await site.build()
    await site.build()
    const clean = temporarySite().posts(posts)
    edit(clean)
    await clean.build()
    expect(site.json('manifest.json').files).toEqual(clean.json('manifest.json').files)
  })
})

function edit(site: TemporarySite): void {
  site.post('post-150', { publishedAt: '2026-05-30' }, 'Another body.\n')
}
