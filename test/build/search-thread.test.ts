// Sites of so many posts that a thread makes their search: built again after an edit, and from a damaged cache.
// Knows nothing of how the thread is spoken to.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
    expect(filesOf(site)).toEqual(filesOf(clean))
  })

  it('is built from a cache in which a byte of every text is another', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(posts)
    await site.build()
    expect(damageTexts(site)).toBe(posts)
    edit(site)
    await site.build()
    await site.build()
    const clean = temporarySite().posts(posts)
    edit(clean)
    await clean.build()
    expect(filesOf(site)).toEqual(filesOf(clean))
  })
})

function edit(site: TemporarySite): void {
  site.post('post-150', { publishedAt: '2026-05-30' }, 'Another body.\n')
}

/** Changes the last letter of each text as search knows it; says how many there were. */
function damageTexts({ folder }: TemporarySite): number {
  let damaged = 0
  for (const name of readdirSync(join(folder, 'cache'))) {
    const path = join(folder, 'cache', name)
    const bytes = readFileSync(path)
    for (let at = bytes.indexOf('text.\0'); at !== -1; at = bytes.indexOf('text.\0', at)) {
      bytes[at] = 0
      damaged += 1
    }
    writeFileSync(path, bytes)
  }
  return damaged
}

/** Hashes of all files, by path. */
function filesOf(site: TemporarySite): unknown {
  return JSON.parse(site.text('manifest.json')).files
}
