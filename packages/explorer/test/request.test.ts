import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../src/api/openapi.ts'
import { matchRoute, splitQuery } from '../../../src/api/routes.ts'
import fc from '../../../test/support/fast-check.ts'
import { type ApiOperation, type OpenApi, readOperations } from '../src/operations.ts'
import { requestPath } from '../src/request.ts'

const operations = readOperations(JSON.parse(JSON.stringify(openApiDocument())) as OpenApi)

function operation(id: string): ApiOperation {
  const found = operations.find((known) => known.id === id)
  if (found === undefined) throw new Error(`there is no operation ${id}`)
  return found
}

const text = fc.string({ unit: 'grapheme', minLength: 1 })

describe('a request', () => {
  it('leaves out what is empty, and keeps the commas of lists', () => {
    const values = { workspaceId: 'acme', limit: '', tags: 'a,b', query: 'x & y' }
    expect(requestPath(operation('v1ListPosts'), values)).toBe(
      '/v1/acme/posts?tags=a,b&query=x%20%26%20y',
    )
  })

  it('reaches the service as it was typed in', () => {
    fc.assert(
      fc.property(text, text, (identifier, query) => {
        const [path = ''] = requestPath(operation('v2GetPost'), { identifier }).split('?')
        expect(matchRoute(path)).toMatchObject({ version: 'v2', identifier })
        const [, asked = ''] = requestPath(operation('v2ListPosts'), { query }).split(/\?(.*)/s)
        expect(splitQuery(asked)).toEqual([['query', query]])
      }),
    )
  })
})
