// Own content types: collections of Markdown and data, singletons, references; as files, and from the function.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { requestOfFile } from '../../src/api/paths.ts'
import { createFileStorage } from '../../src/build/disk.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { newSite, someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

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
fields: { guide: { type: reference, to: docs }, product: { type: reference, to: products } }
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
    .write(
      'content/acme/authors/ada.md',
      '---\nname: Ada\nrole: editor\nemail: ada@example.com\n---\n',
    )
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
      'title,region,skills,note\n"Acme, ""Inc""",EU,a; b,x; y\n,,,\nBolt,US,a,\n',
    )
    .write('content/acme/navigation.yml', 'items: [{ label: Home, url: / }]\ncount: 3\n')
    .write('content/acme/about.md', '---\nrole: page\n---\n# About\n')
    .post('hello', { fields: '{ guide: guide/api, product: node }' })
}

const site = fill(newSite({ precompute: { formats: ['html', 'markdown'] } }))
let get: (
  target: string,
  at?: number,
  version?: string,
) => Promise<{ status: number; body: string }>

beforeAll(async () => {
  await site.build()
  const built = await openBuild(createFileStorage(`${site.out}/function`))
  let now = someNoon
  const respond = createResponder(() => built, { now: () => now })
  get = async (target, at = someNoon) => {
    now = at
    const header = () => null
    const request = { method: 'GET', target, header, clientAddress: '' }
    const { status, body } = await respond(request)
    return { status, body: new TextDecoder().decode((body ?? new Uint8Array()) as Uint8Array) }
  }
})
afterAll(() => site.remove('.'))

/** The slugs of a list. */
async function slugsOf(query: string, at?: number): Promise<readonly string[]> {
  const { items } = JSON.parse((await get(`/v1/acme/collections/${query}`, at)).body)
  return items.map((item: { slug: string; id: string }) => item.slug)
}

it('writes the bytes of the function for every page and single', async () => {
  const paths = site
    .files()
    .filter((path) => /^public\/v1\/acme\/(?:collection|singleton)/.test(path))
  expect(paths.length).toBeGreaterThan(20)
  for (const path of paths) {
    const { resource, collection, identifier, parameters } = requestOfFile(path) ?? {}
    const folder = resource === 'items' ? `collections/${collection}` : String(resource)
    const target = ['/v1/acme', folder, ...(identifier ? [identifier] : [])].join('/')
    expect(await get(`${target}?format=${parameters?.format}`), path).toEqual({
      status: 200,
      body: site.text(path),
    })
  }
})

