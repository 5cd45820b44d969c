// Every response of the black box is as the OpenAPI documents describe it, that of the site and those that
// `quarry schema` writes for workspaces, by a validator that is not ours.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, expect, it } from 'vitest'
import { decodeUnreserved } from '../../src/api/routes.ts'
import { readRequests, type TableRequest } from '../blackbox/requests.ts'
import { call } from '../support/command-call.ts'
import { type BuiltSample, buildSample, functionOver, handlerOf } from '../support/sample-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

interface Operation {
  readonly parameters: readonly { readonly name: string }[]
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>
}

interface OpenApiDocument {
  readonly info: { readonly title: string }
  readonly servers: readonly object[]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: object
}

let sample: BuiltSample

beforeAll(async () => {
  sample = await buildSample()
  await call(sample.folder, ['schema'])
})

function documentOf(workspace: string): OpenApiDocument {
  const file = join(sample.folder, '.quarry', workspace, 'openapi.json')
  return JSON.parse(readFileSync(file, 'utf8'))
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
ajv.addVocabulary(['components'])
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))

/** Fails unless the responses in JSON are as a document describes them. @returns their statuses */
async function statusesOf(
  { paths, components }: OpenApiDocument,
  requests: readonly TableRequest[],
): Promise<readonly number[]> {
  const handler = handlerOf(sample.out)
  const schemaOf = (path: string, status: number): object | undefined => {
    const template = Object.keys(paths).find((name) => isPathOf(name, path))
    const form = path.startsWith('/v1') ? 'ErrorV1' : 'ErrorV2'
    if (template === undefined) return { $ref: `#/components/schemas/${form}` }
    const content = Object.entries(paths[template]?.get.responses[status]?.content ?? {})
    return content.find(([type]) => type.includes('json'))?.[1].schema
  }
  const validators = new Map<string, ValidateFunction>()
  const statuses: number[] = []
  for (const { line, target, headers } of requests) {
    const response = await handler(new Request(`http://host.invalid${target}`, { headers }), '')
    const text = await response.text()
    if (text === '' || !response.headers.get('content-type')?.includes('json')) continue
    const path = decodeUnreserved(new URL(`http://host.invalid${target}`).pathname)
    const schema = schemaOf(path, response.status) ?? expect.unreachable(`${line} has no schema`)
    const key = JSON.stringify(schema)
    const validate = validators.get(key) ?? ajv.compile({ ...schema, components })
    validators.set(key, validate)
    expect(validate(JSON.parse(text)), `${line}: ${ajv.errorsText(validate.errors)}`).toBe(true)
    statuses.push(response.status)
  }
  return statuses
}

/** Requests with responses of whole keys: a response of selected keys has not all of them. */
const requests = readRequests('sample').filter(
  ({ method, target }) => method === 'GET' && !/[?&]select=/.test(target),
)

it('responses are as the document of the site describes them', async () => {
  const served = await functionOver(sample.out)('/openapi.json')
  // Paths of the vendor's clients are the vendor's, and own types are described for each workspace alone.
  const isOther =
    /^\/v1\/(?:posts|categories|tags|authors|fields|media)\b|\/(?:collections|singletons)\b|^\/(?:$|openapi|status)/
  const described = requests.filter(({ target }) => !isOther.test(target))
  const statuses = await statusesOf(JSON.parse(await served.text()), described)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(150)
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(20)
})

it.each(['shop', 'laden'])(
  'responses are as the document of their workspace describes them: %s',
  async (workspace) => {
    const own = requests.filter(({ target }) => target.startsWith(`/v1/${workspace}/`))
    const statuses = await statusesOf(documentOf(workspace), own)
    expect(statuses.length).toBeGreaterThan(2)
    expect(statuses).toContain(200)
  },
)

it('the document of a workspace has its name and address, and its fields alone', async () => {
  const { info, servers, paths, components } = documentOf('journal')
  const address = { url: 'https://content.example.com' }
  expect([info.title, servers]).toEqual(['The Journal', [address]])
  const namesOf = (path: string) => paths[path]?.get.parameters.map(({ name }) => name) ?? []
  const names = ['identifier', 'format', 'select', 'include', 'strict']
  expect(namesOf('/v1/journal/posts/{identifier}')).toEqual(names)
  const ofRating = namesOf('/v2/posts').filter((name) => /^fields\.(?:rating|subtitle)/.test(name))
  const operators = ['', '[ne]', '[in]', '[gte]', '[lte]']
  expect(ofRating).toEqual(operators.map((operator) => `fields.rating${operator}`))
  const accepts = ajv.compile({ $ref: '#/components/schemas/SinglePost', components })
  const response = await functionOver(sample.out)('/v1/journal/posts/post-0')
  const { post } = JSON.parse(await response.text())
  expect(accepts({ post })).toBe(true)
  for (const fields of [{}, { ...post.fields, level: 'no' }, { ...post.fields, more: 1 }])
    expect(accepts({ post: { ...post, fields } })).toBe(false)
})

it('the document of a site has the fields and collections of its only public workspace', async () => {
  const settings = 'fields: { rating: { type: number, index: true } }\n'
  const collections = 'collections: { guides: { folder: guides } }\n'
  const site = temporarySite()
    .write('content/acme/workspace.yml', settings + collections)
    .write('content/private/workspace.yml', 'v1: private\nfields: { secret: text }\n')
    .post('first')
  await site.build()
  const { paths, components } = site.json('public/openapi.json')
  const names = paths['/v2/posts'].get.parameters.map(({ name }: { name: string }) => name)
  expect(names).toContain('fields.rating[gte]')
  expect(paths).toHaveProperty(['/v1/{workspaceId}/collections/guides'])
  expect(Object.keys(components.schemas.CustomFields.properties)).toEqual(['rating'])
})

/** Only slugs of items may have slashes. */
function isPathOf(template: string, path: string): boolean {
  const name = template.includes('/collections/') ? '.+' : '[^/]+'
  const pattern = template.replaceAll('.', '\\.').replace(/\{\w+\}/g, name)
  return new RegExp(`^${pattern}$`).test(path)
}
