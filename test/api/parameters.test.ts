// Query parameters at their boundaries. Their meaning, repeats and bad encodings are shown by respond.test.ts.
import { expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import {
  defaultParameters,
  type ParameterName,
  parametersOf,
  parseParameters,
} from '../../src/api/parameters.ts'
import type { Parameters, Target } from '../../src/api/request.ts'
import { matchRoute, splitQuery } from '../../src/api/routes.ts'

const postListNames = parametersOf(matchRoute('/v2/posts') as Target)
const slugLists = [
  ...(['categories', 'excludeCategories', 'tags', 'excludeTags'] as const),
  ...(['authors', 'excludeAuthors', 'slugs', 'ids'] as const),
]

it.each([
  ['limit', '000100', 100],
  ['limit', 'all', 'all'],
  ['publishedAfter', '2026-03-04', Date.UTC(2026, 2, 4)],
  ['updatedBefore', '2026-03-04T09:30:15.25+02:00', Date.UTC(2026, 2, 4, 7, 30, 15, 250)],
  ['query', '\u3000日本\u00a0', '日本'],
  ['query', '   ', ''],
  ['tags', ' a , b,,a\t,', ['a', 'b']],
] as const)('reads %s=%j as %j', (name, value, parsed) => {
  expect(read('/v2/posts', { [name]: value })).toEqual({ ...defaultParameters, [name]: parsed })
})

const noNumbers = ['0', '-1', '9'.repeat(20), '1e1', '0x10', '+5', ' 5', '5.0', '٥', '1\0']

it.each([
  ['limit', [...noNumbers, '101', 'All', ' all']],
  ['page', [...noNumbers, '9'.repeat(400), 'all']],
  ['order', ['ASC', ' asc', 'asc,desc']],
  ['orderBy', ['Title', 'id', '-title']],
  ['format', ['HTML', 'md', 'html,markdown']],
  ['excludeContent', ['True', '1', ' true', 'null']],
  ['featured', ['False', '0', 'any']],
  ['publishedBefore', ['2026-03', '2023-02-29', '26-03-04', '2026-03-04T24:00', '2026/03/04']],
  ['updatedAfter', ['20260304', '1767225600000', 'now', '2026-03-04T09:30:00 02:00']],
] as const)('rejects other values of %s', (name, values) => {
  for (const value of values)
    expect([value, refused('/v2/posts', { [name]: value })]).toEqual([value, [name]])
})

it('limits a search to 256 code points, without the spaces around it', () => {
  for (const character of ['x', 'é', '😀']) {
    const most = character.repeat(256)
    expect(read('/v2/posts', { query: `  ${most}  ` }).query).toBe(most)
    expect(refused('/v2/posts', { query: character.repeat(257) })).toEqual(['query'])
  }
})

it.each(slugLists)('adds up the repeats of %s to at most 100 values, in any order', (name) => {
  const slugs = Array.from({ length: 101 }, (_, number) => `s${number}`)
  const most = slugs.slice(0, 100).join(',,')
  expect(read('/v2/posts', { [name]: most })[name]).toHaveLength(100)
  expect(refused(`/v2/posts?${name}=s100`, { [name]: most })).toEqual([name])
  const once = read(`/v2/posts?${name}=b,a,c`)
  expect(read(`/v2/posts?${name}=c&${name}=&${name}=a,b,a`)).toEqual(once)
})

it.each([
  ['/v2/categories', 'limit=all', ['limit']],
  ['/v2/tags/a', 'include=posts&limit=all', ['limit']],
  // Only a page bounds the texts of matches.
  ['/v2/posts', 'limit=all&include=facets,matches', ['limit']],
  ['/v2/posts', 'limit=all&include=facets', []],
  ['/v2/posts', 'limit=100&include=matches', []],
  ['/v1/acme/authors/a', 'include=posts,tags', ['include']],
  // Without its posts, a single resource has no limit and no page.
  ['/v2/tags/a', 'limit=x&page=0&include=,', []],
  ['/v2/tags/a', 'limit=x&page=0&include=tags', ['include']],
  ['/v1/media', 'type=film&limit=0', ['limit', 'type']],
  ['/v1/posts', 'type=film', []],
  // A key reads drafts, so only a request with a key has a status.
  ['/v1/posts', 'status=live', ['status']],
  ['/v2/posts/a', 'status=live', ['status']],
  ['/v1/acme/posts', 'status=live', []],
])('of %s?%s, rejects %j', (path, query, names) => {
  if (names.length > 0) expect(refused(`${path}?${query}`)).toEqual(names)
  else expect(() => read(`${path}?${query}`)).not.toThrow()
})

it('lists every bad parameter, and no good one', () => {
  const many = Array.from({ length: 101 }, (_, n) => n).join(',')
  const bad = Object.fromEntries(postListNames.map((name) => [name, 'wrong']))
  for (const name of slugLists) bad[name] = many
  for (const name of ['query', 'since'] as const) bad[name] = 'x'.repeat(257)
  const { status, details } = refusal('/v2/posts', bad)
  expect([status, details]).toEqual([
    400,
    postListNames.map((field) => ({ field, message: expect.stringMatching(/\S/) })),
  ])
  const good: readonly ParameterName[] = ['limit', 'query', 'tags']
  expect(refused('/v2/posts', { ...bad, limit: '5', query: 'x', tags: 'a' })).toEqual(
    postListNames.filter((name) => !good.includes(name)),
  )
})

/** Parses the query of a target, with more parameters. */
function read(target: string, more: Readonly<Record<string, string>> = {}): Parameters {
  const [path = '', query = ''] = target.split('?')
  const encoded = Object.entries(more).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return parseParameters(matchRoute(path) as Target, splitQuery([query, ...encoded].join('&')))
}

function refusal(target: string, more: Readonly<Record<string, string>> = {}): ApiError {
  try {
    read(target, more)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`${target} is not refused`)
}

/** The fields of a refusal's details, in order. */
function refused(target: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const { details } = refusal(target, more)
  return Array.isArray(details) ? details.map(({ field }) => field) : []
}
