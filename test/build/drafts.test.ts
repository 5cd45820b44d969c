// Drafts in a build: what readers of drafts see, and that nobody else sees a difference.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import fc from '../support/fast-check.ts'
import {
  askHandler,
  type ReadReply,
  type ServedFolder,
  serveFolder,
} from '../support/served-site.ts'
import { someNoon, TemporarySite, temporarySite } from '../support/temporary-site.ts'

const needle = 'Zweiundvierzig Milliarden'
const due = '2026-06-02T12:00:00.000Z'
const afterDue = Date.parse(due)

/** A post by its name: front matter, body, and which kind it is. */
interface Sample {
  readonly state: 'published' | 'draft' | 'scheduled'
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
}

const words = ['alpha', 'beta', 'gamma', needle]

const samples: Readonly<Record<string, Sample>> = {
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, index): [string, Sample] => {
      const isDraft = index % 3 === 0
      const fields = {
        title: JSON.stringify(`${words[index % 3]} ${index % 5}`),
        // Some drafts are of the future, and some share their date with published posts.
        publishedAt: `${isDraft && index % 2 === 0 ? 2099 : 2025}-01-${String(1 + (index % 7)).padStart(2, '0')}`,
        updatedAt: `2025-02-${String(1 + (index % 5)).padStart(2, '0')}`,
        tags: isDraft ? '[hot, secret-tag]' : index % 2 === 0 ? '[hot]' : '[cold]',
        authors: isDraft ? '[eve]' : '[ada]',
        category: isDraft && index % 2 === 0 ? 'deals' : 'news',
        ...(index % 4 === 0 ? { featured: 'true' } : {}),
        ...(index % 5 === 0 ? { aliases: `[old-${index}]` } : {}),
      }
      const body = `Text ${words[(index * 7) % 3]} ${isDraft ? needle : 'and more'} ${index}.\n`
      return [`post-${index}`, { state: isDraft ? 'draft' : 'published', fields, body }]
    }),
  ),
  due: { state: 'scheduled', fields: { publishedAt: due, tags: '[hot]' }, body: 'alpha due.\n' },
  far: { state: 'scheduled', fields: { publishedAt: '2098-01-01' }, body: 'alpha far.\n' },
}

const sites: TemporarySite[] = []
const folders: ServedFolder[] = []

async function served(
  stateOf: (sample: Sample) => 'published' | 'draft' | null,
  options: { readonly drafts?: boolean } = {},
): Promise<{ readonly site: TemporarySite; readonly folder: ServedFolder }> {
  const site = new TemporarySite()
  sites.push(site)
  site
    .write('content/acme/workspace.yml', 'references: create\nderived: [wordCount]\n')
    .write('content/acme/categories/news.md', '---\nname: News\n---\n')
  for (const [name, sample] of Object.entries(samples)) {
    const state = stateOf(sample)
    if (state !== null) site.post(name, { ...sample.fields, status: state }, sample.body)
  }
  await site.build(options)
  const folder = await serveFolder(site.out)
  folders.push(folder)
  return { site, folder }
}

type Served = Awaited<ReturnType<typeof served>>
let preview: Served
let plain: Served
let without: Served

beforeAll(async () => {
  const own = ({ state }: Sample) => (state === 'draft' ? 'draft' : 'published')
  preview = await served(own, { drafts: true })
  plain = await served(own)
  without = await served((sample) => (sample.state === 'draft' ? null : 'published'))
})

afterAll(() => {
  for (const folder of folders) folder.close()
  for (const site of sites) rmSync(site.folder, { recursive: true })
})

