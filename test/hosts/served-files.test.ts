// Which files a host serves without the function, and that each of them stays true until the next build.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import type { Version } from '../../src/api/request.ts'
import { resourceKinds } from '../../src/api/resources.ts'
import type { Manifest } from '../../src/build/manifest.ts'
import { hostNames } from '../../src/config/host-names.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { servedFiles } from '../../src/hosts/deployment.ts'
import { deployments } from '../../src/hosts/deployments.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** Terms of every kind, stated and created, and posts that name them. */
function sampleSite(references: 'error' | 'create' = 'create'): TemporarySite {
  const config = { precompute: { lists: ['default', 'asc', 'excludeContent+all'] } }
  const site = temporarySite(config)
    .write('content/acme/workspace.yml', `name: Acme\nreferences: ${references}\n`)
    .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
    .write('content/acme/tags/alpha.md', '---\nname: Alpha\n---\n')
    .posts(12)
  const created = references === 'create' ? ', beta' : ''
  return site.post('one', { authors: '[ada]', tags: `[alpha${created}]` })
}

const later = Date.UTC(2027, 0, 1)

/** The files of a version that the function contradicts at some later moment. */
async function untrueFiles(
  site: TemporarySite,
  { files }: Manifest,
  version: Version,
): Promise<ReadonlySet<string>> {
  const served = await serveFolder(site.out)
  const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
  const untrue = new Set<string>()
  for (const path of files.keys()) {
    const request = requestOfFile(path)
    if (request?.version !== version) continue
    for (const now of [someNoon, later]) {
      const target = targetOfRequest(request)
      const reply = await askHandler(served.handler({ now: () => now }), target, { headers })
      if (reply.status !== 200 || reply.text !== site.text(path)) untrue.add(path)
    }
  }
  served.close()
  return untrue
}

/** Everything that a post could bring. */
function schedule(site: TemporarySite, name: string): TemporarySite {
  const fields = { category: 'events', tags: `[alpha, ${name}]`, authors: `[ada, ${name}]` }
  return site.post(name, { ...fields, publishedAt: '2026-07-01' })
}

describe('a file that is served without the function', () => {
  it.each(['v1', 'v2'] as const)(
    'is what the function gives at every later moment: %s',
    async (version) => {
      const site = schedule(sampleSite(), 'scheduled')
      const { manifest } = await site.build()
      const names = new Set(servedFiles(version, manifest).map(({ path }) => path))
      expect(names.size).toBeGreaterThan(25)
      const untrue = await untrueFiles(site, manifest, version)
      expect([...names].filter((path) => untrue.has(path))).toEqual([])
      // The rule leaves nothing out without need: each kind has files that a scheduled post changes.
      const kinds = [...untrue].map((path) => requestOfFile(path)?.resource)
      expect(new Set(kinds)).toEqual(new Set(resourceKinds))
    },
  )

  it('is any file of v1 where nothing is scheduled', async () => {
    const site = sampleSite()
    const { manifest } = await site.build()
    const written = [...manifest.files.keys()].filter((path) => path.startsWith('public/v1/'))
    expect(servedFiles('v1', manifest).map(({ path }) => path)).toEqual(written)
  })

  it('is a single post or a plain author where a post is scheduled, and none of a closed workspace', async () => {
    const site = sampleSite('error').post('later', { publishedAt: '2026-07-01' })
    site.write('content/closed/workspace.yml', 'v1: private\n')
    site.write('content/closed/categories/news.md', '---\nname: News\n---\n')
    site.write(
      'content/closed/posts/one.md',
      '---\ntitle: One\ncategory: news\npublishedAt: 2026-01-01\n---\nText.\n',
    )
    const { manifest } = await site.build()
    const names = servedFiles('v1', manifest).map(({ name }) => name)
    const posts = ['one', ...Array.from({ length: 12 }, (_, index) => `post-${index + 1}`)]
    const expected = [
      ...posts.flatMap((slug) => [`posts/${slug}.json`, `posts/_markdown/${slug}.json`]),
      ...['authors/ada.json', 'authors/index.json'],
    ]
    expect([...names].sort()).toEqual(expected.map((name) => `v1/acme/${name}`).sort())
  })

  it('is the same, with the same bytes, whichever posts are scheduled', async () => {
    const listed = async (site: TemporarySite) => {
      const { manifest } = await site.build()
      return servedFiles('v1', manifest).map(({ path, entry }) => [path, entry.sha256])
    }
    const first = await listed(schedule(sampleSite(), 'first'))
    const others = schedule(schedule(sampleSite(), 'second'), 'third')
    expect(await listed(others)).toEqual(first)
  })
})

describe('a deployment with files that its host serves', () => {
  const hosts = hostNames.filter((host) => deployments[host].responses !== undefined)

  it.each(hosts)('is the same for %s whichever posts are scheduled', async (host) => {
    const deployed = async (site: TemporarySite) => {
      const { manifest } = await site.build()
      const { folder, files } = await deploy(host, { out: site.out, manifest })
      const paths = [...files.keys()].filter((path) => !/(?:^|\/)function\//.test(path))
      return paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])
    }
    const first = await deployed(schedule(sampleSite(), 'first'))
    const others = schedule(schedule(sampleSite(), 'second'), 'third')
    expect(await deployed(others)).toEqual(first)
    expect(first.length).toBeGreaterThan(25)
  })
})
