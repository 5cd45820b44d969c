import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import { errorFormOf, matchRoute, operations, splitQuery } from '../../src/api/routes.ts'
import fc from '../support/fast-check.ts'

describe('operations', () => {
  it('are those of the specification, and the lists and singles that it leaves out', () => {
    expect(operations.map(({ template }) => template).toSorted()).toEqual([
      '/v1/{workspaceId}/atom.xml',
      '/v1/{workspaceId}/authors',
      '/v1/{workspaceId}/authors/{identifier}',
      '/v1/{workspaceId}/categories',
      '/v1/{workspaceId}/categories/{identifier}',
      '/v1/{workspaceId}/changes',
      '/v1/{workspaceId}/feed.json',
      '/v1/{workspaceId}/feed.xml',
      '/v1/{workspaceId}/llms.txt',
      '/v1/{workspaceId}/posts',
      '/v1/{workspaceId}/posts/{identifier}',
      '/v1/{workspaceId}/redirects',
      '/v1/{workspaceId}/sitemap.xml',
      '/v1/{workspaceId}/tags',
      '/v1/{workspaceId}/tags/{identifier}',
      '/v2/authors',
      '/v2/authors/{identifier}',
      '/v2/categories',
      '/v2/categories/{identifier}',
      '/v2/changes',
      '/v2/posts',
      '/v2/posts/{identifier}',
      '/v2/redirects',
      '/v2/tags',
      '/v2/tags/{identifier}',
    ])
  })

  it.each(operations)('$template is what its own path is matched as', (operation) => {
    const { version, resource, isList, template } = operation
    const path = template.replace('{workspaceId}', 'acme').replace('{identifier}', 'x')
    expect(matchRoute(path)).toEqual({
      version,
      workspace: version === 'v1' ? 'acme' : null,
      resource,
      identifier: isList ? null : 'x',
    })
  })
})

