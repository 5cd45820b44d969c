import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const definitions = `fields:
  rating: { type: number, label: Rating, description: "From 1 to 5 */" }
  level: { type: select, options: [easy, "2"], default: easy }
  lead: { type: text, required: true }
  topics: { type: list, options: [a, b] }
  seen: date
  is-new: boolean
  size: { type: object, fields: { width: number } }
`

/** Writes the schemas of a site. @returns whether an editor accepts YAML by one of them */
async function schemaOf(
  site: TemporarySite,
  path = 'acme/post.schema.json',
): Promise<(yaml: string) => boolean> {
  expect(await call(site.folder, ['schema'])).toMatchObject({ exitCode: 0, stderr: '' })
  const text = readFileSync(join(site.folder, '.quarry', path), 'utf8')
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(JSON.parse(text))
  return (yaml) => validate(parse(yaml))
}

it('agrees with the build about front matter', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', definitions)
    .write(
      'content/acme/tags.yml',
      '- { slug: one, name: One }\n- { slug: "2025", id: tag-id, name: Year }\n',
    )
    .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
  const accepts = await schemaOf(site)
  for (const [front, isAccepted] of [
    ['fields: { lead: x, level: "2", rating: ~ }\ntags: [tag-id]', true],
    [
      'fields: { lead: 2024, rating: 4.5, level: 2, topics: [a], seen: 2026-01-02, is-new: false }',
      true,
    ],
    ['description: 2024\ntags: [one, 2025]\nfields: { lead: x }\nauthors: [ada]', true],
    ['tags: one\nauthors: [{ name: Ada, slug: ada }]\nfields: { lead: x, size: ~ }', true],
    ['aliases: old\nauthors: ada\nfields: { lead: x, size: { width: 2 } }', true],
    ['fields: { lead: x, size: 2 }', false],
    ['', false],
    ['fields: { lead: x, rating: four }', false],
    ['fields: { lead: x, level: hard }', false],
    ['fields: { lead: x, topics: [c] }', false],
    ['fields: { lead: x, topics: a }', false],
    ['fields: { lead: x, seen: soon }', false],
    ['fields: { lead: x, other: 1 }', false],
    ['fields: { lead: x }\ntags: [three]', false],
    ['fields: { lead: x }\nauthors: [adda]', false],
    ['fields: { lead: x }\ntitel: x', false],
    ['fields: { lead: x }\nstatus: hidden', false],
  ] as const) {
    const whole = `title: P\ncategory: news\ndate: 2026-01-02\n${front}`
    site.write('content/acme/posts/p.md', `---\n${whole}\n---\n`)
    expect([front, accepts(whole)]).toEqual([front, isAccepted])
    expect([front, (await site.problems()).length === 0]).toEqual([front, isAccepted])
  }
})

it('accepts what the configuration maps, and new names where references create terms', async () => {
  const site = temporarySite().write(
    'quarry.config.json',
    '{ "frontMatter": { "category": { "from": "section", "slugify": true }, "ignore": ["layout"] } }',
  )
  const accepts = await schemaOf(site)
  expect(accepts('{ title: P, section: [Any, thing], layout: 1 }')).toBe(true)
  expect(accepts('{ title: P, sectoin: x }')).toBe(false)
  const creating = temporarySite().write('content/acme/workspace.yml', 'references: create\n')
  expect((await schemaOf(creating))('{ title: P, category: other, tags: [new] }')).toBe(true)
})

it('writes only what has changed, ignored by git, and prints the paths', async () => {
  const site = temporarySite().post('broken', { category: 'nwes' })
  const first = await call(site.folder, ['schema'])
  const names = ['post.schema.json', 'workspace.schema.json', 'fields.d.ts', 'openapi.json']
  const paths = [...names.map((name) => `.quarry/acme/${name}\n`), '.quarry/vite.d.ts\n']
  expect(first.stdout).toBe(paths.join(''))
  expect(readFileSync(join(site.folder, '.quarry/.gitignore'), 'utf8')).toBe('*\n')
  const before = statSync(join(site.folder, '.quarry/acme/post.schema.json')).mtimeMs
  expect((await call(site.folder, ['schema'])).stdout).toBe('')
  expect(statSync(join(site.folder, '.quarry/acme/post.schema.json')).mtimeMs).toBe(before)
  site.write('content/acme/workspace.yml', 'fields: { rating: nubmer }\n')
  const place = 'content/acme/workspace.yml:1:19 error invalid-field-definition'
  for (const words of [['schema'], ['editor', 'decap'], ['check']]) {
    const { exitCode, stdout, stderr } = await call(site.folder, words)
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toContain('Did you mean "number"?')
    expect(stdout + stderr).toContain(place)
  }
})

it.each(['.', 'content', 'types'])('writes into no folder with other files: %s', async (to) => {
  const site = temporarySite().write('types/mine.d.ts', 'export {}\n')
  const { exitCode, stderr } = await call(site.folder, ['schema', '--to', to])
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`--to is "${to}", which contains files that quarry schema did not`)
  expect(existsSync(join(site.folder, to, 'acme/fields.d.ts'))).toBe(false)
})
