// Searches made over from those of the last build: of what they are made, and when they cannot be.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Derive } from '../../src/cache/derive.ts'
import { knownName } from '../../src/pipeline/kept-search.ts'
import { patchSearches, startSearches } from '../../src/pipeline/searches.ts'
import type { Site } from '../../src/pipeline/site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

describe('searches that are made over', () => {
  it('are those of their workspaces', async () => {
    const site = await edited(await builtSite('acme', 'beta'))
    const made = await patchSearches(site)
    const anew = startSearches(site, undefined)
    expect(made?.made).toHaveLength(2)
    for (const [at, { search, files }] of (await all(made)).entries()) {
      const expected = (await all(anew))[at]
      expect(search).toEqual(expected?.search)
      expect(files.map(({ path }) => path)).toEqual(expected?.files.map(({ path }) => path))
    }
  })

  it('keep the terms of posts that are new, and what makes all anew', async () => {
    const site = await edited(await builtSite('acme'))
    const { derive, kept, asked } = watched(site.derive)
    expect(await patchSearches({ ...site, derive })).toBeDefined()
    expect(kept).toHaveLength(1)
    expect(asked).toContain(knownName(derive, 'acme', 'posts'))
    // By then nothing is new.
    const again = watched(site.derive)
    expect(await patchSearches({ ...site, derive: again.derive })).toBeDefined()
    expect(again.kept).toEqual([])
  })

  it('cannot be made where terms of a post that was there are gone', async () => {
    const site = await edited(await builtSite('acme'))
    const { derive, asked } = watched(site.derive)
    expect(await patchSearches({ ...site, derive })).toBeDefined()
    const has = (key: string) => key !== asked[7] && derive.has(key)
    expect(await patchSearches({ ...site, derive: { ...derive, has } })).toBeUndefined()
  })
})

/** As few as an index is kept of. */
const posts = 256

/** A site of so many posts a workspace, with what a build keeps of their search. */
async function builtSite(...workspaces: readonly string[]): Promise<TemporarySite> {
  const site = temporarySite({ cache: 'cache' })
  for (const workspace of workspaces) {
    site.write(`content/${workspace}/workspace.yml`, 'references: create\n')
    for (let number = 1; number <= posts; number++) write(site, { workspace, number })
  }
  await site.build()
  return site
}

/** The site as it is after an edit. */
async function edited(site: TemporarySite): Promise<Site> {
  write(site, { workspace: 'acme', number: 150, body: 'Another body.\n' })
  return site.load({}, join(site.folder, 'cache'))
}

function write(
  site: TemporarySite,
  { workspace, number, body }: { workspace: string; number: number; body?: string },
): void {
  const date = new Date(Date.UTC(2026, 0, number)).toISOString()
  const head = `title: ${workspace} ${number}\ncategory: news\npublishedAt: ${date}`
  const text = `---\n${head}\n---\n${body ?? `Text of ${workspace}, ${number % 17}.\n`}`
  site.write(`content/${workspace}/posts/post-${number}.md`, text)
}

async function all(searches: Awaited<ReturnType<typeof patchSearches>>) {
  return Promise.all((searches?.made ?? []).map((made) => made()))
}

/** Tells what is kept, and what is asked for. */
function watched(derive: Derive) {
  const kept: string[] = []
  const asked: string[] = []
  const watching: Derive = {
    ...derive,
    has: (key) => {
      asked.push(key)
      return derive.has(key)
    },
    keep: (key, bytes) => {
      kept.push(key)
      derive.keep(key, bytes)
    },
  }
  return { derive: watching, kept, asked }
}
