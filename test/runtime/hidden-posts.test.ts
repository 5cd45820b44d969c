import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { BuildResult } from '../../src/build/build.ts'
import { createFileStorage } from '../../src/build/disk.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { findStored } from '../../src/runtime/replies.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { pixel } from '../blackbox/site.ts'
import fc from '../support/fast-check.ts'
import {
  askHandler,
  type ReadReply,
  type ServedFolder,
  serveFolder,
} from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const start = Date.UTC(2026, 5, 1, 12)
const minute = 60_000
const due = start + 180 * minute
const at = new Date(due).toISOString()
const secret = 'We will acquire Globex for 4.2 billion dollars on Monday.'

/** How the posts that are hidden differ from others, by site; `without` has none of them. */
const hidden = {
  scheduled: { publishedAt: at },
  ending: { publishedAt: '2026-02-02', expiresAt: at },
  drafted: { publishedAt: '2026-02-02', status: 'draft' },
  without: null,
} as const

type Name = keyof typeof hidden

const sites = new Map(
  Object.keys(hidden).map((name) => [name as Name, new TemporarySite({ changes: true })]),
)
const served = new Map<Name, ServedFolder & Pick<BuildResult, 'manifest'>>()

beforeAll(async () => {
  for (const [name, site] of sites) {
    const links = 'links: { post: "https://example.com/{slug}" }\n'
    site
      .write('content/acme/workspace.yml', `locale: en\nreferences: create\n${links}`)
      .write('content/de/workspace.yml', 'locale: de\ntranslationOf: acme\nreferences: create\n')
      .post('old', { title: 'Alt' }, 'Alt.\n', 'de')
      .write('content/acme/categories/news.md', '---\nname: News\n---\n')
      .write('content/plain/workspace.yml', 'references: create\n')
      .post('one', {}, '', 'plain')
    const old = { tags: '[hot]', authors: '[ada]', aliases: 'once' }
    site.post('old', old, 'The dollars of last year.\n')
    for (let number = 1; number <= 12; number++) {
      const publishedAt = `2025-01-${String(number).padStart(2, '0')}`
      const more = { updatedAt: `2025-02-0${1 + (number % 5)}`, featured: String(number % 4 === 0) }
      site.post(`more-${number}`, { publishedAt, tags: '[cold]', ...more }, 'Alpha and beta.\n')
    }
    // A post and its translation that are scheduled for long after: a workspace does reveal that there are some.
    site.post('far', { publishedAt: '2098-01-01' }, 'Nothing.\n')
    site.post('far', { publishedAt: '2098-01-01' }, 'No.\n', 'de')
    const older = { tags: '[cold]', authors: '[bob]', publishedAt: '2025-05-05' }
    await site.post('older', older, 'Hi.\n').build({ now: start })
    site.post('older', older, 'Hello.\n')
    const own = hidden[name]
    if (own !== null) {
      const terms = { tags: '[hot, globex]', authors: '[ada, eve]', category: 'deals' }
      const more = { aliases: '[old-deal]', featured: 'true', description: 'Globex' }
      site.write('content/acme/posts/deal.png', pixel)
      site.post('deal', { ...terms, ...more, ...own }, `${secret}\n\n![](deal.png)\n`)
      const german = { title: 'Globex', category: 'deals', translationKey: 'older', ...own }
      site.post('globex', german, `${secret}\n`, 'de')
    }
    const { manifest } = await site.build({ now: start, drafts: name === 'drafted' })
    served.set(name, { ...(await serveFolder(site.out)), manifest })
  }
})

const words = [...secret.split(' '), 'globex', 'hot', 'cold', 'dollars', 'zzz', 'last year', ' ']
const terms = fc.constantFrom('hot', 'cold', 'globex', 'nobody', 'news', 'deals', 'ada', 'eve')
const filters = 'tags excludeTags categories excludeCategories authors excludeAuthors'.split(' ')
const parameters = fc.oneof(
  fc.constantFrom(...words).map((text) => `query=${encodeURIComponent(text)}`),
  fc.nat({ max: secret.length }).map((end) => `query=${encodeURIComponent(secret.slice(0, end))}`),
  fc.tuple(fc.constantFrom(...filters), terms).map((pair) => pair.join('=')),
  fc.constantFrom('featured=true', 'featured=false', 'slugs=deal,old,far', 'ids=x', 'locale=de'),
  fc.constantFrom('publishedAfter=2025-03-03', 'publishedBefore=2050-01-01', 'match=words'),
  fc.constantFrom('updatedAfter=2025-02-03', 'order=asc', 'orderBy=title', 'orderBy=updatedAt'),
  fc.constantFrom('limit=all', 'limit=1', 'limit=3', 'page=1', 'page=2', 'excludeContent=true'),
  fc.constantFrom(
    'format=markdown',
    'select=title,tags',
    'include=posts',
    'include=facets,matches',
  ),
  fc.constantFrom('include=neighbours,related', 'status=published', 'status=draft', 'status=all'),
)
const paths = fc.constantFrom(
  ...['posts', 'posts', 'posts', 'posts/old', 'posts/older', 'posts/deal', 'posts/nobody'],
  ...['categories', 'categories/news', 'posts/once', 'posts/old-deal'],
  ...['categories/deals', 'tags', 'tags/hot', 'tags/cold', 'tags/globex', 'tags/nobody'],
  ...['authors', 'authors/ada', 'authors/eve', 'authors/bob'],
)
const documents = ['redirects', 'changes', 'feed.xml', 'atom.xml', 'feed.json', 'sitemap.xml']
const targets = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/v1/acme', '/v2', '/v1'),
      paths,
      fc.uniqueArray(parameters, { maxLength: 4, selector: (text) => text.replace(/=.*/, '') }),
    )
    .map(([version, path, query]) => `${version}/${path}?${query.join('&')}`),
  fc.constantFrom(...documents, 'llms.txt').map((name) => `/v1/acme/${name}`),
  fc.constantFrom('/openapi.json', '/', '/status', '/v1/media', '/v1/fields', '/v2/changes'),
)

