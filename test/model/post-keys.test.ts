// A new front matter field is one entry of the table, and its words for editors. The entry is added to a table of this
// file's own, and the modules that derive from it are loaded again: everything below the table is the code that ships.
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, expectTypeOf, it, vi } from 'vitest'
import type { PostKeys, PostKeyTable } from '../../src/api/post-keys.ts'
import type { PostOf } from '../../src/api/resources.ts'
import type { FrontMatterMapping, MappedField } from '../../src/model/front-matter-mapping.ts'
import type { PostFieldsOf } from '../../src/model/schema.ts'

const subtitle = {
  type: 'text',
  default: null,
  response: { description: 'Second title.' },
} as const
const added = { subtitle } satisfies PostKeyTable
type Table = PostKeys & typeof added

beforeAll(async () => {
  vi.resetModules()
  const { postKeyTable } = await import('../../src/api/post-keys.ts')
  const { postKeyDescriptions } = await import('../../src/api/descriptions.ts')
  Object.assign(postKeyTable, added)
  Object.assign(postKeyDescriptions, { subtitle: 'A line below the title.' })
})
afterAll(() => void vi.resetModules())

/** Loaded after the entry was added. */
async function siteOf(post: Readonly<Record<string, string>>, frontMatter: object = {}) {
  const { temporarySite } = await import('../support/temporary-site.ts')
  const mapping = frontMatter as FrontMatterMapping
  return temporarySite({ frontMatter: mapping }).post('plain').post('hello', post)
}

it.each([
  [{ subtitle: 'A line' }, {}],
  [{ kicker: 'A line' }, { subtitle: ['standfirst', 'kicker'] }],
])('an entry of the table is read, mapped, and in responses: %j', async (post, mapping) => {
  const site = await siteOf(post, mapping)
  expect(await site.problems()).toEqual([])
  const { post: made } = site.json('public/v1/acme/posts/hello.json')
  expect(made).toMatchObject({ title: 'hello', subtitle: 'A line' })
  expect(Object.keys(made).slice(-2)).toEqual(['tags', 'subtitle'])
  expect(site.json('public/v1/acme/posts/plain.json').post).toMatchObject({ subtitle: null })
})

it.each([
  [{ subtitle: '[a, b]' }, /:5:11 invalid-field `subtitle` must be text\./],
  [{ subtitel: 'A line' }, /:5:1 unknown-key .* Did you mean "subtitle"\?$/],
])('an entry of the table is checked: %j', async (post, problem) => {
  const site = await siteOf(post)
  expect(await site.problems()).toEqual([expect.stringMatching(problem)])
})

it('an entry of the table is in the JSON Schema for editors and in the OpenAPI document', async () => {
  const { frontMatterSchema } = await import('../../src/model/settings-json-schema.ts')
  const { loadShapes } = await import('../../src/build/types.ts')
  const { resolveSettings } = await import('../../src/config.ts')
  const { schemas } = await import('../../src/api/schemas.ts')
  const site = await siteOf({})
  const place = { content: site.content, out: site.out, project: site.folder }
  const [shape] = await loadShapes(resolveSettings(place))
  if (shape === undefined) throw new Error('there is no workspace')
  const schema = frontMatterSchema(shape, {})
  expect(schema).toMatchObject({
    properties: { subtitle: { description: 'A line below the title.' } },
  })
  const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema)
  const post = { title: 'Hello', category: 'news' }
  const values = [{ subtitle: 'A line' }, { subtitle: ['A line'] }, { subtitel: 'A line' }]
  expect(values.map((value) => accepts({ ...post, ...value }))).toEqual([true, false, false])
  expect(schemas['Post']).toMatchObject({
    properties: { subtitle: { type: ['string', 'null'], description: 'Second title.' } },
    required: expect.arrayContaining(['subtitle']),
  })
})

it('an entry of the table is in the types', () => {
  expectTypeOf<PostOf<Table>['subtitle']>().toEqualTypeOf<string | null>()
  expectTypeOf<PostFieldsOf<Table>['subtitle']>().toEqualTypeOf<string | null>()
  expectTypeOf<'subtitle'>().toExtend<MappedField<Table>>()
  expectTypeOf<PostOf<PostKeys>>().not.toHaveProperty('subtitle')
})