describe('a collection', () => {
  it('reads lists and texts of CSV', async () => {
    const { items } = JSON.parse((await get('/v1/acme/collections/jobs')).body)
    expect(items.map(({ fields }: { fields: object }) => fields)).toEqual([
      { region: 'EU', skills: ['a', 'b'], note: 'x; y' },
      { region: 'US', skills: ['a'], note: null },
    ])
  })

  it('has typed fields, references and nested data', async () => {
    const { item } = JSON.parse((await get('/v1/acme/collections/products/node')).body)
    expect(item).toEqual({
      ...{
        id: expect.any(String),
        slug: 'node',
        title: 'node',
        publishedAt: null,
        updatedAt: null,
      },
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
    const { post } = JSON.parse((await get('/v1/acme/posts/hello')).body)
    expect(post.fields.guide).toMatchObject({ slug: 'guide/api', title: 'API' })
  })

  it.each([
    ['docs', ['guide', 'guide/api', 'guide-book', 'short']],
    ['docs?order=desc', ['short', 'guide-book', 'guide/api', 'guide']],
    ['docs?orderBy=fields.level', ['guide-book', 'guide/api', 'guide', 'short']],
    ['docs?orderBy=title&limit=2', ['guide/api', 'guide-book']],
    ['docs?fields.author=ada', ['guide']],
    ['docs?fields.level[gte]=2', ['guide/api']],
    ['docs?query=ROOT', ['guide']],
    ['docs?slugs=guide/api,nope', ['guide/api']],
    ['products', ['zig', 'deno', 'node']],
    ['products?order=desc', ['node', 'deno', 'zig']],
    ['products?query=deno', ['deno']],
    ['jobs', ['acme-inc', 'bolt']],
    ['jobs?fields.region=US', ['bolt']],
  ])('lists %s', async (query, slugs) => {
    expect(await slugsOf(query)).toEqual(slugs)
  })

  it('is a tree, with whole targets on request', async () => {
    const read = async (query: string) =>
      JSON.parse((await get(`/v1/acme/collections/docs/${query}`)).body)
    expect(await read('guide?include=children,parent')).toMatchObject({
      parent: null,
      children: [{ slug: 'guide/api', title: 'API' }],
    })
    const { item, parent } = await read('guide/api?include=parent,next')
    expect(parent).toMatchObject({ slug: 'guide' })
    expect(item.fields.next).toMatchObject([{ slug: 'guide', content: '<p>The root.</p>\n' }])
    expect((await read('guide?include=author')).item.fields.author).toMatchObject({
      role: 'editor',
    })
    expect((await read('guide?select=fields')).item.content).toBeUndefined()
  })

  it.each([
    ['collections/nope', 404],
    ['collections/docs/later', 404],
    ['collections/docs/draft', 404],
    ['collections/docs/guide%2Fapi', 404],
    ['collections/docs/old', 308],
    ['collections/docs?include=nope', 400],
    ['collections/docs?fields.nope=1', 400],
    ['collections/docs?page=9', 400],
    ['singletons/nope', 404],
    ['singletons', 404],
  ])('responds to %s with %i', async (path, status) => {
    expect((await get(`/v1/acme/${path}`)).status).toBe(status)
  })

  it('shows and ends items on time, and names nothing before or after', async () => {
    const day = 86_400_000
    const read = async (path: string, days: number) =>
      JSON.parse((await get(`/v1/acme/${path}`, someNoon + days * day)).body)
    const counts = async (days: number) =>
      (await read('collections', days)).collections.map(
        (one: { count: { items: number } }) => one.count.items,
      )
    expect(await counts(0)).toEqual([4, 3, 2])
    expect(await counts(1)).toEqual([5, 3, 2])
    expect(await counts(3)).toEqual([4, 3, 2])
    const guideOf = async (slug: string, days: number) =>
      (await read(`collections/products/${slug}`, days)).item.fields.guide
    expect(await guideOf('node', 0)).toMatchObject({ slug: 'short' })
    expect(await guideOf('node', 3)).toBeNull()
    expect(await guideOf('deno', 0)).toBeNull()
    expect(await slugsOf('products?fields.guide=short')).toEqual(['node'])
    expect(await slugsOf('products?fields.guide=short', someNoon + 3 * day)).toEqual([])
    const { post } = await read('posts/hello?include=product', 3)
    expect(post.fields.product).toMatchObject({ slug: 'node', fields: { guide: null } })
    const open = site.files().filter((path) => path.startsWith('public/'))
    for (const path of open) expect(site.text(path)).not.toMatch(/Embargo|Secret|Hidden/)
  })
})

it('is read by the client', async () => {
  const fetch = async (input: unknown) => {
    const { pathname, search } = new URL(String(input))
    const { status, body } = await get(pathname + search)
    return new Response(body, { status, headers: { 'content-type': 'application/json' } })
  }
  const options = {
    url: 'http://localhost',
    workspace: 'acme',
    fetch: fetch as typeof globalThis.fetch,
  }
  const docs = createClient(options).collection('docs')
  const found = await docs.list({ order: 'desc', limit: 2, fields: { author: 'ada' } })
  expect(found.ok && found.data.items.map(({ slug }) => slug)).toEqual(['guide'])
  const api = await docs.get('guide/api', { include: ['parent'] })
  expect(api.ok && api.data.parent).toMatchObject({ slug: 'guide' })
  const all = await docs.collect({ limit: 1, orderBy: 'title' })
  expect(all.ok && all.data.length).toBe(4)
  const navigation = await createClient(options).singleton<{ count: number }>('navigation')
  expect(navigation.ok && navigation.data.fields.count).toBe(3)
  expect(await createClient(options).collections()).toMatchObject({ ok: true, data: { length: 3 } })
})

it('is described by the OpenAPI document of the site', async () => {
  const { paths, components } = site.json('public/openapi.json')
  const { parameters } = paths['/v1/{workspaceId}/collections/products'].get
  const names = parameters.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['workspaceId', 'select', 'fields.label[ne]']))
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [target, schema] of [
    ['collections', 'CollectionList'],
    ['collections/products', 'Item_products_list'],
    ['collections/docs/guide?include=parent,children,author', 'Item_docs_single'],
    ['singletons/about', 'Singleton'],
  ] as const) {
    const validate = ajv.compile({ $ref: `#/components/schemas/${schema}`, components })
    const isValid = validate(JSON.parse((await get(`/v1/acme/${target}`)).body))
    expect(isValid, JSON.stringify(validate.errors)).toBe(true)
  }
})