/** From `due` on, or so many seconds before. */
const instants = (min: number, max: number) =>
  fc.integer({ min, max }).map((seconds) => due + seconds * 1000)

it('headers depend on the workspace and the instant, never on what a request selects', async () => {
  const isKeyed = (target: string) => !target.startsWith('/v1/acme')
  const content = targets.filter((target) => /^\/v1\/acme|^\/v2/.test(target))
  const moments = fc.oneof(
    fc.constantFrom(start, due - 1, due, due + 1, start - 400 * 24 * 60 * minute),
    instants(-86_400, 86_400),
  )
  await fc.assert(
    fc.asyncProperty(content, content, moments, async (one, other, now) => {
      const replies = [
        await ask('scheduled', one, now),
        await ask('scheduled', other, now),
      ] as const
      if (replies.some(({ status }) => status !== 200) || isKeyed(one) !== isKeyed(other)) return
      expect(headersOf(replies[0]), `${one} ${other}`).toEqual(headersOf(replies[1]))
    }),
    { numRuns: 1500 },
  )
})

it.each([
  ['a scheduled post, until its last minutes', 'scheduled', instants(-86_400, -301)],
  ['an expired post', 'ending', instants(0, 86_400)],
  ['a draft in a build with drafts', 'drafted', instants(-86_400, 86_400)],
] as const)(
  '%s is as if it had never been, in every response and header',
  async (_, name, moments) => {
    // That a post was removed is a change.
    const asked = targets.filter((target) => name !== 'ending' || !target.includes('changes'))
    await fc.assert(
      fc.asyncProperty(asked, moments, async (target, now) => {
        const [real, reference] = [await ask(name, target, now), await ask('without', target, now)]
        expect(shown(real), target).toEqual(shown(reference))
        expect(headersOf(real), target).toEqual(headersOf(reference))
      }),
      { numRuns: 1500, examples: name === 'ending' ? [['/v1/media', due]] : [] },
    )
  },
)

it.each(['scheduled', 'ending'] as const)(
  'a response of a memory or a file equals one that is made at the instant, however the clock jumps: %s',
  async (name) => {
    const { manifest, handler, keyOf } = served.get(name) ?? expect.unreachable()
    const { folder } = deploy('aws-lambda', { out: sites.get(name)?.out ?? '', manifest })
    const storage = createFileStorage(join(folder, 'function'))
    let instant = start
    const keeping = handler({
      replyCacheBytes: 64 * 1024,
      findStored: (...request) => findStored(storage, ...request),
      now: () => instant,
    })
    const headers = { authorization: `Bearer ${keyOf('acme')}` }
    const asked = fc.constantFrom(
      ...['/v1/acme/posts', '/v1/acme/posts?query=dollars', '/v1/acme/posts/deal', '/v2/tags'],
      ...['/v1/de/posts', '/v1/de/posts/globex', '/v1/acme/posts/old', '/v1/de/categories'],
      ...['/v2/posts?limit=2', '/v1/acme/tags/hot?include=posts', '/v1/plain/posts'],
    )
    const moments = fc.constantFrom(
      ...[start, due].flatMap((time) => [time - 1, time, time + 1]),
      ...[start - 400 * 24 * 60 * minute, due - 30_500, due + 60 * minute],
    )
    await fc.assert(
      fc.asyncProperty(asked, moments, async (target, now) => {
        instant = now
        const kept = await askHandler(keeping, target, { headers })
        const made = await ask(name, target, now)
        expect(shown(kept), target).toEqual(shown(made))
        expect(headersOf(kept), target).toEqual(headersOf(made))
      }),
      { numRuns: 1000 },
    )
  },
)

it('an embargoed text is never read by a search', async () => {
  const storage = createFileStorage(`${sites.get('scheduled')?.out}/function`)
  const read: string[] = []
  const watched: Storage = {
    read: (name, from, to) => {
      if (name.startsWith('data/text-')) read.push(`${name} ${from === 0 ? 'head' : 'texts'}`)
      return storage.read(name, from, to)
    },
  }
  const site = await openBuild(watched)
  const respondAt = (now: number) => createResponder(() => site, { now: () => now })
  const target = `/v1/acme/posts?query=${encodeURIComponent('lion dollars on M')}`
  expect((await askHandler(respondAt(due - 1), target)).text).toContain('"totalItems":0')
  expect(read).toEqual([])
  expect((await askHandler(respondAt(due), target)).text).toContain('"totalItems":1')
  expect(read.filter((each) => each.endsWith('texts'))).toHaveLength(1)
})

function ask(name: Name, target: string, now: number): Promise<ReadReply> {
  const folder = served.get(name) ?? expect.unreachable()
  const headers = { authorization: `Bearer ${folder.keyOf('acme')}` }
  return askHandler(folder.handler({ now: () => now }), target, { headers })
}

/** Status, body and tag, without the id of the build, which differs between the sites. */
function shown({ status, text, header }: ReadReply): unknown {
  const content = text.replace(/"build":"\w{16}"/, '')
  return { status, content, etag: content === text ? header('etag') : null }
}

/** Every header but those that name the response itself. */
function headersOf(reply: ReadReply): unknown {
  const own = ['etag', 'content-length', 'content-type', 'x-request-id', 'x-ignored-parameters']
  return reply.headers.filter(([name]) => !own.includes(name))
}
