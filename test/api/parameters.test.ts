// Query parameters at their boundaries. respond.test.ts shows their meaning, and test/blackbox what is said of bad ones.
import { expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import type { Parameters } from '../../src/api/request.ts'
import { requestOf } from '../support/ask.ts'

const noNumbers = ['0', '-1', '9'.repeat(20), '1e1', '0x10', '+5', ' 5', '5.0', '٥', '1\0']

it.each([
  ['limit', [...noNumbers, '101', 'All', ' all']],
  ['page', [...noNumbers, '9'.repeat(400), 'all']],
  ['format', [' html', 'html,markdown']],
  ['excludeContent', ['True', 'null']],
  ['updatedAfter', ['2026-03', '2026/03/04', '2026-3-4', '2026-02-30', '2026-03-04T24:00']],
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

it('adds up the repeats of a list to at most 100 values, in any order', () => {
  const most = Array.from({ length: 100 }, (_, number) => `s${number}`).join(',,')
  expect(read('/v2/posts', { ids: most }).ids).toHaveLength(100)
  expect(refused('/v2/posts?ids=s100', { ids: most })).toEqual(['ids'])
  expect(read('/v2/posts?ids=c&ids=&ids=a,b,a')).toEqual(read('/v2/posts?ids=b,a,c'))
})

it.each([
  ['/v2/tags/a', 'include=posts&limit=all', ['limit']],
  // Without its posts, a single resource has no limit and no page.
  ['/v2/tags/a', 'limit=x&page=0&include=,', []],
  ['/v2/tags/a', 'limit=x&page=0&include=tags', ['include']],
  ['/v1/media', 'type=film&limit=0', ['limit', 'type']],
  ['/v1/posts', 'type=film', []],
  // A key reads drafts, so only a request with a key has a status.
  ['/v1/posts', 'status=live', ['status']],
  ['/v2/posts/a', 'status=live', ['status']],
])('of %s?%s, rejects %j', (path, query, names) => {
  if (names.length > 0) expect(refused(`${path}?${query}`)).toEqual(names)
  else expect(() => read(`${path}?${query}`)).not.toThrow()
})

/** Parses the query of a target, with more parameters. */
function read(target: string, more: Readonly<Record<string, string>> = {}): Parameters {
  const query = Object.entries(more).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return requestOf(`${target}${target.includes('?') ? '&' : '?'}${query.join('&')}`).parameters
}

/** The fields of a refusal's details, in order. */
function refused(target: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    read(target, more)
  } catch (error) {
    if (error instanceof ApiError && Array.isArray(error.details))
      return error.details.map(({ field }) => field)
    throw error
  }
  throw new Error(`${target} is not refused`)
}
