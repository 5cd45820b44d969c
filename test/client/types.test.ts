// The types of responses by the shape of their query. `npm run types` checks the assertions on types; the values come
// from a server, so that the types are compared with what is sent.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, expectTypeOf, it } from 'vitest'
import type * as client from '../../packages/client/src/index.ts'
import { type Client, createClient, unwrap } from '../../packages/client/src/index.ts'
import type { ParameterName } from '../../src/api/parameters.ts'
import type * as resources from '../../src/api/resources.ts'
import { call } from '../support/command-call.ts'
import { blocksOf, readDocument, typeErrors } from '../support/documented-project.ts'
import { listenWith } from '../support/process.ts'
import { serveFolder } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** As `quarry schema` writes it. */
interface Site {
  readonly posts: 'first' | 'second'
  readonly categories: 'news'
  readonly tags: 'caching' | 'search'
  readonly authors: never
  readonly fields: { readonly rating: number | null }
  readonly collections: {
    readonly guides: {
      readonly slug: 'one'
      readonly indexed: 'level'
      readonly fields: {
        readonly level: 'low' | 'high'
        readonly maker: { readonly id: string; readonly slug: string; readonly name: string } | null
      }
    }
  }
}

const site = temporarySite()
let content: Client<Site>

beforeAll(async () => {
  site
    .write('content/acme/workspace.yml', 'fields: { rating: number }\n')
    .write('content/acme/tags/caching.md', '---\nname: Caching\n---\n')
    .write('content/acme/tags/search.md', '---\nname: Search\n---\n')
    .post('first', { tags: '[caching]', fields: '{ rating: 4 }' })
    .post('second')
  await site.build()
  const { handler } = await serveFolder(site.out)
  const { url } = await listenWith(handler())
  content = createClient<Site>({ url, workspace: 'acme' })
})

it('are those of the API', () => {
  expectTypeOf<resources.Post & { content: string }>().toExtend<client.Post>()
  expectTypeOf<Exclude<keyof client.PostQuery, 'fields' | 'locale'>>().toEqualTypeOf<
    Exclude<ParameterName, 'strict' | 'since' | 'type'>
  >()
})

it('have the keys that the query selects, and what it includes', async () => {
  const { items, facets } = unwrap(
    await content.posts.list({ select: ['title', 'tags'], include: ['facets'], order: 'asc' }),
  )
  expectTypeOf<keyof (typeof items)[number]>().toEqualTypeOf<'id' | 'title' | 'tags'>()
  expect(Object.keys(items[0] ?? {})).toEqual(['id', 'title', 'tags'])
  expectTypeOf(facets.tags[0]?.slug).toEqualTypeOf<'caching' | 'search' | undefined>()
  expect(facets.tags).toEqual([{ slug: 'caching', name: 'Caching', count: 1 }])
  const found = unwrap(await content.posts.list({ query: 'FIRST', include: ['matches'] }))
  expectTypeOf(found).not.toHaveProperty('facets')
  expectTypeOf(found.items[0]?.matches).toEqualTypeOf<readonly client.Match[] | undefined>()
  expect(found.items[0]?.matches?.[0]).toMatchObject({ field: 'title', ranges: [[0, 5]] })
  const query = { select: ['title'], include: ['neighbours', 'related'] } as const
  const post = unwrap(await content.posts.get('first', query))
  expectTypeOf(post.neighbours.next?.slug).toEqualTypeOf<'first' | 'second' | undefined>()
  expect(post).toMatchObject({ neighbours: expect.any(Object), related: [{ slug: 'second' }] })
})

