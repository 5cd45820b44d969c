// Which files a host serves without the function, and that each of them stays true until the next build.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { resourceKinds } from '../../src/api/resources.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { servedFiles } from '../../src/hosts/deployments.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** Terms of every kind, stated and created, and posts that name them. */
function sampleSite(): TemporarySite {
  return temporarySite({ precompute: { lists: ['default', 'asc', 'excludeContent+all'] } })
    .write('content/acme/workspace.yml', 'name: Acme\nreferences: create\n')
    .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
    .write('content/acme/tags/alpha.md', '---\nname: Alpha\n---\n')
    .posts(12)
    .post('one', { authors: '[ada]', tags: '[alpha, beta]' })
}

/** Everything that a post could bring. */
function schedule(
  site: TemporarySite,
  name: string,
  dates: object = { publishedAt: '2026-07-01' },
): TemporarySite {
  const fields = { category: 'events', tags: `[alpha, ${name}]`, authors: `[ada, ${name}]` }
  return site.post(name, { ...fields, ...dates })
}

it.each([
  ['v1', { publishedAt: '2026-07-01' }],
  ['v2', { publishedAt: '2026-07-01' }],
  ['v1', { expiresAt: '2026-07-01' }],
] as const)(
  'a served file is what the function gives at every later moment: %s, %j',
  async (version, dates) => {
    const site = schedule(sampleSite(), 'scheduled', dates)
    const { manifest } = await site.build()
    const names = new Set(servedFiles(version, manifest).map(({ path }) => path))
    expect(names.size > 25).toBe('publishedAt' in dates)
    const served = await serveFolder(site.out)
    const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
    const untrue = new Set<string>()
    for (const path of manifest.files.keys()) {
      const request = requestOfFile(path)
      if (request?.version !== version) continue
      for (const now of [someNoon, Date.UTC(2027, 0, 1)]) {
        const target = targetOfRequest(request)
        const reply = await askHandler(served.handler({ now: () => now }), target, { headers })
        if (reply.status !== 200 || reply.text !== site.text(path)) untrue.add(path)
      }
    }
    expect([...names].filter((path) => untrue.has(path))).toEqual([])
    // The rule leaves nothing out without need: each kind has files that a scheduled post changes.
    const kinds = [...untrue].map((path) => requestOfFile(path)?.resource)
    expect(new Set(kinds)).toEqual(new Set(resourceKinds))
  },
)

it('the public files and routes of a deployment are the same whichever posts are scheduled', async () => {
  const deployed = async (site: TemporarySite) => {
    const { manifest } = await site.build()
    const { folder, files } = deploy('vercel', { out: site.out, manifest })
    const paths = [...files.keys()].filter((path) => !/(?:^|\/)function\//.test(path))
    return paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])
  }
  const first = await deployed(schedule(sampleSite(), 'first'))
  const others = schedule(schedule(sampleSite(), 'second'), 'third')
  expect(await deployed(others)).toEqual(first)
  expect(first.length).toBeGreaterThan(25)
})
