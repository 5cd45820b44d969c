import { describe, expect, it } from 'vitest'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const everyType = [
  'fields:',
  '  subtitle: text',
  '  rating: { type: number, label: Rating, description: From 1 to 5 }',
  '  pinned: boolean',
  '  reviewedOn: date',
  '  topics: list',
  '  level: { type: select, options: [easy, hard] }',
  '',
].join('\n')

/** A site whose workspace has these settings, and one post with these fields. */
function siteWith(settings: string, fields?: string): TemporarySite {
  const site = temporarySite().write('content/acme/workspace.yml', settings)
  return site.post('first', fields === undefined ? {} : { fields })
}

async function fieldsOf(site: TemporarySite): Promise<string> {
  await site.build()
  return JSON.stringify(site.json('public/v1/acme/posts/first.json').post.fields)
}

describe('the fields of a post', () => {
  it('take each type as it is typed, and nothing for what is absent', async () => {
    const texts = 'subtitle: 007, topics: [2024, no], pinned: TRUE'
    const own = `{ ${texts}, rating: -0.5e1, reviewedOn: 2026-03-04T09:30:00+02:00, level: ~ }`
    expect(await fieldsOf(siteWith(everyType, own))).toBe(
      '{"subtitle":"007","rating":-5,"pinned":true,"reviewedOn":"2026-03-04T07:30:00.000Z","topics":["2024","no"],"level":null}',
    )
    expect(await fieldsOf(siteWith('fields: {}\n'))).toBeUndefined()
  })

  it.each([
    ['date', '2026-02-30', '5:14 wrong-field-type `x` must be an ISO 8601 date, not "2026-02-30".'],
    ['list, min: 1', '[]', '5:14 invalid-field `x` must have at least 1 item, not 0.'],
  ])('refuse a %s with its place: %s', async (type, value, told) => {
    const problems = await siteWith(
      `fields: { x: { type: ${type} } }\n`,
      `{ x: ${value} }`,
    ).problems()
    expect(problems).toEqual([expect.stringContaining(told)])
  })

  it('are compared with others, whatever else is wrong', async () => {
    const site = siteWith('fields: { sku: { type: text, unique: true }, price: number }\n')
    site.post('b', { fields: '{ sku: x, price: 1 }' }).post('c', { fields: '{ price: a, sku: x }' })
    site.post('d', { fields: '{ sku: ~ }' }).post('e', { fields: '{ sku: ~ }' })
    expect(await site.problems()).toEqual([
      expect.stringContaining('c.md:5:18 wrong-field-type'),
      expect.stringContaining(
        'c.md:5:26 duplicate-value The field `sku` has the same value in acme',
      ),
    ])
  })

  it('are compared with a post that cannot be read, and terms, in silence', async () => {
    const site = siteWith(
      'fields: { a: { type: reference, to: posts }, b: { type: reference, to: authors } }\n',
      '{ a: gone, b: gone }',
    )
    site.write('content/acme/posts/gone.md', '---\ntitle: A\n')
    site.write('content/acme/authors/gone.md', '---\nname: [\n---\n')
    const problems = await site.problems()
    expect(problems.map((problem) => problem.split(' ')[1])).toEqual([
      'yaml-syntax',
      'front-matter-unclosed',
    ])
  })

  it.each([
    ['[a, b]', 'c', 'Use one of a, b.'],
    ['[easy, hard]', 'esay', 'Did you mean "easy"?'],
  ])('of %s have no option %s, with a hint', async (options, level, hint) => {
    const settings = `fields: { level: { type: select, options: ${options} } }\n`
    const problems = await siteWith(settings, `{ level: ${level} }`).problems()
    const told = `\`level\` has no option "${level}". ${hint}`
    expect(problems).toEqual([expect.stringContaining(told)])
  })

  it('in columns are reported at their header, once, or in their row', async () => {
    const fields = '{ price: { type: number, required: true } }'
    const site = siteWith(`collections: { guides: { file: guides.csv, fields: ${fields} } }\n`)
    site.write('content/acme/guides.csv', 'title,prise,price\nA,1,1\nB,2,\n')
    expect(await site.problems()).toEqual([
      expect.stringMatching(/guides.csv:1:7 unknown-key .+ Did you mean "price"\?$/),
      expect.stringMatching(/guides.csv:3:5 missing-custom-field .+ Fill the column `price`.$/),
    ])
  })

  it('are no unknown keys if their definition is wrong', async () => {
    const site = temporarySite().write(
      'content/acme/guides/a.md',
      '---\ntitle: A\nlevel: 1\n---\nx\n',
    )
    site.write(
      'content/acme/workspace.yml',
      'collections: { guides: { folder: guides, fields: { level: nmber } } }\n',
    )
    expect(await site.problems()).toEqual([expect.stringContaining('invalid-field-definition')])
  })
})

it.each([
  ['{ type: reference, to: "" }', ['`to` "" must name what it refers to.']],
  ['{ type: references, to: }', ['missing-field `to` is missing. Add `to: …`.']],
  ['{ type: select, options: [] }', ['`options` must list what can be selected.']],
  ['{ type: objects, fields: {} }', ['`fields` must define the fields of the map.']],
  ['{ type: image, default: false }', ['`default` "false" is only for the types text, number,']],
  ['{ type: bool }', ['`type` "bool" must be one of text, number, boolean,']],
  ['{ type: list, options: [], index: false }', []],
  [
    '{ type: boolean, to: posts, pattern: "[", min: -1, max: x }',
    [
      '`to` "posts" is only for the types reference and references.',
      '`pattern` "[" is not a regular expression.',
      '`pattern` "[" is only for the types text and list.',
      '`min` "-1" is only for the types number, text, list, references and objects.',
      '`max` "x" is only for the types number, text, list, references and objects.',
      '`max` "x" must be a number.',
    ],
  ],
  [
    '{ type: objcts, fields: { "1": nmber } }',
    ['Did you mean "objects"?', '"1" cannot be the name of a field.', 'Did you mean "number"?'],
  ],
])('the definition %s has these problems, each', async (definition, problems) => {
  const settings = [
    ['fields', `fields: { x: ${definition} }\n`],
    ['collections', `collections: { guides: { folder: guides, fields: { x: ${definition} } } }\n`],
    ['fieldsOf', `fieldsOf: { authors: { x: ${definition} } }\n`],
  ] as const
  for (const [, text] of settings) {
    const found = await siteWith(text).problems()
    const errors = found.filter((problem) => !problem.includes('No file was found'))
    expect(errors).toEqual(problems.map((problem) => expect.stringContaining(problem)))
  }
})

it.each([
  ['fields: OBJECT\n', 'image', false],
  ['fields: OBJECT\n', 'reference, to: posts', true],
  ['fieldsOf: { authors: OBJECT }\n', 'image', true],
])('of %s with a field of type %s, the type is refused: %s', async (settings, type, isRefused) => {
  const object = `{ x: { type: object, fields: { y: { type: ${type} } } } }`
  const problems = await siteWith(settings.replace('OBJECT', object)).problems()
  const told = expect.stringContaining(' invalid-field-definition "y" cannot be of the type')
  expect(problems).toEqual(isRefused ? [told] : [])
})
