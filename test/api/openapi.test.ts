// Every response of the black box is as the OpenAPI document of the site describes it, by a validator that is not ours.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { decodeUnreserved } from '../../src/api/routes.ts'
import { readRequests } from '../blackbox/requests.ts'
import { buildSample, functionOver, handlerOf } from '../support/sample-site.ts'

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      { get: { responses: Record<string, { content?: Record<string, { schema: object }> }> } }
    >
  >
  readonly components: object
}

it('responses are as the OpenAPI document describes them', async () => {
  const sample = await buildSample()
  const handler = handlerOf(sample.out)
  const served = await functionOver(sample.out)('/openapi.json')
  const { paths, components }: OpenApiDocument = JSON.parse(await served.text())
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
  ajv.addVocabulary(['components'])
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
  const schemaOf = (path: string, status: number): object | undefined => {
    const template = Object.keys(paths).find((name) => isPathOf(name, path))
    const form = path.startsWith('/v1') ? 'ErrorV1' : 'ErrorV2'
    if (template === undefined) return { $ref: `#/components/schemas/${form}` }
    const content = Object.entries(paths[template]?.get.responses[status]?.content ?? {})
    return content.find(([type]) => type.includes('json'))?.[1].schema
  }
  const validators = new Map<string, ValidateFunction>()
  const statuses: number[] = []
  for (const { line, target, headers } of readRequests('sample').filter(isDescribed)) {
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
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(150)
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(20)
})

/**
 * Paths of the vendor's clients are the vendor's, a response of selected keys has not all of them, and own types are
 * described for each workspace alone.
 */
function isDescribed({ method, target }: { readonly method: string; readonly target: string }) {
  const isOther =
    /^\/v1\/(?:posts|categories|tags|authors|fields|media)\b|[?&]select=|\/(?:collections|singletons)\b/.test(
      target,
    )
  return method === 'GET' && !isOther && !['/', '/openapi.json', '/status'].includes(target)
}

function isPathOf(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  const isEqual = (part: string, at: number) => part.startsWith('{') || part === given[at]
  return wanted.length === given.length && wanted.every(isEqual)
}