it('have the names and fields of their site', async () => {
  const { items } = unwrap(await content.posts.list({ tags: ['caching'], categories: ['news'] }))
  const [post] = items
  if (post === undefined) return expect.unreachable('no post')
  expectTypeOf(post.slug).toEqualTypeOf<'first' | 'second'>()
  expectTypeOf<(typeof post.tags)[number]['slug']>().toEqualTypeOf<'caching' | 'search'>()
  expectTypeOf(post.fields).toEqualTypeOf<Site['fields']>()
  expect(post).toMatchObject({ slug: 'first', fields: { rating: 4 } })
  // @ts-expect-error: no tag has this name
  expect(unwrap(await content.posts.list({ tags: ['cachng'] })).items).toEqual([])
  // @ts-expect-error: a misspelled parameter
  await content.posts.list({ limit: 5, excludeContents: true })
  // @ts-expect-error: a misspelled field
  await content.posts.list({ fields: { ratng: { gte: 4 } } })
  // @ts-expect-error: a value of another type
  await content.posts.list({ fields: { rating: 'four' } })
  // @ts-expect-error: a bound of another type
  await content.posts.list({ fields: { rating: { gte: 'four' } } })
  // @ts-expect-error: a field without an index
  await content.collection('guides').list({ orderBy: 'fields.maker' })
  const either = Math.random() < 2 ? { excludeContent: true } : { tags: ['search' as const] }
  const rows = unwrap(await content.posts.list(either)).items
  expectTypeOf<(typeof rows)[number]['content']>().toEqualTypeOf<string | undefined>()
  const guides = content.collection('guides')
  const guide = await guides.get('one', { include: ['maker', 'parent'] })
  type Guide = Extract<typeof guide, { ok: true }>['data']
  expectTypeOf<NonNullable<Guide['fields']['maker']>>().toHaveProperty('bio')
  expectTypeOf<Guide['parent']>().toEqualTypeOf<client.ItemSummary | null>()
  // @ts-expect-error: no option, no slug and no field have these names
  expect((await guides.list({ fields: { level: 'x' }, slugs: ['x'], include: ['x'] })).ok).toBe(
    false,
  )
  // A name from elsewhere may be newer than the types.
  expectTypeOf(content.posts.get).parameter(0).toExtend<string>()
  expectTypeOf<client.Post['slug']>().toEqualTypeOf<string>()
  expectTypeOf<client.Post['fields']>().toEqualTypeOf<client.CustomFields | undefined>()
  type Fieldless = Awaited<ReturnType<Client<{ posts: 'a'; fields: undefined }>['posts']['get']>>
  expectTypeOf<Extract<Fieldless, { ok: true }>['data']>().not.toHaveProperty('fields')
  expectTypeOf<client.Item<{ slug: 'a'; fields: undefined }>['fields']>().toEqualTypeOf<undefined>()
  const [shown] = unwrap(await content.posts.list({ status: 'all' })).items
  expectTypeOf(shown?.status).toEqualTypeOf<'published' | 'draft' | undefined>()
  expect(shown).not.toHaveProperty('status')
})

it('are documented as they are, with those that `quarry schema` writes', async () => {
  const [code = ''] = blocksOf(readDocument('client.md'), 'ts')
  const site = temporarySite()
    .write('content/handbook/workspace.yml', 'fields: { rating: number }\n')
    .write('content/handbook/categories/news.md', '---\nname: News\n---\n')
    .write('content/handbook/tags/caching.md', '---\nname: Caching\n---\n')
    .post('what-is-kept', {}, 'Text.\n', 'handbook')
    .post('scheduled', { publishedAt: '2999-01-01' }, 'Text.\n', 'handbook')
    .write('node_modules/.keep', '')
  const client = join(import.meta.dirname, '../../packages/client')
  symlinkSync(client, join(site.folder, 'node_modules/quarry-client'))
  expect((await call(site.folder, ['schema'])).exitCode).toBe(0)
  expect(site.text('../.quarry/handbook/fields.d.ts')).not.toContain('scheduled')
  const more =
    '\n// @ts-expect-error: no index\nawait content.posts.list({ fields: { rating: 4 } })'
  expect(typeErrors(site, 'example.ts', code + more)).toBe('')
})
