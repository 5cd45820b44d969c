import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { loadShapes } from '../../src/build/types.ts'
import { resolveSettings } from '../../src/config.ts'
import { workspaceOpenApi } from '../../src/model/shapes.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const definitions = [
  'name: The Site',
  'fields:',
  '  rating: { type: number, label: Rating, index: true }',
  '  level: { type: select, options: [low, high], default: low }',
  '  seen: date',
  '  topics: { type: list, options: [a, b] }',
  '',
].join('\n')

async function documentOf(site: TemporarySite) {
  const place = { content: site.content, out: site.out, project: site.folder }
  const settings = resolveSettings({ ...place, baseUrl: 'https://content.example.com' })
  const [shape] = await loadShapes(settings)
  if (shape === undefined) throw new Error('there is no workspace')
  return workspaceOpenApi(shape, settings)
}

it('describes the responses of one workspace, with its fields and names', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', definitions)
    .post('first', { fields: '{ rating: 4, seen: 2026-01-02, topics: [a] }' })
  const { info, servers, paths, components } = await documentOf(site)
  expect([info.title, servers]).toEqual(['The Site', [{ url: 'https://content.example.com' }]])
  const parameters = paths['/v1/acme/posts/{identifier}']?.get.parameters ?? []
  expect(parameters.map(({ name }) => name)).toEqual([
    'identifier',
    'format',
    'select',
    'include',
    'strict',
  ])
  const ofList = paths['/v2/posts']?.get.parameters ?? []
  expect(
    ofList.map(({ name }) => name).filter((name) => String(name).startsWith('fields.')),
  ).toEqual(['', '[ne]', '[in]', '[gte]', '[lte]'].map((operator) => `fields.rating${operator}`))
  expect(JSON.stringify(paths)).not.toMatch(/workspaceId/)

  await site.build()
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
  const schema = { $ref: '#/components/schemas/SinglePost', components }
  const accepts = ajv.compile(schema)
  const body = site.json('public/v1/acme/posts/first.json')
  expect([accepts(body), accepts.errors]).toEqual([true, null])
  for (const fields of [{}, { ...body.post.fields, level: 'no' }, { ...body.post.fields, more: 1 }])
    expect(accepts({ post: { ...body.post, fields } })).toBe(false)
})

it('the document of a site has the fields of its only public workspace', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', definitions)
    .write('content/private/workspace.yml', 'v1: private\nfields: { secret: text }\n')
    .post('first')
  await site.build()
  const { paths, components } = site.json('public/openapi.json')
  const names = paths['/v2/posts'].get.parameters.map(({ name }: { name: string }) => name)
  expect(names).toContain('fields.rating[gte]')
  const { properties } = components.schemas.CustomFields
  expect(Object.keys(properties)).toEqual(['rating', 'level', 'seen', 'topics'])
})