describe('matchRoute', () => {
  it.each([
    ['/v2/posts/%C3%BCber', 'über'],
    ['/v2/posts/über', 'über'],
    ['/v2/posts/a+b', 'a+b'],
    ['/v2/posts/a%20b', 'a b'],
    ['/v2/posts/%2561', '%61'],
    ['/v2/posts/..', '..'],
    ['/v2/posts/..%2f..%2Fkeys', '../../keys'],
    ['/v2/posts/a%2Fb', 'a/b'],
    ['/v2/posts/%5C..%5C', '\\..\\'],
    ['/v2/posts/%00', '\0'],
    ['/v2/posts/a.json', 'a.json'],
    ['/v2/posts/index.json', 'index.json'],
    ['/v2/posts/%F0%9F%98%80', '😀'],
    ['/v2/posts/a;b=c', 'a;b=c'],
    ['/v2/posts/posts', 'posts'],
  ])('decodes the identifier of %s once', (path, identifier) => {
    expect(matchRoute(path)).toMatchObject({ resource: 'posts', identifier })
  })

  it.each([
    ['/v1/acm%C3%A9/posts', 'acmé'],
    ['/v1/..%2f/posts', '../'],
    ['/v1/%70osts/posts', 'posts'],
    ['/v1/v2/posts', 'v2'],
  ])('decodes the workspace of %s once', (path, workspace) => {
    expect(matchRoute(path)).toMatchObject({ version: 'v1', workspace, resource: 'posts' })
  })

  it.each([
    ...['', '/', '//', 'v2/posts', ' /v2/posts', '/V2/posts', '/v2', '/v1', '/v2/', '/v1/'],
    ...['/v3/posts', '/v3/acme/posts', '/v0/posts', '/v22/posts', '/v/posts', '/posts'],
    ...['/v1/acme', '/v1/acme/', '/v1//posts', '/v1/acme//posts', '//v1/acme/posts'],
    ...['/v1/acme/posts/', '/v1/acme/posts/a/', '/v1/acme/posts//', '/v1/acme/posts//a'],
    ...['/v2/posts/', '/v2//posts', '//v2/posts', '/v2/posts/a/', '/v2/posts//a'],
    ...['/v2/posts/a/b', '/v2/acme/posts', '/v2/acme/posts/a', '/v1/acme/posts/a/b'],
    ...['/v1/acme/posts/a/b/c/d', '/v2/Posts', '/v2/post', '/v2/posts.json', '/v2/pages'],
    ...[
      '/v2/media',
      '/v2/fields',
      '/v1/media/a/b',
      '/v1/posts/a/b',
      '/v2/__proto__',
      '/v2/constructor',
      '/v2/posts%2Fa',
      '/v2%2Fposts',
    ],
    ...['/v2/posts\\a', '/v2\\posts', '/v2/keys', '/v2/../v2/posts', '/./v2/posts'],
  ])('knows no %j', (path) => {
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

  it.each([
    ...['/v2/posts/%', '/v2/posts/%f', '/v2/posts/%zz', '/v2/posts/%ff', '/v2/posts/a%E9'],
    ...['/v2/posts/%c0%ae%c0%ae', '/v2/posts/%ed%a0%80', '/v1/%ff/posts', '/v1/acme/tags/%80'],
  ])('refuses %s, which is not percent-encoded UTF-8', (path) => {
    expect(() => matchRoute(path)).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('gives back every identifier that was percent-encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (identifier) => {
        const path = `/v1/acme/tags/${encodeURIComponent(identifier)}`
        expect(matchRoute(path)?.identifier).toBe(identifier)
      }),
    )
  })

  it('throws nothing but its own error, whatever the path', () => {
    const anything = fc.array(
      fc.oneof(fc.constantFrom('v1', 'v2', 'posts', '%', '..', ''), fc.string({ unit: 'binary' })),
    )
    fc.assert(
      fc.property(anything, (segments) => {
        try {
          matchRoute(segments.join('/'))
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
    )
  })
})

describe('errorFormOf', () => {
  it.each([
    ['/v1', 'v1'],
    ['/v1/', 'v1'],
    ['/v1/acme/nothing', 'v1'],
    ['/v1/posts', 'sdk'],
    ['/v1/media/a/b', 'sdk'],
    ['/v1/Posts', 'v1'],
    ['/v2/v1/posts', 'v2'],
    ['/v10/posts', 'v2'],
    ['/v2/posts', 'v2'],
    ['/', 'v2'],
    ['', 'v2'],
    ['/status', 'v2'],
  ])('of %j is %s', (path, version) => {
    expect(errorFormOf(path)).toBe(version)
  })
})

describe('splitQuery', () => {
  it.each([
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1&b=2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['&&a=1&', [['a', '1']]],
    ['=1', []],
    ['a=x+y%20z', [['a', 'x y z']]],
    ['a=%2B', [['a', '+']]],
    ['a%3D=%26', [['a=', '&']]],
    ['l%69mit=5', [['limit', '5']]],
    [
      'a=?&b=/#',
      [
        ['a', '?'],
        ['b', '/#'],
      ],
    ],
    ['a=1;b=2', [['a', '1;b=2']]],
    [
      'a=%E9&b=1',
      [
        ['a', null],
        ['b', '1'],
      ],
    ],
    ['%E9=1&b=1', [['b', '1']]],
    ['a=%00', [['a', '\0']]],
    ['a=日本', [['a', '日本']]],
  ])('splits %j', (query, pairs) => {
    expect(splitQuery(query)).toEqual(pairs)
  })

  it('reads what URLSearchParams writes', () => {
    const texts = fc.string({ unit: 'binary' })
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'binary', minLength: 1 }), texts))
    fc.assert(
      fc.property(pairs, (written) => {
        expect(splitQuery(new URLSearchParams(written).toString())).toEqual(written)
      }),
    )
  })
})