describe('files of a build with drafts', () => {
  it('are those of a build without, but for an index of its own and its root', async () => {
    const contents = (site: TemporarySite) =>
      new Map(site.files().map((path) => [path, readFileSync(join(site.out, path), 'latin1')]))
    const [real = new Map(), reference = new Map(), clean] = [preview, plain, without].map(
      ({ site }) => contents(site),
    )
    expect(reference).toEqual(clean)
    const own = [...real].filter(([path, text]) => reference.get(path) !== text)
    expect(own.length).toBeGreaterThan(3)
    for (const [path] of own) expect(path).toMatch(/^(function\/.+|manifest\.json|\.seal)$/)
    expect([...reference.keys()].filter((path) => !real.has(path))).toEqual([])
    const readable = [...real].filter(([path]) => !path.startsWith('function/'))
    for (const secret of [needle, 'secret-tag', 'post-3', 'deals'])
      expect(readable.filter(([, text]) => text.includes(secret))).toEqual([])
  })

  it('go with the next build without', async () => {
    const site = temporarySite({ cache: '.cache' })
    site.post('open').post('closed', { status: 'draft', tags: '[x]' }, `${needle}\n`)
    site.write('content/acme/tags/x.md', '---\nname: X\n---\n')
    const clean = await site.build()
    const files = site.files()
    const hash = site.manifestHash
    const { changes } = await site.build({ drafts: true })
    expect(changes.written).toBeGreaterThan(0)
    expect(site.manifestHash).not.toBe(hash)
    expect(await site.build({ drafts: true })).toMatchObject({ changes: { written: 0 } })
    const again = await site.build()
    expect(again.manifest).toEqual(clean.manifest)
    expect(site.manifestHash).toBe(hash)
    expect(site.files()).toEqual(files)
    const bytes = listFiles(site.out).filter((path) =>
      readFileSync(join(site.out, path)).includes(needle),
    )
    // A function of the build before may still read them: they go with the next build that changes a file.
    expect(bytes.filter((path) => !/^function\/.+\//.test(path))).toEqual([])
    await site.post('new').build()
    for (const path of listFiles(site.out))
      expect(readFileSync(join(site.out, path)).includes(needle), path).toBe(false)
  })

  it('have no image that drafts alone show', async () => {
    const site = temporarySite()
    site.post('closed', { status: 'draft' }, '![Plan](plan.png)\n')
    site.write('content/acme/posts/plan.png', Buffer.from('89504e470d0a1a0a', 'hex'))
    await site.build({ drafts: true })
    expect(site.files().filter((path) => path.includes('media'))).toEqual([])
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
const names = fc.constantFrom(...Object.keys(samples), 'old-0', 'old-5', 'old-10', 'old-15', 'no')
const singles = fc
  .tuple(
    names,
    fc.subarray(['include=neighbours', 'include=related', 'select=slug', 'format=markdown']),
  )
  .map(([name, query]) => `/v2/posts/${name}?${query.map((pair) => `${pair}&`).join('')}`)
const targets = fc.oneof(lists, singles)

describe('a client without the scope', () => {
  const closed = fc.oneof(
    targets,
    targets.map((target) => target.replace('/v2', '/v1/acme')),
    targets.map((target) => target.replace('/v2', '/v1')),
    fc.constantFrom(
      ...['/status', '/openapi.json', '/', '/v1/media', '/v1/fields', '/v1/acme/redirects'],
      ...[
        'categories',
        'tags',
        'authors',
        'categories/deals',
        'tags/secret-tag',
        'authors/eve',
      ].flatMap((path) => [`/v2/${path}?include=posts`, `/v1/acme/${path}`, `/v1/${path}`]),
    ),
  )
  it('gets the responses of a site without drafts, to the last header', async () => {
    const status = fc.constantFrom('', '', '&status=published', '&status=draft', '&status=all')
    const now = fc.constantFrom(someNoon, afterDue)
    await fc.assert(
      fc.asyncProperty(closed, status, now, async (target, more, moment) => {
        const asked = target.includes('?') ? `${target}${more}` : target
        const [real, reference] = [
          await ask(preview.folder, asked, { now: moment }),
          await ask(without.folder, asked, { now: moment }),
        ]
        expect([real.status, real.text, headersOf(real)], asked).toEqual([
          ...[reference.status, reference.text, headersOf(reference)],
        ])
      }),
      { numRuns: 2000 },
    )
  })

  it('is refused by a 403 that depends on nothing else', async () => {
    for (const folder of [preview.folder, without.folder]) {
      for (const path of ['posts', 'posts/post-3', 'posts/no', 'posts/old-0']) {
        for (const [root, state] of [
          ['/v2', 'draft'],
          ['/v2', 'all'],
          ['/v1', 'draft'],
        ]) {
          const reply = await ask(folder, `${root}/${path}?status=${state}`)
          expect([reply.status, reply.text, reply.header('cache-control')]).toEqual([
            403,
            '{"error":"Forbidden","message":"Insufficient permissions for this resource."}',
            'no-store',
          ])
        }
      }
    }
  })
})

const drafts = ['posts:read', 'drafts:read'] as const

async function ask(
  folder: ServedFolder,
  target: string,
  { now = someNoon, scopes }: { now?: number; scopes?: typeof drafts } = {},
): Promise<ReadReply> {
  const headers = { authorization: `Bearer ${folder.keyOf('acme')}` }
  const key = { id: 'k', workspace: 'acme', scopes: scopes ?? [] }
  const keyring = scopes && { keyring: () => ({ find: () => key }) }
  return askHandler(folder.handler({ now: () => now, ...keyring }), target, { headers })
}

function headersOf(reply: ReadReply): unknown {
  return reply.headers.filter(([name]) => name !== 'x-request-id')
}
