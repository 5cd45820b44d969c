// Own content types: what the tables of a site hold, and random items against their oracle.
import { beforeAll, describe, expect, it } from 'vitest'
import { hasAllCases } from '../support/fast-check.ts'
import {
  expectedItems,
  type Random,
  randomItems,
  randomRequest,
  targetOfItems,
  writeItems,
} from '../support/item-oracle.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const settings = `name: Acme
collections:
  docs:
    folder: docs
    fields:
      level: { type: number, index: true, min: 1, max: 9 }
      author: { type: reference, to: authors, index: true }
      next: { type: references, to: docs }
  products:
    file: products.yml
    orderBy: label
    fields:
      label: { type: text, required: true, index: true }
      releases: { type: objects, fields: { name: text, date: date, lts: boolean } }
      guide: { type: reference, to: docs, index: true }
      extra: json
  jobs:
    file: jobs.csv
    fields: { region: { type: select, options: [EU, US], index: true }, skills: list, note: text }
singletons: { navigation: navigation.yml, about: about.md }
fieldsOf: { authors: { email: text, age: number } }
fields: { guide: { type: reference, to: docs }, product: { type: reference, to: products }, brief: { type: reference, to: docs } }
`

function fill(site: TemporarySite): TemporarySite {
  const doc = (path: string, frontMatter: string, body = 'Some words.\n') =>
    site.write(`content/acme/docs/${path}`, `---\n${frontMatter}\n---\n${body}`)
  doc('guide/index.md', 'title: Guide\nauthor: ada', 'The root.\n')
  doc('guide/api.md', 'title: API\nlevel: 2\nnext: [guide, later]\naliases: [old]')
  doc('guide-book.md', 'title: Book\nlevel: 1')
  doc('later.md', 'title: Secret\ndate: 2026-06-02', 'Embargo.\n')
  doc('draft.md', 'title: Hidden\nstatus: draft', 'Embargo.\n')
  doc('short.md', 'title: Short\nexpiresAt: 2026-06-03')
  return site
    .write('content/acme/workspace.yml', settings)
    .write('content/acme/authors/ada.md', '---\nname: Ada\nrole: editor\nemail: a@b.example\n---\n')
    .write(
      'content/acme/products.yml',
      `node:
  label: Node
  releases: [{ name: "20", date: 2023-04-18, lts: true }, { name: 22.1, date: 2024-04-24, lts: false }]
  guide: short
  extra: { a: 1, b: [true, "1", ~] }
