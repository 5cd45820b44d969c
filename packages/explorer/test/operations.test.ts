import { describe, expect, it } from 'vitest'
import { isFeedKind } from '../../../src/api/documents.ts'
import { openApiDocument } from '../../../src/api/openapi.ts'
import { counterpart, type OpenApi, readOperations, resolveSchema } from '../src/operations.ts'

const document = JSON.parse(JSON.stringify(openApiDocument())) as OpenApi
const operations = readOperations(document)

describe('the operations of the page', () => {
  it('are those of the document, with all their parameters', () => {
    expect(operations.map(({ template }) => template)).toEqual(Object.keys(document.paths))
    for (const { template, fields } of operations) {
      const { parameters = [] } = document.paths[template]?.get ?? {}
      expect(fields.map(({ name }) => name)).toEqual(parameters.map(({ name }) => name))
    }
  })

  it('have a counterpart in the other version, but for feeds', () => {
    for (const operation of operations) {
      if (isFeedKind(operation.group) || operation.template.endsWith('.md')) {
        expect(counterpart(operations, operation, 'v2')).toBeNull()
        continue
      }
      const other = operation.version === 'v1' ? 'v2' : 'v1'
      expect(counterpart(operations, operation, other)).toMatchObject({
        version: other,
        group: operation.group,
        summary: operation.summary,
      })
    }
  })

  it('answer with schemas that can be followed', () => {
    for (const { group, template, responses } of operations) {
      const body = responses.find(({ status }) => status === '200')?.schema
      // Text has none.
      if (isFeedKind(group) || template.endsWith('.md')) continue
      expect(Object.keys(resolveSchema(body ?? {}, document).properties ?? {})).not.toEqual([])
    }
  })
})
