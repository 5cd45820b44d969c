// Changes between builds, as clients of the function and of files read them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const hour = 60 * 60 * 1000
const due = new Date(someNoon + hour).toISOString()

function newSite(): TemporarySite {
  return temporarySite({ changes: true }).post('one', { id: 'id-one' })
}

/** The status and the changes, as a server gives them. */
async function changesOf(site: TemporarySite, since = '', now = someNoon) {
  const { handler } = await serveFolder(site.out)
  const query = since === '' ? '' : `?since=${since}`
  const { status, text } = await askHandler(handler({ now: () => now }), `/v1/acme/changes${query}`)
  const body = JSON.parse(text)
  const named = (body.changes ?? []).map(({ type, slug }: Record<string, string>) => [type, slug])
  return { status, body, named }
}

async function buildId(site: TemporarySite, now = someNoon): Promise<string> {
  return (await site.build({ now })).manifest.build
}

describe('changes', () => {
  it('name what was published, updated and removed, the latest first', async () => {
    const site = newSite().post('two').post('three')
    const first = await buildId(site)
    expect(await changesOf(site)).toMatchObject({ body: { build: first, changes: [] } })
    site.post('one', { id: 'id-one', updatedAt: '2026-03-03' }, 'Other text.\n').post('four')
    site.remove('content/acme/posts/two.md')
    const second = await buildId(site)
    const { body, named } = await changesOf(site, first)
    expect(named.toSorted()).toEqual([
      ['published', 'four'],
      ['removed', 'two'],
      ['updated', 'one'],
    ])
    const updated = body.changes.find(({ type }: { type: string }) => type === 'updated')
    const { etag } = (await site.build()).manifest.files.get('public/v1/acme/posts/one.json') ?? {}
    expect(updated).toEqual({
      type: 'updated',
      kind: 'posts',
      id: 'id-one',
      slug: 'one',
      etag,
      at: '2026-03-03T00:00:00.000Z',
    })
    expect((await changesOf(site, second)).body).toEqual({ build: second, changes: [] })
    const file = readFileSync(join(site.out, 'private/v2/acme/changes.json'), 'utf8')
    expect([JSON.parse(file), (await changesOf(site)).body]).toEqual([body, body])
  })

  it('name a scheduled post once it is visible, with its own instant, to whoever asks', async () => {
    const site = newSite().post('soon', { publishedAt: due })
    const first = await buildId(site)
    expect(JSON.stringify(await changesOf(site, first, someNoon + hour - 1))).not.toContain('soon')
    const { body } = await changesOf(site, first, someNoon + hour)
    expect(body.changes).toMatchObject([{ type: 'published', slug: 'soon', at: due }])
    const second = await buildId(site, someNoon + 2 * hour)
    expect((await changesOf(site, first, someNoon + 2 * hour)).body.changes).toEqual(body.changes)
    expect((await changesOf(site, second, someNoon + 2 * hour)).named).toEqual([])
  })

  it('say nothing of a scheduled post that was withdrawn, and name one that was seen', async () => {
    const site = newSite().post('never', { publishedAt: due }).post('seen', { publishedAt: due })
    const first = await buildId(site)
    site.remove('content/acme/posts/never.md')
    await buildId(site)
    expect((await changesOf(site, first)).named).toEqual([])
    site.remove('content/acme/posts/seen.md')
    await buildId(site, someNoon + 2 * hour)
    expect((await changesOf(site, first, someNoon + 2 * hour)).named).toEqual([['removed', 'seen']])
  })

  it('are kept for 20 builds, and a build before them is a 410', async () => {
    const site = newSite()
    const builds: string[] = []
    for (let number = 0; number <= 21; number++) {
      builds.push(await buildId(site.post('one', { id: 'id-one' }, `Text ${number}.\n`)))
    }
    expect((await changesOf(site, builds[0])).status).toBe(410)
    expect((await changesOf(site, 'unknown')).body).toMatchObject({ error: 'Gone', details: null })
    expect((await changesOf(site, builds[1])).named).toEqual([['updated', 'one']])
  })
})
