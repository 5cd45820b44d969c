// What a workspace reveals of posts that are scheduled: that there is one, and nothing else.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
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
const secret = 'We will acquire Globex for 4.2 billion dollars on Monday.'

let served: ServedFolder
/** The same site without the scheduled posts. */
let without: ServedFolder
/** The same site with the scheduled post as one that expires when it would come out. */
let ending: ServedFolder

const [changes, first] = [{ changes: true }, new TemporarySite({ changes: true })]
const sites = [first, new TemporarySite(changes), new TemporarySite(changes)] as const

beforeAll(async () => {
  for (const [index, site] of sites.entries()) {
    site
      .write(
        'content/acme/workspace.yml',
        'locale: en\nreferences: create\nlinks: { post: "https://example.com/{slug}" }\n',
      )
      .write('content/de/workspace.yml', 'locale: de\ntranslationOf: acme\nreferences: create\n')
      .write(
        'content/de/posts/old.md',
        '---\ntitle: Alt\ncategory: news\ndate: 2026-01-01\n---\nAlt.\n',
      )
      .write('content/acme/categories/news.md', '---\nname: News\n---\n')
      .post(
        'old',
        { tags: '[hot]', authors: '[ada]', aliases: 'once' },
        'The dollars of last year.\n',
      )
      .post('older', { tags: '[cold]', authors: '[bob]', publishedAt: '2025-05-05' }, 'Hi.\n')
    // One more post that is scheduled for long after: a workspace does reveal that there is one.
    site.post('far', { publishedAt: '2098-01-01' }, 'Nothing.\n')
    site.write(
      'content/de/posts/far.md',
      '---\ntitle: Far\ncategory: news\ndate: 2098-01-01\n---\nNo.\n',
    )
    await site.build({ now: start })
    site.post('older', { tags: '[cold]', authors: '[bob]', publishedAt: '2025-05-05' }, 'Hello.\n')
    if (index !== 1) {
      const terms = { tags: '[hot, globex]', authors: '[ada, eve]', category: 'deals' }
      const more = { aliases: '[old-deal]', featured: 'true', description: 'Globex' }
      const date = new Date(due).toISOString()
      const dates =
        index === 0 ? { publishedAt: date } : { publishedAt: '2026-02-02', expiresAt: date }
      site.post('deal', { ...terms, ...more, ...dates }, `${secret}\n`)
      const own = Object.entries(dates).map((pair) => pair.join(': '))
      const german = ['title: Globex', 'category: deals', 'translationKey: older', ...own]
      site.write('content/de/posts/globex.md', `---\n${german.join('\n')}\n---\n${secret}\n`)
    }
    await site.build({ now: start })
  }
  served = await serveFolder(sites[0].out)
  without = await serveFolder(sites[1].out)
  ending = await serveFolder(sites[2].out)
})

afterAll(() => {
  for (const site of sites) rmSync(site.folder, { recursive: true })
})

const words = [...secret.split(' '), 'globex', 'hot', 'cold', 'dollars', 'zzz', 'last year', ' ']
const names = fc.constantFrom('hot', 'cold', 'globex', 'nobody', 'news', 'deals')
const parameters = fc.oneof(
  fc.constantFrom(...words).map((text) => `query=${encodeURIComponent(text)}`),
  fc.nat({ max: secret.length }).map((end) => `query=${encodeURIComponent(secret.slice(0, end))}`),
  fc
    .tuple(fc.constantFrom('tags', 'excludeTags', 'categories', 'excludeCategories'), names)
    .map((pair) => pair.join('=')),
  fc.constantFrom('featured=true', 'featured=false', 'order=asc', 'limit=all', 'format=markdown'),
  fc.constantFrom('excludeContent=true', 'include=posts', 'page=1', 'limit=1', 'locale=de'),
)
const paths = fc.constantFrom(
  ...['posts', 'posts/old', 'posts/deal', 'posts/nobody', 'categories', 'categories/news'],
  ...['categories/deals', 'tags', 'tags/hot', 'tags/cold', 'tags/globex', 'tags/nobody'],
  ...['authors', 'authors/ada', 'authors/eve', 'authors/bob', 'posts/once', 'posts/old-deal'],
  ...['redirects', 'changes', 'feed.xml', 'atom.xml', 'feed.json', 'sitemap.xml', 'llms.txt'],
)
const targets = fc
  .tuple(fc.constantFrom('/v1/acme', '/v2'), paths, fc.uniqueArray(parameters, { maxLength: 4 }))
  .map(([version, path, query]) => `${version}/${path}?${query.join('&')}`)
