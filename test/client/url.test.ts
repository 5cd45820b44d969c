// The URLs of a client: one spelling for each query, and the files that a build writes for canonical requests.
import { expect, it } from 'vitest'
import { fileOf, searchOf } from '../../packages/client/src/url.ts'
import type { IndexedField } from '../../src/api/parameter-values.ts'
import { filePath } from '../../src/api/paths.ts'
import { resourceKinds } from '../../src/api/resources.ts'
import { requestOf } from '../support/ask.ts'
import fc from '../support/fast-check.ts'

const words = fc.array(fc.constantFrom('b', 'a', 'c d', 'ü&'), { minLength: 1, maxLength: 3 })
const paging = { limit: fc.constantFrom(1, 10, 20, 100), page: fc.integer({ min: 1, max: 12 }) }
const allPostQueries = fc.record(
  {
    ...paging,
    limit: fc.constantFrom<number | 'all'>(1, 10, 20, 'all'),
    order: fc.constantFrom('asc', 'desc'),
    orderBy: fc.constantFrom('publishedAt', 'title', 'fields.rating'),
    ...{ match: fc.constantFrom('phrase', 'words'), tagsMatch: fc.constantFrom('any', 'all') },
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

const fields: readonly IndexedField[] = [
  { name: 'rating', type: 'number' },
  { name: 'level', type: 'text' },
]

it('names the file that a build writes for the request, and none for others', () => {
  const kinds = fc.constantFrom(...resourceKinds)
  fc.assert(
    fc.property(kinds, identifiers, postQueries, termQueries, (kind, name, ofPosts, ofTerms) => {
      const { format } = ofPosts
      const single = format === undefined ? {} : { format }
      const query = kind !== 'posts' ? ofTerms : name === undefined ? ofPosts : single
      const path = fileOf(kind, name, query)
      const found = path === null ? null : `public/v1/acme/${kind}${decodeURIComponent(path)}`
      const target = `/v1/acme/${kind}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
      expect(found).toBe(filePath(requestOf(target + searchOf(query), fields)))
    }),
  )
})

it('spells equal queries alike, and keeps what they mean', () => {
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
      const [request, same] = [searchOf(query), `?${naive}`].map((search) =>
        requestOf(`/v1/acme/posts${search}`, fields),
      )
      expect(request).toEqual(same)
    }),
  )
  expect(searchOf({ page: 1, limit: 10, tags: ['b', 'a', 'b'], order: 'desc' })).toBe('?tags=a%2Cb')
})

it.each([
  [{ tags: [], slugs: ['a'] }, '?slugs=-'],
  [{ fields: { level: { in: [] } } }, '?slugs=-'],
  [{ excludeTags: [], select: [] }, ''],
])('finds nothing for %j, if posts must have an item of an empty list', (query, search) => {
  expect(searchOf(query)).toBe(search)
  expect(fileOf('posts', undefined, query) === null).toBe(search !== '')
})
