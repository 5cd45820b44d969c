// The URLs of a client: one spelling for each query, and the files that a build writes for canonical requests.
import { expect, expectTypeOf, it } from 'vitest'
import type { PostQuery } from '../../packages/client/src/index.ts'
import { fileOf, searchOf } from '../../packages/client/src/url.ts'
import type { IndexedField } from '../../src/api/field-parameters.ts'
import { type ParameterName, parametersOf } from '../../src/api/parameter-table.ts'
import { parseParameters } from '../../src/api/parameters.ts'
import { filePath } from '../../src/api/paths.ts'
import type { Target } from '../../src/api/request.ts'
import { resourceKinds } from '../../src/api/resources.ts'
import { splitQuery } from '../../src/api/routes.ts'
import fc from '../support/fast-check.ts'

const words = fc.array(fc.constantFrom('b', 'a', 'c d', 'ü&'), { maxLength: 3 })
const paging = {
  limit: fc.constantFrom(1, 10, 20, 100),
  page: fc.integer({ min: 1, max: 12 }),
}
const allPostQueries = fc.record(
  {
    ...paging,
    limit: fc.constantFrom<number | 'all'>(1, 10, 20, 'all'),
    order: fc.constantFrom('asc', 'desc'),
    orderBy: fc.constantFrom('publishedAt', 'title'),
    publishedAfter: fc.constantFrom('2026-03-04'),
    format: fc.constantFrom('html', 'markdown'),
    excludeContent: fc.boolean(),
    featured: fc.boolean(),
    query: fc.constantFrom('', 'x y'),
    tags: words,
    select: fc.constantFrom([], ['title']),
    include: fc.constantFrom([], ['facets'], ['facets', 'matches']),
    fields: fc.constantFrom({}, { rating: 4, level: { ne: 'a', in: ['b', 'a'] } }),
  },
  { requiredKeys: [] },
)
/** Matches have pages. */
const postQueries = allPostQueries.filter(
  ({ limit, include }) => limit !== 'all' || include?.at(1) !== 'matches',
)
const fieldPairs: [string, string][] = [
  ['fields.level[in]', 'b,a'],
  ['fields.rating', '4'],
  ['fields.level[ne]', 'a'],
]
const termQueries = fc.record(
  { ...paging, include: fc.constantFrom<readonly string[]>([], ['posts']) },
  { requiredKeys: [] },
)
const identifiers = fc.constantFrom('a', 'index', 'Index', 'a.json', 'über', undefined)

it('takes every parameter of a list of posts', () => {
  const names = parametersOf({ version: 'v2', resource: 'posts', identifier: null })
  // `npm run types` compares the names with those of a query.
  expectTypeOf<Exclude<keyof PostQuery, 'fields'>>().toEqualTypeOf<
    Exclude<ParameterName, 'strict' | 'since' | 'type'>
  >()
  expect(names).not.toContain('since')
  expect(names).not.toContain('type')
})

const fields: readonly IndexedField[] = [
  { name: 'rating', type: 'number' },
  { name: 'level', type: 'text' },
]

/** A request of the interface with this query. */
function requestOf(target: Target, search: string) {
  const parameters = parseParameters({ ...target, fields }, splitQuery(search.slice(1)))
  return { ...target, workspace: 'acme', parameters }
}

it('names the file that a build writes for the request, and none for others', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...resourceKinds),
      identifiers,
      postQueries,
      termQueries,
      (resource, identifier, ofPosts, ofTerms) => {
        const isPost = resource === 'posts'
        const { format } = ofPosts
        const single = format === undefined ? {} : { format }
        const query = isPost ? (identifier === undefined ? ofPosts : single) : ofTerms
        const target: Target = {
          version: 'v1',
          workspace: 'acme',
          resource,
          identifier: identifier ?? null,
        }
        const request = requestOf(target, searchOf(query))
        const path = fileOf(resource, identifier, query)
        const found = path === null ? null : `public/v1/acme/${resource}${decodeURIComponent(path)}`
        expect(found).toBe(filePath(request))
      },
    ),
  )
})

it('spells equal queries alike, and keeps what they mean', () => {
  const target: Target = { version: 'v1', workspace: 'acme', resource: 'posts', identifier: null }
  fc.assert(
    fc.property(postQueries, (query) => {
      const turned = Object.fromEntries(
        Object.entries(query)
          .toReversed()
          .map(([name, value]) => [name, Array.isArray(value) ? [...value].reverse() : value]),
      )
      expect(searchOf(turned)).toBe(searchOf(query))
      const { fields: filters, ...others } = query
      const isFiltered = filters !== undefined && 'rating' in filters
      const naive = new URLSearchParams([
        ...Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
        ...(isFiltered ? fieldPairs : []),
      ])
      expect(requestOf(target, searchOf(query))).toEqual(requestOf(target, `?${naive}`))
    }),
  )
  expect(searchOf({ page: 1, limit: 10, tags: ['b', 'a', 'b'], order: 'desc' })).toBe('?tags=a%2Cb')
  expect(searchOf({ page: undefined, query: '' })).toBe('')
  // A text that JavaScript writes for no value is a text.
  expect(searchOf({ query: 'undefined', tags: ['undefined'] })).toBe(
    '?query=undefined&tags=undefined',
  )
})

it('names no file for a page or a limit that is no number, as a URL may hold any text', () => {
  for (const query of [
    { page: '../../../b/posts/_all' },
    { page: '2' },
    { limit: '../x' },
    { page: 1.5 },
  ]) {
    expect(fileOf('posts', undefined, query)).toBeNull()
  }
})