const instants = fc.oneof(
  fc.constantFrom(start, due - 1, due, due + 1, start - 400 * 24 * 60 * minute),
  fc.integer({ min: due - 600, max: due + 10 }).map((seconds) => seconds),
  fc.integer({ min: -86_400, max: 86_400 }).map((seconds) => due + seconds * 1000),
)

describe('the headers of a workspace', () => {
  it('depend on the workspace and the instant, never on what a request selects', async () => {
    await fc.assert(
      fc.asyncProperty(targets, targets, instants, async (one, other, now) => {
        const [first, second] = await Promise.all([ask(served, one, now), ask(served, other, now)])
        if (first.status !== 200 || second.status !== 200 || version(one) !== version(other)) return
        expect(headersOf(first), `${one} ${other}`).toEqual(headersOf(second))
      }),
      { numRuns: 1500 },
    )
  })

  it('and bodies are those of a site in which the scheduled post is not, until its last minutes', async () => {
    const before = fc.integer({ min: -86_400, max: -301 }).map((seconds) => due + seconds * 1000)
    await fc.assert(
      fc.asyncProperty(targets, before, async (target, now) => {
        const [real, reference] = [await ask(served, target, now), await ask(without, target, now)]
        expect(shown(real), target).toEqual(shown(reference))
        expect(headersOf(real), target).toEqual(headersOf(reference))
      }),
      { numRuns: 1500 },
    )
  })
})

describe('an expired post', () => {
  it('is as if it had never been, in every response and header', async () => {
    const after = fc.integer({ min: 0, max: 86_400 }).map((seconds) => due + seconds * 1000)
    const others = targets.filter((target) => !target.includes('/changes'))
    await fc.assert(
      fc.asyncProperty(others, after, async (target, now) => {
        const [real, reference] = [await ask(ending, target, now), await ask(without, target, now)]
        expect(shown(real), target).toEqual(shown(reference))
        expect(headersOf(real), target).toEqual(headersOf(reference))
      }),
      { numRuns: 1500 },
    )
  })

  it('is there until then, and a change', async () => {
    const before = await ask(ending, '/v1/acme/posts/deal', due - 30_500)
    expect([before.status, before.header('cache-control')]).toEqual([
      200,
      'public, max-age=30, s-maxage=30',
    ])
    expect((await ask(ending, '/v1/acme/posts/deal', due)).status).toBe(404)
    const { text } = await ask(ending, '/v1/acme/changes', due)
    const at = new Date(due).toISOString()
    expect(JSON.parse(text).changes[0]).toMatchObject({ type: 'removed', slug: 'deal', at })
  })
})

describe('an embargoed text', () => {
  it('is never read by a search', async () => {
    const storage = createFileStorage(`${sites[0].out}/function`)
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
})

function ask(folder: ServedFolder, target: string, now: number): Promise<ReadReply> {
  const headers = { authorization: `Bearer ${folder.keyOf('acme')}` }
  return askHandler(folder.handler({ now: () => now }), target, { headers })
}

/** Status, body and tag, without the id of the build: as in `/status`, it differs between the two sites. */
function shown({ status, text, header }: ReadReply): unknown {
  const content = text.replace(/^{"build":"\w{16}"/, '')
  return { status, content, etag: content === text ? header('etag') : null }
}

function version(target: string): string {
  return target.slice(0, 3)
}

/** Every header but those that name the response itself. */
function headersOf(reply: ReadReply): unknown {
  const own = ['etag', 'content-length', 'content-type', 'x-request-id', 'x-ignored-parameters']
  return reply.headers.filter(([name]) => !own.includes(name))
}
