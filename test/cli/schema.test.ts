import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

const definitions = [
  'fields:',
  '  rating: { type: number, label: Rating, description: "From 1 to 5 */" }',
  '  level: { type: select, options: [easy, "2"], default: easy }',
  '  lead: { type: text, required: true }',
  '  topics: { type: list, options: [a, b] }',
  '  seen: date',
  '  is-new: boolean',
  '',
].join('\n')

async function schemaOf(
  site: TemporarySite,
  config: string[] = [],
): Promise<(value: unknown) => boolean> {
  const { exitCode, stderr } = await call(site.folder, ['schema', ...config])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return validator(join(site.folder, '.quarry/acme/post.schema.json'))
}

function definedSite(): TemporarySite {
  return temporarySite()
    .write('content/acme/workspace.yml', definitions)
    .write(
      'content/acme/tags.yml',
      '- { slug: one, name: One }\n- { slug: "2025", id: tag-id, name: Year }\n',
    )
    .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
}

/** The schema of `definedSite`, written once: posts do not change it. */
const definedSchema = once(() => schemaOf(definedSite()))

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Accepts what an editor would, which reads YAML's core schema. */
function validator(file: string): (yaml: unknown) => boolean {
  const validate = new Ajv({ strict: true, allowUnionTypes: true, validateSchema: true }).compile(
    JSON.parse(readFileSync(file, 'utf8')),
  )
  return (value) => validate(value)
}

function frontMatterOf(text: string): unknown {
  return parse(text.split(/^---$/m)[1] ?? '')
}