deno: { label: Deno, guide: later }
zig: { label: A Zig, title: The Zig }
`,
    )
    .write(
      'content/acme/jobs.csv',
      'title,region,skills,note\n"Acme, ""Inc""",EU,go; sql,x; y\n,,,\nBolt,US,a,\n',
    )
    .write('content/acme/navigation.yml', 'items: [{ label: Home, url: / }]\ncount: 3\n')
    .write('content/acme/about.md', '---\nrole: page\n---\n# About\n')
    .post('hello', { fields: '{ guide: guide/api, product: node, brief: short }' })
}

const site = fill(temporarySite({ browser: true }))
let ask: (target: string, at?: number) => Promise<{ status: number; text: string }>

beforeAll(async () => {
  await site.build()
  const { handler } = await serveFolder(site.out)
  ask = (target, at = someNoon) => askHandler(handler({ now: () => at }), `/v1/acme/${target}`)
})

async function read(target: string, at?: number) {
  return JSON.parse((await ask(target, at)).text)
}

describe('a collection', () => {
  it('reads lists and texts of CSV, which a search finds', async () => {
    const { items } = await read('collections/jobs')
    expect(items).toMatchObject([
      { slug: 'acme-inc', fields: { region: 'EU', skills: ['go', 'sql'], note: 'x; y' } },
      { slug: 'bolt', fields: { region: 'US', skills: ['a'], note: null } },
    ])
    for (const query of ['eu', 'SQL', 'x; y'])
      expect((await read(`collections/jobs?query=${query}`)).items).toEqual([items[0]])
    expect((await ask('collections/jobs?include=x')).text).toContain('"must be empty, not')
  })

  it('has typed fields, references and nested data', async () => {
    const { item } = await read('collections/products/node')
    expect(item).toEqual({
      ...{ id: expect.any(String), slug: 'node', title: 'node', publishedAt: null },
      updatedAt: null,
      fields: {
        label: 'Node',
        releases: [
          { name: '20', date: '2023-04-18T00:00:00.000Z', lts: true },
          { name: '22.1', date: '2024-04-24T00:00:00.000Z', lts: false },
        ],
        guide: { id: expect.any(String), slug: 'short', title: 'Short' },
        extra: { a: 1, b: [true, '1', null] },
      },
    })
    expect(Object.keys(item)).toEqual(['id', 'slug', 'title', 'publishedAt', 'updatedAt', 'fields'])
    expect((await read('posts/hello')).post.fields.guide).toMatchObject({ slug: 'guide/api' })
  })

  it('shows and ends items on time, and names nothing before or after', async () => {
    const day = 86_400_000
    const onDay = (path: string, days: number) => read(path, someNoon + days * day)
    const counts = async (days: number) =>
      (await onDay('collections', days)).collections.map(
        (one: { count: { items: number } }) => one.count.items,
      )
    expect(await counts(0)).toEqual([4, 3, 2])
    expect(await counts(1)).toEqual([5, 3, 2])
    expect(await counts(3)).toEqual([4, 3, 2])
    const matching = async (days: number) =>
      (await onDay('posts?query=text&include=matches', days)).posts[0].fields.brief
    expect(await matching(0)).toMatchObject({ slug: 'short' })
    expect(await matching(3)).toBe(null)
    const { post } = await onDay('posts/hello?include=product', 3)
    expect(post.fields.product).toMatchObject({ slug: 'node', fields: { guide: null } })
    const both = await onDay('posts?query=text&include=matches,product', 3)
    expect(both.posts[0]).toMatchObject({ fields: post.fields, matches: [{ field: 'content' }] })
    const open = site.files().filter((path) => path.startsWith('public/') && !path.endsWith('.js'))
    for (const path of open) expect(site.text(path)).not.toMatch(/Embargo|Secret|Hidden/)
  })
})

it.each([
  ['workspace.yml', 'collections: { posts: { folder: x } }\n', '1:16 invalid-identifier'],
  ['workspace.yml', 'collections: { a: { folder: ../x } }\n', ' invalid-field'],
  ['workspace.yml', 'fields: { b: { type: reference, to: c } }\n', ' invalid-field-definition'],
  ['workspace.yml', 'collections: { a: { folder: a }, b: { folder: a } }\n', ' invalid-field'],
  ['workspace.yml', 'singletons: { a: a.yml }\n', ' unreadable-file'],
  ['workspace.yml', 'links: { posts: /a }\n', 'unknown-key "links.posts" is not a known key. Did'],
  ['products.yml', 'a: { label: 1, releases: [{ date: soon }] }\n', '1:35 wrong-field-type'],
  ['products.yml', 'a: { label: A }\nb: { label: B, slug: a }\n', ' duplicate-identifier'],
  ['products.yml', 'a: { label: A, guide: nope }\n', '1:23 unknown-reference'],
  ['products.yml', 'a: {}\n', '1:1 missing-custom-field The field `label` is required'],
  ['jobs.csv', 'title,region\nA\n', '2:1 csv-syntax'],
  ['jobs.csv', 'title,title\nA,B\n', '1:7 csv-syntax'],
  ['jobs.csv', 'title;region\nA;XX\n', '1:1 csv-syntax'],
  ['jobs.csv', 'title,region\nA,XX\n', '2:3 unknown-option'],
  ['docs/guide/api.md', '---\ntitle: A\nlevel: 10\n---\nx\n', '3:8 invalid-field'],
  [
    'docs/guide/api.md',
    '---\ntitle: A\nlevel: 1\nfields: { level: 2 }\n---\nx\n',
    '3:1 conflicting-fields `level` is also below `fields`.',
  ],
  ['docs/guide/api.md', '---\ntitle: A\naliases: [a//b]\n---\nx\n', '3:11 invalid-identifier'],
  ['docs/guide/api.md', '---\ntitle: A\nhidden: true\n---\nx\n', '3:1 withheld-key'],
  ['navigation.yml', 'items: []\ndraft: true\nhidden: true\n', '2:1 withheld-key'],
  ['navigation.yml', 'published: false\n', '1:1 withheld-key'],
  ['navigation.yml', 'id: [9007199254740993]\n', '1:6 wrong-field-type'],
])('reports a mistake in %s: %s', async (file, text, problem) => {
  const broken = fill(temporarySite()).write(`content/acme/${file}`, text)
  const found = await broken.problems()
  expect(found.join('\n')).toContain(`acme/${file}:`)
  expect(
    found.find((line) => line.includes(problem)),
    found.join('\n'),
  ).toBeDefined()
})

/** Random sites, each with 500 requests. */
const sites = hasAllCases ? 20 : 3

it('responds to every request for items as the oracle does', { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= sites; seed++) {
    const random = randomOf(seed)
    const items = randomItems(random)
    const site = temporarySite()
    writeItems(site, items)
    await site.build({ drafts: true })
    const { handler } = await serveFolder(site.out)
    for (let count = 0; count < 500; count++) {
      const request = randomRequest(items, random)
      const now = someNoon + Math.floor(random() * 5) * 86_400_000
      const target = targetOfItems(request)
      const { status, text } = await askHandler(handler({ now: () => now }), target)
      const expected = expectedItems(items, request, now)
      const about = `seed ${seed}, ${new Date(now).toISOString()}: ${target}`
      expect(status, `${about}\n${text}`).toBe(expected.status)
      if (status === 200) expect(JSON.parse(text), about).toEqual(expected.body)
    }
  }
})

/** A linear congruential generator, by Park and Miller. */
function randomOf(seed: number): Random {
  let state = seed * 7919
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