it('has fields of authors', async () => {
  const author = JSON.parse((await get('/v1/acme/authors/ada')).body)
  expect(author.fields).toEqual({ email: 'ada@example.com', age: null })
})

it('has singletons of data and of Markdown', async () => {
  expect(JSON.parse((await get('/v1/acme/singletons/navigation')).body)).toEqual({
    singleton: { name: 'navigation', fields: { items: [{ label: 'Home', url: '/' }], count: 3 } },
  })
  const about = JSON.parse((await get('/v1/acme/singletons/about?format=markdown')).body)
  expect(about).toEqual({
    singleton: { name: 'about', content: '# About\n', fields: { role: 'page' } },
  })
})

it('is in the public view, without what is not public', async () => {
  const open = fill(temporarySite({ browser: true }))
  await open.build()
  const built = await openBuild(createFileStorage(`${open.out}/public/site`))
  const items = await built.workspaces.get('acme')?.collections?.get('docs')?.open()
  expect(items?.postCount).toBe(4)
})

it('is the same after an edit as from nothing', async () => {
  const site = fill(temporarySite({ cache: 'cache' }))
  await site.build()
  site.write('content/acme/jobs.csv', 'title,region\nNew,EU\n')
  site.write('content/acme/docs/guide/api.md', '---\ntitle: Changed\nlevel: 3\n---\nNew.\n')
  await site.build()
  const clean = temporarySite().write('content/acme/workspace.yml', settings)
  fill(clean)
  clean.write('content/acme/jobs.csv', site.text('../content/acme/jobs.csv'))
  clean.write('content/acme/docs/guide/api.md', site.text('../content/acme/docs/guide/api.md'))
  await clean.build()
  expect(site.files()).toEqual(clean.files())
  const differ = site.files().filter((path) => site.text(path) !== clean.text(path))
  expect(differ).toEqual([])
})

it.each([
  ['workspace.yml', 'collections: { posts: { folder: x } }\n', '1:16 invalid-identifier'],
  ['workspace.yml', 'collections: { a: { folder: ../x } }\n', ' invalid-field'],
  [
    'workspace.yml',
    'collections: { a: { folder: a, fields: { b: { type: reference, to: c } } } }\n',
    ' invalid-field-definition',
  ],
  ['workspace.yml', 'collections: { a: { folder: a }, b: { folder: a } }\n', ' invalid-field'],
  ['workspace.yml', 'singletons: { a: a.yml }\n', ' unreadable-file'],
  ['products.yml', 'a: { label: 1, releases: [{ date: soon }] }\n', '1:35 wrong-field-type'],
  ['products.yml', 'a: { label: A }\nb: { label: B, slug: a }\n', ' duplicate-identifier'],
  ['products.yml', 'a: { label: A, guide: nope }\n', '1:23 unknown-reference'],
  ['products.yml', 'a: {}\n', '1:1 missing-custom-field'],
  ['jobs.csv', 'title,region\nA\n', '2:1 csv-syntax'],
  ['jobs.csv', 'title,region\nA,XX\n', '2:3 unknown-option'],
  ['docs/guide/api.md', '---\ntitle: A\nlevel: 10\n---\nx\n', '3:8 invalid-field'],
  ['docs/guide/api.md', '---\ntitle: A\nhidden: true\n---\nx\n', '3:1 withheld-key'],
  ['navigation.yml', 'items: []\ndraft: true\nhidden: true\n', '2:1 withheld-key'],
  ['navigation.yml', 'status: draft\n', '1:1 withheld-key'],
])('reports a mistake in %s: %s', async (file, text, problem) => {
  const broken = fill(temporarySite()).write(`content/acme/${file}`, text)
  const found = await broken.problems()
  expect(found.join('\n')).toContain(`acme/${file}:`)
  expect(
    found.find((line) => line.includes(problem)),
    found.join('\n'),
  ).toBeDefined()
})