describe('quarry schema', () => {
  it('writes a schema that every post of the sample content keeps to', async () => {
    const site = temporarySite()
    cpSync(join(root, 'content'), site.content, { recursive: true })
    expect((await run(site.folder, ['schema'])).exitCode).toBe(0)
    for (const workspace of ['handbook', 'field-notes']) {
      const folder = join(site.folder, '.quarry', workspace)
      const accepts = validator(join(folder, 'post.schema.json'))
      const posts = join(site.content, workspace, 'posts')
      const files = readdirSync(posts, { recursive: true, encoding: 'utf8' })
      const documents = files.filter((file) => file.endsWith('.md'))
      expect(documents.length).toBeGreaterThan(5)
      for (const file of documents) {
        expect([file, accepts(frontMatterOf(readFileSync(join(posts, file), 'utf8')))]).toEqual([
          file,
          true,
        ])
      }
      const settings = readFileSync(join(site.content, workspace, 'workspace.yml'), 'utf8')
      expect(validator(join(folder, 'workspace.schema.json'))(parse(settings))).toBe(true)
    }
  })

  it.each([
    ['fields: { lead: x }', true],
    [
      'fields: { lead: 2024, rating: 4.5, level: 2, topics: [a], seen: 2026-01-02, is-new: false }',
      true,
    ],
    ['fields: { lead: x, level: "2", rating: ~ }', true],
    ['slug: 2024\ntags: [one, 2025]\nfields: { lead: x }', true],
    ['tags: ["2025"]\nfields: { lead: x }', true],
    ['tags: [tag-id, one]\nfields: { lead: x }', true],
    ['', false],
    ['fields: {}', false],
    ['fields: { lead: x, ratign: 4 }', false],
    ['fields: { lead: x, rating: four }', false],
    ['fields: { lead: x, level: hard }', false],
    ['fields: { lead: x, topics: [c] }', false],
    ['fields: { lead: x, topics: a }', false],
    ['fields: { lead: x, seen: soon }', false],
    ['fields: { lead: x }\ntags: [three]', false],
    ['fields: { lead: x }\nauthors: [ada]', true],
    ['fields: { lead: x }\nauthors: [adda]', false],
    ['fields: { lead: x }\ntitel: x', false],
    ['fields: { lead: x }\nstatus: hidden', false],
  ])('agrees with the build about %j', async (front, isAccepted) => {
    const site = definedSite().write(
      'content/acme/posts/p.md',
      `---\ntitle: P\ncategory: news\ndate: 2026-01-02\n${front}\n---\n`,
    )
    const accepts = await definedSchema()
    expect(accepts(parse(`title: P\ncategory: news\ndate: 2026-01-02\n${front}`))).toBe(isAccepted)
    expect((await site.problems()).length === 0).toBe(isAccepted)
  })

  it('lets through what the configuration reads under other names', async () => {
    const site = temporarySite().write(
      'quarry.config.json',
      '{ "frontMatter": { "category": { "from": "section", "slugify": true }, "ignore": ["layout"] } }',
    )
    const accepts = await schemaOf(site)
    expect(accepts({ title: 'P', section: ['Any', 'thing'], layout: 1 })).toBe(true)
    expect(accepts({ title: 'P', sectoin: 'x' })).toBe(false)
  })

  it('leaves posts open to new names where references create what is missing', async () => {
    const site = temporarySite().write('content/acme/workspace.yml', 'references: create\n')
    const accepts = await schemaOf(site)
    expect(accepts({ title: 'P', category: 'other', tags: ['new'] })).toBe(true)
  })

  it('writes what has changed, and says so; git sees none of it', async () => {
    const site = temporarySite()
    const names = ['post.schema.json', 'workspace.schema.json', 'fields.d.ts', 'openapi.json']
    const first = await call(site.folder, ['schema'])
    const written = [...names.map((name) => `.quarry/acme/${name}\n`), '.quarry/vite.d.ts\n']
    expect(first.stdout).toBe(written.join(''))
    expect(readFileSync(join(site.folder, '.quarry/.gitignore'), 'utf8')).toBe('*\n')
    const before = statSync(join(site.folder, '.quarry/acme/post.schema.json')).mtimeMs
    expect((await call(site.folder, ['schema'])).stdout).toBe('')
    expect(statSync(join(site.folder, '.quarry/acme/post.schema.json')).mtimeMs).toBe(before)
    site.write('content/acme/workspace.yml', 'fields: { rating: number }\n')
    const again = await call(site.folder, ['schema', '--to', '.quarry'])
    const changed = ['post.schema.json', 'fields.d.ts', 'openapi.json']
    expect(again.stdout).toBe(changed.map((name) => `.quarry/acme/${name}\n`).join(''))
  })

  it.each(['.', 'content', 'types'])(
    'writes into no folder with files of others: %s',
    async (to) => {
      const site = temporarySite()
        .write('.gitignore', 'node_modules\n')
        .write('types/mine.d.ts', 'export {}\n')
      const { exitCode, stdout, stderr } = await call(site.folder, ['schema', '--to', to])
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain(
        `--to is "${to}", which holds files that quarry schema did not write.`,
      )
      expect(readFileSync(join(site.folder, '.gitignore'), 'utf8')).toBe('node_modules\n')
      expect(existsSync(join(site.folder, to, 'acme/fields.d.ts'))).toBe(false)
    },
  )

  it('does not care for posts with errors, but for definitions', async () => {
    const site = temporarySite().post('broken', { category: 'nwes' })
    expect((await call(site.folder, ['schema'])).exitCode).toBe(0)
    site.write('content/acme/workspace.yml', 'fields: { rating: nubmer }\n')
    const { exitCode, stderr } = await call(site.folder, ['schema'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Did you mean "number"?')
  })

  it('writes types that the client takes, held by tsc', async () => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', definitions)
      .write('package.json', '{ "type": "module" }')
      .write('node_modules/.keep', '')
      .write('main.ts', program)
      .write(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            ...{
              module: 'nodenext',
              target: 'es2023',
              lib: ['es2023', 'dom', 'dom.asynciterable'],
            },
            ...{ strict: true, noEmit: true, types: [], exactOptionalPropertyTypes: true },
          },
          files: ['main.ts'],
        }),
      )
    symlinkSync(root, join(site.folder, 'node_modules/quarry'))
    expect((await call(site.folder, ['schema'])).exitCode).toBe(0)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = promisify(execFile)(process.execPath, [tsc, '-p', site.folder])
    const { stdout } = await checked.catch((error: { readonly stdout: string }) => error)
    expect(stdout).toBe('')
  })
})

/** Every line behind `@ts-expect-error` must be one. */
const program = `
import { type Client, type CustomFields, createClient, type Post, unwrap } from 'quarry/client'
import type { Site } from './.quarry/acme/fields.d.ts'

const content = createClient<Site>({ url: 'http://127.0.0.1', workspace: 'acme' })
const post: Post<Site> = unwrap(await content.posts.get('x'))
const rating: number | null = post.fields.rating
const level: 'easy' | '2' = post.fields.level
const lead: string = post.fields.lead
const topics: readonly ('a' | 'b')[] | null = post.fields.topics
const seen: string | null = post.fields.seen
const isNew: boolean | null = post.fields['is-new']
// @ts-expect-error may be null
const sure: number = post.fields.rating
// @ts-expect-error no such field
post.fields.ratign
// @ts-expect-error no such option
const other: 'hard' = post.fields.level
for await (const { fields } of content.posts.all()) fields.lead.toUpperCase()
for (const { fields } of unwrap(await content.posts.list()).items) fields.lead.toUpperCase()
const typed: Client<Site> = content

const plain = createClient({ url: 'http://127.0.0.1', key: 'qk_' })
const fields: CustomFields | undefined = unwrap(await plain.posts.get('x')).fields
const value: string | number | boolean | readonly string[] | null | undefined = fields?.['any']
// @ts-expect-error may be there or not
unwrap(await plain.posts.get('x')).fields.any
export { rating, level, lead, topics, seen, isNew, sure, other, typed, value }
`
