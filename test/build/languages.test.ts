// Languages: workspaces whose posts and items are translations of each other; as the function responds with them.
import { beforeAll, expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const day = 86_400_000

/** The German `soon` appears after a day, the French after four, `brief` ends after two; French is private. */
const posts: readonly (readonly [workspace: string, name: string, fields: object])[] = [
  ['acme', 'hello', {}],
  ['acme', 'soon', { publishedAt: '2026-01-01' }],
  ['acme', 'brief', { publishedAt: '2026-01-01' }],
  ['acme', 'alone', { publishedAt: '2026-01-01' }],
  ['de', 'hallo', { publishedAt: '2026-01-03', translationKey: 'hello' }],
  ['de', 'soon', { slug: 'bald', publishedAt: '2026-06-02T12:00:00Z' }],
  ['de', 'brief', { slug: 'kurz', publishedAt: '2026-01-01', expiresAt: '2026-06-03T12:00:00Z' }],
  ['de', 'alone', { slug: 'allein', publishedAt: '2026-01-01', status: 'draft' }],
  ['fr', 'hello', { slug: 'bonjour', publishedAt: '2026-01-04' }],
  ['fr', 'soon', { slug: 'bientot', publishedAt: '2026-06-05T12:00:00Z' }],
  ['other', 'hello', { publishedAt: '2026-01-04' }],
]

function fill(site: TemporarySite): TemporarySite {
  const more = 'collections: { docs: { folder: docs }, list: { file: list.yml } }'
  const settings = {
    acme: `locale: en\nlinks: { post: "https://acme.test/{slug}" }\n${more}`,
    de: `locale: de-AT\ntranslationOf: acme\nlinks: { post: "https://acme.test/de/{slug}" }\n${more}`,
    fr: 'locale: fr\ntranslationOf: acme\nv1: private',
    other: 'name: Other',
  }
  for (const [id, text] of Object.entries(settings)) {
    site.write(`content/${id}/workspace.yml`, `${text}\n`)
    site.write(`content/${id}/categories/news.md`, '---\nname: News\n---\n')
  }
  for (const [id, name, own] of posts) site.post(name, { ...own }, 'Text.\n', id)
  for (const id of ['acme', 'de']) {
    site.write(`content/${id}/docs/guide/index.md`, `---\ntitle: ${id}\n---\nText.\n`)
    site.write(`content/${id}/list.yml`, 'one: { title: One }\n')
  }
  return site
}

const site = fill(temporarySite({ changes: true }))
let ask: (
  target: string,
  days?: number,
) => Promise<{ status: number; body: string } & Record<'etag' | 'age' | 'ignored', string | null>>

beforeAll(async () => {
  await site.build()
  const { handler } = await serveFolder(site.out)
  const scopes = ['posts:read', 'collections:read'] as const
  const keyring = () => ({ find: () => ({ id: 'key', workspace: 'acme', scopes }) })
  ask = async (target, days = 0) => {
    const responder = handler({ now: () => someNoon + days * day, keyring })
    const { status, header, text } = await askHandler(responder, target)
    const [etag, age] = [header('etag'), header('cache-control')]
    return { status, etag, age, ignored: header('x-ignored-parameters'), body: text }
  }
})

/** Locales and slugs of the translations of the only post or item. */
async function translationsOf(target: string, days = 0): Promise<readonly string[]> {
  const { item, post = item } = JSON.parse((await ask(target, days)).body)
  return post.translations.map(
    (one: { locale: string; slug: string }) => `${one.locale} ${one.slug}`,
  )
}

it.each([
  ['/v1/acme/posts/hello', 0, ['de-AT hallo']],
  ['/v2/posts/hello', 0, ['de-AT hallo', 'fr bonjour']],
  ['/v2/posts/hello?locale=fr', 0, undefined],
  ['/v2/posts/bonjour?locale=fr', 0, ['en hello', 'de-AT hallo']],
  ['/v1/posts/hello', 0, ['de-AT hallo', 'fr bonjour']],
  ['/v1/de/posts/hallo?select=translations', 0, ['en hello']],
  ['/v1/acme/posts/alone', 9, []],
  ['/v1/acme/collections/docs/guide', 0, ['de-AT guide']],
  ['/v1/acme/collections/list/one', 0, ['de-AT one']],
])('names the visible translations: %s after %d days', async (target, days, expected) => {
  if (expected === undefined) expect((await ask(target, days)).status).toBe(404)
  else expect(await translationsOf(target, days)).toEqual(expected)
})

it.each(['posts', 'posts?select=translations', 'atom.xml', 'sitemap.xml', 'changes'])(
  'names a translation in %s from its instant to its end, and no private one',
  async (path) => {
    const read = async (days: number) => (await ask(`/v1/acme/${path}`, days)).body
    const before = await read(0.99)
    expect(before).not.toMatch(/bald|bientot|bonjour|allein|"fr"/)
    if (path === 'changes') return
    expect(before).toContain('kurz')
    expect(await read(1)).toContain('bald')
    expect(await read(2)).not.toContain('kurz')
  },
)

it('keeps no response beyond the next instant', async () => {
  for (const days of [0.9999, 1.9999])
    expect((await ask('/v1/acme/posts/alone', days)).age).toBe('public, max-age=8, s-maxage=8')
  expect((await ask('/v2/posts/alone')).age).toBe('private, max-age=60')
  expect((await ask('/v2/posts/alone', 3.9999)).age).toBe('private, max-age=8')
  expect((await ask('/v1/acme/posts/alone', 3.9999)).age).toMatch(/max-age=60,/)
})

it.each([
  ['/v1/acme/posts?locale=de-at&limit=1', '/v1/de/posts?limit=1'],
  ['/v1/acme/sitemap.xml?locale=de-AT', '/v1/de/sitemap.xml'],
  ['/v1/other/posts?locale=de', '/v1/other/posts'],
])('responds to %s as to %s', async (target, own) => {
  expect((await ask(target)).status).toBe(200)
  expect({ ...(await ask(target)), ignored: null }).toEqual(await ask(own))
})

it('is one, not two', async () => {
  const message = expect.stringContaining('"is given more than once with different values"')
  const both = await ask('/v1/acme/posts?locale=en&locale=de-AT')
  expect(both).toMatchObject({ status: 400, body: message })
})

it.each(['?locale=de', '?locale=de&strict=true', '?locale=xx', '/hello?locale=fr&strict=true'])(
  'does not tell a private workspace from none: %s',
  async (query) => {
    const [own, none] = [await ask(`/v1/fr/posts${query}`), await ask(`/v1/nope/posts${query}`)]
    expect(own).toEqual(none)
    expect(own).toMatchObject({ status: /strict/.test(query) ? 400 : 404, ignored: 'locale' })
  },
)

it('is read by the client', async () => {
  const fetch = (async (input: unknown) => {
    const { pathname, search } = new URL(String(input))
    return new Response((await ask(pathname + search)).body)
  }) as typeof globalThis.fetch
  const client = createClient({ url: 'http://localhost', workspace: 'acme', fetch })
  const found = await client.posts.get('hallo', { locale: 'de-AT' })
  expect(found.ok && found.data.translations?.[0]?.slug).toBe('hello')
})

it('is the same after translations and items came, changed and went as from nothing', async () => {
  const site = fill(temporarySite({ changes: true }))
  const change = (other: TemporarySite) => {
    other.post('alone', { slug: 'allein', publishedAt: '2026-01-01' }, 'Text.\n', 'de')
    other.post('brief', { slug: 'neu', publishedAt: '2026-01-01' }, 'Text.\n', 'de')
    other.remove('content/de/posts/hallo.md')
    other.write('content/de/docs/guide/index.md', '---\ntitle: Changed\n---\nNew.\n')
    other.write('content/acme/list.yml', 'two: { title: Two }\n')
  }
  await site.build()
  change(site)
  await site.build()
  const clean = fill(temporarySite({ changes: true }))
  change(clean)
  await clean.build()
  const same = site.files().filter((path) => !/steps|changes|root\.json|manifest/.test(path))
  expect(same.filter((path) => site.text(path) !== clean.text(path))).toEqual([])
  const { changes } = site.json('public/v1/acme/changes.json')
  const changed = changes.map(({ slug }: { slug: string }) => slug).sort()
  expect(changed).toEqual(['alone', 'brief', 'hello', 'one', 'two'])
})

it('reports mistakes with their places, in one run', async () => {
  const site = fill(temporarySite())
  for (const [id, text] of [
    ['a', 'locale: de_DE\ntranslationOf: acme'],
    ['b', 'translationOf: acme'],
    ['c', 'locale: it\ntranslationOf: acm'],
    ['d', 'locale: it\ntranslationOf: de'],
    ['e', 'locale: DE-at\ntranslationOf: acme'],
    ['f', 'locale: it\ntranslationOf: other'],
  ])
    site.write(`content/${id}/workspace.yml`, `${text}\n`)
  site.post('more', { translationKey: 'hello' }, 'Text.\n', 'de')
  expect((await site.problems()).filter((line) => /(?:error|:\d+) /.test(line))).toEqual([
    expect.stringContaining('a/workspace.yml:1:9'),
    expect.stringContaining('b/workspace.yml:1:16'),
    expect.stringMatching(/c\/workspace.yml:2:16 .*"acm".*Did you mean "acme"/),
    expect.stringContaining('d/workspace.yml:2:16'),
    expect.stringContaining('de/posts/more.md:5:17 duplicate-value'),
    expect.stringContaining('e/workspace.yml:1:9'),
    expect.stringContaining('f/workspace.yml:2:16'),
  ])
})
