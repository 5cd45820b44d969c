import { describe, expect, it } from 'vitest'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const hour = 60 * 60 * 1000
const due = new Date(someNoon + hour).toISOString()

function newSite(): TemporarySite {
  return temporarySite({ changes: true }).post('one', { id: 'id-one' })
}

const key = { id: 'key', workspace: 'acme', scopes: ['posts:read'] } as const

/** The status and the changes, as a server gives them. */
async function changesOf(site: TemporarySite, since = '', now = someNoon, version = 'v1/acme') {
  const { handler } = await serveFolder(site.out)
  const responder = handler({ now: () => now, keyring: () => ({ find: () => key }) })
  const { status, text } = await askHandler(responder, `/${version}/changes?since=${since}`)
  const body = JSON.parse(text)
  const named = (body.changes ?? []).map(({ type, slug }: Record<string, string>) => [type, slug])
  return { status, body, named }
}

async function buildId(site: TemporarySite, now = someNoon): Promise<string> {
  return (await site.build({ now })).manifest.build
}

describe('changes', () => {
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

  it('name what refers to a scheduled or expiring post with the next build', async () => {
    const fields = 'fields: { next: { type: references, to: posts } }\n'
    const site = newSite().write('content/acme/workspace.yml', fields)
    site.post('one', { id: 'id-one', fields: '{ next: [soon, brief] }' })
    site.post('soon', { publishedAt: due }).post('brief', { expiresAt: due })
    const first = await buildId(site)
    const second = await buildId(site, someNoon + 2 * hour)
    const expected = ['published soon', 'removed brief', 'updated one']
    const { named } = await changesOf(site, first, someNoon + 2 * hour)
    expect(named.map((change: readonly string[]) => change.join(' ')).sort()).toEqual(expected)
    site.post('one', { id: 'id-one', fields: '{ next: [soon] }' }, 'Edited.\n')
    await buildId(site, someNoon + 3 * hour)
    expect((await changesOf(site, second, someNoon + 3 * hour)).named).toEqual([['updated', 'one']])
  })

  it('are in the order of their instants after a build, latest first', async () => {
    const at = (hours: number) => new Date(someNoon + hours * hour).toISOString()
    const site = newSite()
      .post('soon', { publishedAt: at(1) })
      .post('brief', { expiresAt: at(2) })
    const build = await buildId(site.post('late', { publishedAt: at(3) }))
    const { named } = await changesOf(site, build, someNoon + 3 * hour)
    expect(named.map(String)).toEqual(['published,late', 'removed,brief', 'published,soon'])
  })

  it('are those that the version showed', async () => {
    const site = newSite().post('gone')
    const [own, other] = ['content/acme/workspace.yml', 'content/de/workspace.yml']
    site.write(own, 'locale: en\nv1: private\n').post('one', {}, 'Text.\n', 'de')
    site.write(other, 'locale: de\ntranslationOf: acme\nv1: private\nreferences: create\n')
    await buildId(site)
    await buildId(site.remove('content/acme/posts/gone.md'))
    const opened = await buildId(site.write(own, 'locale: en\n'))
    expect((await changesOf(site)).named.map(String)).toEqual(['published,one', 'published,news'])
    expect((await changesOf(site, '', someNoon, 'v2')).named).toEqual([['removed', 'gone']])
    await buildId(site.post('one', { slug: 'eins' }, 'Text.\n', 'de'))
    expect((await changesOf(site, opened)).named).toEqual([])
    expect((await changesOf(site, opened, someNoon, 'v2')).named).toEqual([['updated', 'one']])
  })

  it('are kept for 20 builds or until a file is lost, and a build before them is a 410', async () => {
    const site = newSite()
    const builds: string[] = []
    for (let number = 0; number <= 21; number++)
      builds.push(await buildId(site.post('one', { id: 'id-one' }, `Text ${number}.\n`)))
    expect((await changesOf(site, builds[0])).status).toBe(410)
    expect((await changesOf(site, 'unknown')).body).toMatchObject({ error: 'Gone', details: null })
    expect((await changesOf(site, builds[1])).named).toEqual([['updated', 'one']])
    for (const file of site.files()) if (/data\/part-/.test(file)) site.remove(`dist/${file}`)
    site.post('one', { id: 'id-one' }, 'Edited.\n')
    expect((await site.build({ now: someNoon })).isHistoryLost).toBe(true)
    expect((await changesOf(site, builds[21])).status).toBe(410)
    site.write('dist/function/root.json', '{"root":{"schema":14}}').post('two')
    expect((await site.build({ now: someNoon })).isHistoryLost).toBe(true)
  })
})
