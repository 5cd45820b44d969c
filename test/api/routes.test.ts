// Paths and query strings, raw as they arrive.
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import { errorFormOf, matchRoute, splitQuery } from '../../src/api/routes.ts'
import fc from '../support/fast-check.ts'

describe('matchRoute', () => {
  it.each([
    ['/v2/posts/%C3%BCber', 'über'],
    ['/v2/posts/%2561', '%61'],
    ['/v2/posts/..%2f..%2Fkeys', '../../keys'],
    ['/v2/posts/%00', '\0'],
    ['/v1/..%2f/posts/x', 'x', '../'],
    ['/v1/%70osts/posts/x', 'x', 'posts'],
  ])('decodes the segments of %s once', (path, identifier, workspace?: string) => {
    const expected = { resource: 'posts', identifier, workspace: workspace ?? null }
    expect(matchRoute(path)).toMatchObject(expected)
  })

  it.each([
    ...[
      '',
      'v2/posts',
      '/V2/posts',
      '/v2/',
      '/v22/posts',
      '/v1/acme/',
      '/v1//posts',
      '//v1/acme/posts',
    ],
    ...['/v1/acme/posts/', '/v1/acme/posts//a', '/v2/posts/a/b', '/v2/posts.json', '/v1/media/a/b'],
    ...['/v2/__proto__', '/v2/posts%2Fa', '/v2/../v2/posts'],
  ])('matches no %j', (path) => {
    expect(matchRoute(path)).toBeNull()
  })

  it.each([
    ['/v1/posts', 'posts', null],
    ['/v1/posts/tags', 'posts', 'tags'],
    ['/v1/authors/a%20b', 'authors', 'a b'],
  ])('reads %s as a path of the SDKs', (path, resource, identifier) => {
    const expected = { version: 'v2', workspace: null, resource, identifier, isSdk: true }
    expect(matchRoute(path)).toEqual(expected)
  })

  it.each([...['/v2/posts/%', '/v2/posts/%c0%ae%c0%ae', '/v2/posts/%ed%a0%80', '/v1/%ff/posts']])(
    'rejects %s, which is not percent-encoded UTF-8',
    (path) => {
      expect(() => matchRoute(path)).toThrow(expect.objectContaining({ status: 400 }))
    },
  )

  it('decodes every identifier, and throws only its own error', () => {
    const part = fc.oneof(fc.constantFrom('v1', 'v2', 'posts', '%', '..', ''), fc.string())
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.array(part), (name, segments) => {
        expect(matchRoute(`/v1/acme/tags/${encodeURIComponent(name)}`)?.identifier).toBe(name)
        try {
          matchRoute(segments.join('/'))
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
    )
  })
})

it.each([
  ['/v1/acme/nothing', 'v1'],
  ['/v1/posts', 'sdk'],
  ['/v2/v1/posts', 'v2'],
  ['/v10/posts', 'v2'],
])('gives errors of %s the form %s', (path, form) => {
  expect(errorFormOf(path)).toBe(form)
})

it.each([
  ['', []],
  ['a=1&b=2&a=3', ['a=1', 'b=2', 'a=3']],
  ['a&b=&=1&&', ['a=', 'b=']],
  ['a=x+y%20z&b=%2B', ['a=x y z', 'b=+']],
  ['a%26=%26&l%69mit=5', ['a&=&', 'limit=5']],
  ['a=%E9&%E9=1&b=%00', ['a=null', 'b=\0']],
])('splits the query %j', (query, pairs) => {
  expect(splitQuery(query).map(([name, value]) => `${name}=${value}`)).toEqual(pairs)
})
