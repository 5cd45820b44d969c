import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.ts'
import { operations } from '../../src/api/routes.ts'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { ask } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import type { SampleRequest } from '../support/oracle.ts'
import { snapshotOf } from '../support/sample-workspace.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth
type Json = any

const document: Json = JSON.parse(JSON.stringify(openApiDocument()))
const described: readonly Json[] = Object.values(document.paths).map((path: Json) => path.get)

it('offers `limit=all` on post lists and nowhere else', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Json> }
  const offering = Object.entries(paths).filter(([, { get }]) =>
    get.parameters.some(
      ({ name, schema }: Json) => name === 'limit' && JSON.stringify(schema).includes('all'),
    ),
  )
  expect(offering.map(([path]) => path)).toEqual(['/v2/posts', '/v1/{workspaceId}/posts'])
})

describe('the OpenAPI document', () => {
  it('describes every operation, and no other', () => {
    expect(Object.keys(document.paths)).toEqual(operations.map(({ template }) => template))
    expect(Object.values(document.paths).flatMap((path: Json) => Object.keys(path))).toEqual(
      operations.map(() => 'get'),
    )
  })

  it('names every operation once', () => {
    const names = described.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  it('declares the parameters of each path, all of them required', () => {
    for (const [template, { get }] of Object.entries<Json>(document.paths)) {
      const inPath = get.parameters.filter((parameter: Json) => parameter.in === 'path')
      expect(inPath.map(({ name }: Json) => `{${name}}`)).toEqual(template.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }: Json) => required === true)).toBe(true)
    }
  })

  it('asks for a key in v2 alone', () => {
    for (const [template, { get }] of Object.entries<Json>(document.paths)) {
      expect(get.security).toEqual(template.startsWith('/v2/') ? [{ apiKey: [] }] : [])
      expect('401' in get.responses && '403' in get.responses).toBe(template.startsWith('/v2/'))
    }
  })

  it('refers to nothing that it does not hold', () => {
    const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? []
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) expect(resolve(reference)).toBeDefined()
  })

  it('has a schema that every real answer keeps to', async () => {
    const asked = workspaces.chain((workspace) =>
      fc.record({
        workspace: fc.constant(workspace),
        request: requests(workspace).filter(isWhole),
        now: moments,
      }),
    )
    await fc.assert(
      fc.asyncProperty(asked, async ({ workspace, request, now }) => {
        const target = targetOf(request)
        const snapshot = await snapshotOf(workspace)
        const { status, text } = await ask(target, snapshot, now, workspace.indexed)
        const { version, resource, identifier } = request
        const base = version === 'v1' ? `/v1/{workspaceId}/${resource}` : `/v2/${resource}`
        const { get } = document.paths[identifier === null ? base : `${base}/{identifier}`]
        const { schema } = get.responses[status].content['application/json']
        expect(misfits(JSON.parse(text), schema, '')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

function resolve(reference: string): Json {
  return document.components.schemas[reference.replace('#/components/schemas/', '')]
}

/** Places in a value that do not fit a schema, of as much of JSON Schema as the document speaks. */
function misfits(value: Json, schema: Json, place: string): readonly string[] {
  if (schema.$ref !== undefined) return misfits(value, resolve(schema.$ref), place)
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((one: Json) => misfits(value, one, place).length === 0)
    return fits ? [] : [place]
  }
  if (![schema.type].flat().some((type) => isOfType(value, type))) return [place]
  if (typeof value === 'number' && value < schema.minimum) return [place]
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) return [place]
  if (Array.isArray(value))
    return value.flatMap((item, index) => misfits(item, schema.items, `${place}/${index}`))
  return value !== null && typeof value === 'object' ? misfitsInObject(value, schema, place) : []
}

function misfitsInObject(value: Json, schema: Json, place: string): readonly string[] {
  const { properties = {}, required = [], additionalProperties } = schema
  const missing = required.filter((name: string) => !Object.hasOwn(value, name))
  const found = Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(properties, name)
      ? misfits(member, properties[name], `${place}/${name}`)
      : additionalProperties === undefined
        ? [`${place}/${name} is unknown`]
        : misfits(member, additionalProperties, `${place}/${name}`),
  )
  return [...missing.map((name: string) => `${place}/${name} is missing`), ...found]
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

/** A request without `select`: the document describes whole posts. */
function isWhole({ pairs }: SampleRequest): boolean {
  return pairs.every(([name]) => name !== 'select')
}
