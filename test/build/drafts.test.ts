// Drafts in a build: what readers of drafts see, and that nobody else sees a difference.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { contentsOf } from '../support/contents.ts'
import fc from '../support/fast-check.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'
import { newSite, someNoon, temporarySite } from '../support/temporary-site.ts'

const needle = 'Zweiundvierzig Milliarden'
const due = '2026-06-02T12:00:00.000Z'
const words = ['alpha', 'beta', 'gamma', needle]
const names = [...Array.from({ length: 24 }, (_, index) => `post-${index}`), 'due', 'far']

/** Front matter of a post; every third one is a draft. Some of them are of the future. */
function fieldsOf(index: number): Readonly<Record<string, string>> {
  const shared = {
    title: JSON.stringify(`${words[index % 3]} ${index % 5}`),
    publishedAt: `${index % 6 === 0 ? 2099 : 2025}-01-0${1 + (index % 7)}`,
    updatedAt: `2025-02-0${1 + (index % 5)}`,
    category: index % 6 === 0 ? 'deals' : 'news',
    featured: String(index % 4 === 0),
    aliases: index % 5 === 0 ? `[old-${index}]` : '[]',
  }
  return index % 3 === 0
    ? { ...shared, tags: '[hot, secret-tag]', authors: '[eve]', status: 'draft' }
    : { ...shared, tags: index % 2 === 0 ? '[hot]' : '[cold]', authors: '[ada]' }
}

/** @param hasDrafts false leaves their files out @param drafts option of the build */
async function built(hasDrafts: boolean, drafts: boolean) {
  const site = newSite().write('content/acme/workspace.yml', 'references: create\n')
  for (let index = 0; index < 24; index++) {
    const isDraft = index % 3 === 0
    const body = `Text ${words[(index * 7) % 3]} ${isDraft ? needle : 'and more'} ${index}.\n`
    if (!isDraft || hasDrafts) site.post(`post-${index}`, fieldsOf(index), body)
  }
  site.post('due', { publishedAt: due, tags: '[hot]' }, 'alpha due.\n')
  site.post('far', { publishedAt: '2098-01-01' }, 'alpha far.\n')
  await site.build({ drafts })
  return { site, folder: await serveFolder(site.out) }
}

type Built = Awaited<ReturnType<typeof built>>
let preview: Built
let plain: Built
let without: Built

beforeAll(async () => {
  preview = await built(true, true)
  plain = await built(true, false)
  without = await built(false, false)
})

afterAll(() => {
  for (const { site } of [preview, plain, without]) rmSync(site.folder, { recursive: true })
})

describe('files of a build with drafts', () => {
  it('are those of a build without, but for an index of its own and its root', () => {
    const contents = ({ site }: Built) =>
      new Map(site.files().map((path) => [path, readFileSync(join(site.out, path), 'latin1')]))
    const [real, reference] = [contents(preview), contents(plain)]
    expect(reference).toEqual(contents(without))
    const own = [...real].filter(([path, text]) => reference.get(path) !== text)
    expect(own.length).toBeGreaterThan(3)
    for (const [path] of own) expect(path).toMatch(/^(function\/.+|manifest\.json)$/)
    expect([...reference.keys()].filter((path) => !real.has(path))).toEqual([])
    const readable = [...real].filter(([path]) => !path.startsWith('function/'))
    for (const secret of [needle, 'secret-tag', 'post-3', 'deals'])
      expect(readable.filter(([, text]) => text.includes(secret))).toEqual([])
  })

  it('go with the next build without', async () => {
    const site = temporarySite({ cache: '.cache' })
    site.post('open').post('closed', { status: 'draft', tags: '[x]' }, `${needle}\n`)
    site.write('content/acme/tags/x.md', '---\nname: X\n---\n')
    await site.build()
    const clean = contentsOf(site.out)
    expect((await site.build({ drafts: true })).changes.written).toBeGreaterThan(0)
    expect((await site.build({ drafts: true })).changes.written).toBe(0)
    await site.build()
    expect(contentsOf(site.out)).toEqual(clean)
    // A function of the build before may still read them: they go with the next build that changes a file.
    await site.post('new').build()
    for (const path of listFiles(site.out))
      expect(readFileSync(join(site.out, path)).includes(needle), path).toBe(false)
  })
})

const filters = fc.oneof(
  fc.constantFrom(...words, 'due', 'far', 'and more').map((text) => `query=${text}`),
  fc.constantFrom('hot', 'cold', 'secret-tag', 'none').map((tag) => `tags=${tag}`),
  fc.constantFrom('hot', 'secret-tag').map((tag) => `excludeTags=${tag}`),
  fc.constantFrom('ada', 'eve').map((author) => `authors=${author}`),
  fc.constantFrom('news', 'deals').map((category) => `categories=${category}`),
  fc.constantFrom('featured=true', 'featured=false', 'slugs=post-3,post-4,due', 'ids=x'),
  fc.constantFrom(
    'publishedAfter=2025-01-03',
    'publishedBefore=2050-01-01',
    'updatedAfter=2025-02-03',
  ),
  fc.constantFrom(
    'order=asc',
    'orderBy=title',
    'orderBy=updatedAt',
    'limit=3',
    'limit=all',
    'page=2',
  ),
  fc.constantFrom(
    'excludeContent=true',
    'format=markdown',
    'select=title,tags',
    'include=facets,matches',
  ),
)
const lists = fc
  .uniqueArray(filters, { maxLength: 5, selector: (text) => text.replace(/=.*/, '') })
  .map((query) => `/v2/posts?${query.map((pair) => `${pair}&`).join('')}`)
const singles = fc
  .tuple(
    fc.constantFrom(...names, 'old-0', 'old-5', 'old-10', 'old-15', 'no'),
    fc.subarray(['include=neighbours', 'include=related', 'select=slug', 'format=markdown']),
  )
  .map(([name, query]) => `/v2/posts/${name}?${query.map((pair) => `${pair}&`).join('')}`)
const targets = fc.oneof(lists, singles)

const termPaths = [
  ...['categories', 'tags', 'authors', 'categories/deals', 'tags/secret-tag', 'authors/eve'],
].flatMap((path) => [`/v2/${path}?include=posts`, `/v1/acme/${path}`, `/v1/${path}`])
const closed = fc.oneof(
  targets,
  targets.map((target) => target.replace('/v2', '/v1/acme')),
  targets.map((target) => target.replace('/v2', '/v1')),
  fc.constantFrom(
    ...['/status', '/openapi.json', '/', '/v1/media', '/v1/fields', '/v1/acme/redirects'],
    ...termPaths,
  ),
)

it('a client without the scope gets the responses of a site without drafts, to the last header', async () => {
  const status = fc.constantFrom('', '', '&status=published', '&status=draft', '&status=all')
  const now = fc.constantFrom(someNoon, Date.parse(due))
  await fc.assert(
    fc.asyncProperty(closed, status, now, async (target, more, moment) => {
      const asked = target.includes('?') ? `${target}${more}` : target
      const real = await ask(preview.folder, asked, moment)
      expect(real, asked).toEqual(await ask(without.folder, asked, moment))
    }),
    { numRuns: 2000 },
  )
})

async function ask(folder: ServedFolder, target: string, now: number) {
  const headers = { authorization: `Bearer ${folder.keyOf('acme')}` }
  const handler = folder.handler({ now: () => now })
  const { status, text, headers: all } = await askHandler(handler, target, { headers })
  return { status, text, headers: all.filter(([name]) => name !== 'x-request-id') }
}
