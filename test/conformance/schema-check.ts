// Holds answers against the schemas of an OpenAPI document, with a validator that is not ours.
// Knows nothing of content.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { decodeUnreserved } from '../../src/api/routes.ts'
import type { ApiResponse, OpenApiDocument } from './host.ts'

/** Checks answers. */
export interface Contract {
  /** @throws when an answer with a body is not what the document says of its path and status */
  check(path: string, response: ApiResponse): void
}

/** The contract that a document states. */
export function openContract(document: OpenApiDocument): Contract {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
  ajv.addVocabulary(['components'])
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const key = JSON.stringify(schema)
    const known = validators.get(key)
    const validator = known ?? ajv.compile({ ...schema, components: document.components })
    validators.set(key, validator)
    return validator
  }
  return {
    check: (path, { status, body }) => {
      if (body === undefined || path === '/' || path === '/openapi.json') return
      // The paths of the vendor's SDKs are the vendor's.
      if (/^\/v1\/(?:posts|categories|tags|authors|fields|media)\b/.test(path)) return
      const schema = schemaOf(document, decodeUnreserved(path.replace(/\?.*$/s, '')), status)
      const validate = validatorOf(schema)
      const isValid = validate(body)
      expect(isValid, `${status} of ${path}: ${ajv.errorsText(validate.errors)}`).toBe(true)
    },
  }
}

function schemaOf(document: OpenApiDocument, path: string, status: number): object {
  const template = Object.keys(document.paths).find((name) => isPathOf(name, path))
  if (template !== undefined && status !== 405) {
    const content: Readonly<Record<string, { readonly schema: object }>> =
      document.paths[template]?.get.responses[status]?.content ?? {}
    const schema = Object.entries(content).find(([type]) => type.includes('json'))?.[1].schema
    if (schema === undefined) throw new Error(`${template} documents no ${status} with a body`)
    return schema
  }
  const isV1 = path === '/v1' || path.startsWith('/v1/')
  if (status < 400 && path === '/status') return statusSchema
  return { $ref: `#/components/schemas/${isV1 ? 'ErrorV1' : 'ErrorV2'}` }
}

/** The document describes content alone. */
const statusSchema = {
  type: 'object',
  properties: { status: { const: 'ok' }, build: { type: 'string' } },
  required: ['status', 'build'],
  additionalProperties: false,
}

function isPathOf(template: string, path: string): boolean {
  const wanted = template.split('/')
  const given = path.split('/')
  const isEqual = (part: string, index: number) => part.startsWith('{') || part === given[index]
  return wanted.length === given.length && wanted.every(isEqual)
}
