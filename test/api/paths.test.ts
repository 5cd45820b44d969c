// Canonical requests and their files: inverse of each other, and safe on every file system.
import { expect, it } from 'vitest'
import { defaultParameters } from '../../src/api/parameters.ts'
import { filePath, requestOfFile } from '../../src/api/paths.ts'
import { type ApiRequest, versions } from '../../src/api/request.ts'
import { resourceKinds } from '../../src/api/resources.ts'
import { nastySlugs } from '../support/arbitraries.ts'
import { requestOf } from '../support/ask.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

const identifiers = fc.oneof(
  fc.constantFrom(...nastySlugs),
  fc.constantFrom('Index', 'INDEX', 'a.JSON', 'a.jſon', '1.json.json', 'index_x', 'page', 'x_json'),
  fc.stringMatching(/^[a-z0-9]([a-z0-9._-]?[a-z0-9]){0,4}(\.json)?$/),
)

/** Canonical requests: those that a target without filters names. */
const canonicalRequests: Arbitrary<ApiRequest> = fc
  .record({
    version: fc.constantFrom(...versions),
    resource: fc.constantFrom(...resourceKinds),
    identifier: fc.option(identifiers),
    limit: fc.constantFrom('10', '10', '1', '2', '99', '100', 'all'),
    page: fc.constantFrom(1, 1, 2, 10, 100, Number.MAX_SAFE_INTEGER),
    order: fc.constantFrom('desc', 'desc', 'asc'),
    excludeContent: fc.boolean(),
    format: fc.constantFrom('html', 'markdown'),
    include: fc.constantFrom('', 'posts'),
  })
  .map(({ version, resource, identifier, ...given }) => {
    const isList = resource === 'posts' && identifier === null
    const limit = given.limit === 'all' && !isList ? '10' : given.limit
    const page = limit === 'all' ? 1 : given.page
    // Without content both formats are one file.
    const format = isList && given.excludeContent ? 'html' : given.format
    const parameters = { ...given, limit, page, format }
    const base = version === 'v1' ? `/v1/acme/${resource}` : `/v2/${resource}`
    const path = identifier === null ? base : `${base}/${encodeURIComponent(identifier)}`
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
    return requestOf(`${path}?${query.join('&')}`)
  })

it('filePath is unique, also without case, and the folder of no other request', () => {
  fc.assert(
    fc.property(fc.array(canonicalRequests, { maxLength: 30, size: 'max' }), (requests) => {
      const byPath = new Map<string, ApiRequest>()
      for (const request of withoutCaseTwins(requests)) {
        const path = foldCase(String(filePath(request)))
        expect(byPath.get(path) ?? request).toEqual(request)
        byPath.set(path, request)
      }
      for (const path of byPath.keys()) {
        const segments = path.split('/')
        const folders = segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'))
        expect(folders.filter((folder) => byPath.has(folder))).toEqual([])
      }
    }),
    { numRuns: 300 },
  )
})

it('requestOfFile is the inverse of filePath', () => {
  fc.assert(
    fc.property(canonicalRequests, (request) => {
      expect(requestOfFile(String(filePath(request)))).toEqual(request)
    }),
    { numRuns: 1000 },
  )
  const { parameters } = requestOfFile('public/v1/acme/posts/index.json') ?? {}
  expect(parameters).toEqual(defaultParameters)
})

/** One request of those whose identifiers differ only in case: a workspace has one of them. */
function withoutCaseTwins(requests: readonly ApiRequest[]): readonly ApiRequest[] {
  const spellings = new Map<string, string>()
  return requests.filter(({ resource, identifier }) => {
    if (identifier === null) return true
    const key = `${resource}/${foldCase(identifier)}`
    if (!spellings.has(key)) spellings.set(key, identifier)
    return spellings.get(key) === identifier
  })
}

/** A name on a file system without case. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}
