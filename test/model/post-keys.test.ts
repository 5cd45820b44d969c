// A new front matter field is one entry of the table, and its words for editors. The entry is added to a table of this
// file's own, and the modules that derive from it are loaded again: everything below the table is the code that ships.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest'
import type { PostKeys, PostKeyTable } from '../../src/api/post-keys.ts'
import type { PostOf } from '../../src/api/resources.ts'
import type { MappedField } from '../../src/model/front-matter-mapping.ts'
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
async function siteOf(frontMatter: Readonly<Record<string, string>>, isLoose = false) {
  const { temporarySite } = await import('../support/temporary-site.ts')
  const { loadConfig } = await import('../../src/config.ts')
  const mapping = "{ subtitle: ['standfirst', 'kicker'] }"
  const text = `export default { frontMatter: ${isLoose ? '{}' : mapping}, workers: 1, cache: false }\n`
  const written = temporarySite().write('quarry.config.mjs', text)
  const config = await loadConfig(written.folder)
  const site = temporarySite(config)
  site.write('content/acme/categories/news.md', '---\nname: News\n---\n')
  return site.post('plain').post('hello', frontMatter)
}

function served(folder: string, slug: string): Readonly<Record<string, unknown>> {
  const path = join(folder, `public/v1/acme/posts/${slug}.json`)
  return JSON.parse(readFileSync(path, 'utf8')).post
}

describe('an entry of the table', () => {
  it('is read, and is in responses', async () => {
    const site = await siteOf({ subtitle: 'A line' })
    const { diagnostics } = await site.build()
    expect(diagnostics).toEqual([])
    expect(served(site.out, 'hello')).toMatchObject({ title: 'hello', subtitle: 'A line' })
    expect(served(site.out, 'plain')).toMatchObject({ subtitle: null })
    expect(Object.keys(served(site.out, 'hello')).slice(-2)).toEqual(['tags', 'subtitle'])
  })

  it('can be mapped from a key of another tool', async () => {
    const site = await siteOf({ kicker: 'From elsewhere' })
    expect((await site.build()).diagnostics).toEqual([])
    expect(served(site.out, 'hello')).toMatchObject({ subtitle: 'From elsewhere' })
  })

  it('is checked: a value of another type is an error at its place', async () => {
    const site = await siteOf({ subtitle: '[a, b]' }, true)
    await expect(site.build()).rejects.toMatchObject({
      diagnostics: [{ line: 5, column: 11, message: '`subtitle` must be text.' }],
    })
    expect(existsSync(join(site.out, 'public'))).toBe(false)
  })

  it('is a known key: the hint for a misspelled one names it', async () => {
    const site = await siteOf({ subtitel: 'A line' }, true)
    const { diagnostics } = await site.build()
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['Did you mean "subtitle"?'])
  })

  it('is in the JSON Schema for editors', async () => {
    const { frontMatterSchema } = await import('../../src/model/settings-json-schema.ts')
    const { loadShapes } = await import('../../src/build/types.ts')
    const { resolveSettings } = await import('../../src/config.ts')
    const site = await siteOf({})
    const place = { content: site.content, out: site.out, project: site.folder }
    const [shape] = await loadShapes(resolveSettings(place))
    if (shape === undefined) throw new Error('there is no workspace')
    const schema = frontMatterSchema(shape, {})
    expect(schema['properties']).toMatchObject({
      subtitle: { description: 'A line below the title.' },
    })
    const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema)
    const post = { title: 'Hello', category: 'news' }
    expect([
      accepts({ ...post, subtitle: 'A line' }),
      accepts({ ...post, subtitle: ['A line'] }),
      accepts({ ...post, subtitel: 'A line' }),
    ]).toEqual([true, false, false])
  })

  it('is in the OpenAPI document', async () => {
    const { schemas } = await import('../../src/api/schemas.ts')
    const post = schemas['Post'] as {
      readonly properties: Readonly<Record<string, unknown>>
      readonly required: readonly string[]
    }
    expect(post.properties['subtitle']).toEqual({
      type: ['string', 'null'],
      description: 'Second title.',
    })
    expect(post.required).toContain('subtitle')
  })

  it('is in the types', () => {
    expectTypeOf<PostOf<Table>['subtitle']>().toEqualTypeOf<string | null>()
    expectTypeOf<PostFieldsOf<Table>['subtitle']>().toEqualTypeOf<string | null>()
    expectTypeOf<'subtitle'>().toExtend<MappedField<Table>>()
    expectTypeOf<PostOf<PostKeys>>().not.toHaveProperty('subtitle')
  })
})
