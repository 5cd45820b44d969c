import { describe, expect, it } from 'vitest'
import { filePath, fileStem, requestOfFile } from '../../src/api/paths.ts'
import { type ApiRequest, defaultParameters, versions } from '../../src/api/request.ts'
import { resourceKinds } from '../../src/api/resources.ts'
import { nastySlugs } from '../support/arbitraries.ts'
import { requestOf } from '../support/ask.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

const ordinary: readonly (readonly [target: string, path: string])[] = [
  ['/v1/acme/posts', 'public/v1/acme/posts/index.json'],
  ['/v1/acme/posts?page=2', 'public/v1/acme/posts/_page/2.json'],
  ['/v1/acme/posts/hello', 'public/v1/acme/posts/hello.json'],
  ['/v1/acme/posts?format=markdown', 'public/v1/acme/posts/_markdown/index.json'],
  ['/v1/acme/posts?format=markdown&page=2', 'public/v1/acme/posts/_markdown/_page/2.json'],
  ['/v1/acme/posts/hello?format=markdown', 'public/v1/acme/posts/_markdown/hello.json'],
  ['/v1/acme/posts/hello?include=neighbours', 'public/v1/acme/posts/_neighbours/hello.json'],
  [
    '/v1/acme/posts/hello?include=neighbours&format=markdown',
    'public/v1/acme/posts/_markdown/_neighbours/hello.json',
  ],
  ['/v1/acme/posts?limit=20', 'public/v1/acme/posts/_limit/20/index.json'],
  ['/v1/acme/posts?limit=20&page=2', 'public/v1/acme/posts/_limit/20/_page/2.json'],
  ['/v1/acme/categories', 'public/v1/acme/categories/index.json'],
  ['/v1/acme/categories?include=posts', 'public/v1/acme/categories/_posts/1.json'],
  ['/v1/acme/categories?include=posts&page=2', 'public/v1/acme/categories/_posts/2.json'],
  ['/v1/acme/tags/css', 'public/v1/acme/tags/css.json'],
  ['/v1/acme/tags/css?include=posts', 'public/v1/acme/tags/css/_posts/1.json'],
  ['/v1/acme/authors/ada?include=posts&page=3', 'public/v1/acme/authors/ada/_posts/3.json'],
  [
    '/v1/acme/authors/ada?include=posts&limit=5',
    'public/v1/acme/authors/ada/_limit/5/_posts/1.json',
  ],
  ['/v1/acme/posts?order=asc', 'public/v1/acme/posts/_asc/index.json'],
  ['/v1/acme/posts?order=asc&page=2', 'public/v1/acme/posts/_asc/_page/2.json'],
  ['/v1/acme/posts?excludeContent=true', 'public/v1/acme/posts/_excludeContent/index.json'],
  ['/v1/acme/posts?limit=all', 'public/v1/acme/posts/_all.json'],
  ['/v1/acme/posts?limit=all&format=markdown', 'public/v1/acme/posts/_markdown/_all.json'],
  [
    '/v1/acme/posts?limit=all&excludeContent=true',
    'public/v1/acme/posts/_excludeContent/_all.json',
  ],
  [
    '/v1/acme/posts?order=asc&format=markdown&limit=20',
    'public/v1/acme/posts/_markdown/_asc/_limit/20/index.json',
  ],
  [
    '/v2/posts?order=asc&excludeContent=true&limit=all',
    'private/v2/acme/posts/_asc/_excludeContent/_all.json',
  ],
  ['/v2/posts', 'private/v2/acme/posts/index.json'],
  ['/v2/tags/css', 'private/v2/acme/tags/css.json'],
]

const identifiers = fc.oneof(
  fc.constantFrom(...nastySlugs),
  fc.constantFrom(
    'Index',
    'INDEX',
    'a.JSON',
    'a.jſon',
    '1.json.json',
    'index_x',
    'page',
    'limit',
    'x_json',
  ),
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
    include: fc.constantFrom('', 'posts', 'neighbours'),
  })
  .map(({ version, resource, identifier, ...given }) => {
    const isList = resource === 'posts' && identifier === null
    const limit = given.limit === 'all' && !isList ? '10' : given.limit
    const page = limit === 'all' ? 1 : given.page
    // Without content both formats are one file.
    const format = isList && given.excludeContent ? 'html' : given.format
    const isPost = resource === 'posts' && identifier !== null
    const include = given.include === 'neighbours' && !isPost ? '' : given.include
    const parameters = { ...given, limit, page, format, include }
    const base = version === 'v1' ? `/v1/acme/${resource}` : `/v2/${resource}`
    const path = identifier === null ? base : `${base}/${encodeURIComponent(identifier)}`
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
    return requestOf(`${path}?${query.join('&')}`)
  })

describe('filePath', () => {
  it.each(ordinary)('puts %s into %s', (target, path) => {
    expect(filePath(requestOf(target))).toBe(path)
  })

  it.each([
    ['/v1/acme/posts', '/v1/acme/posts?page=1&limit=10&order=desc&format=html'],
    ['/v1/acme/posts', '/v1/acme/posts?excludeContent=false&query=+&tags=,&limit=010'],
    ['/v1/acme/posts?page=2&limit=20', '/v1/acme/posts?limit=20&page=2'],
    ['/v2/tags/css', '/v2/tags/css?limit=5&page=7&format=markdown'],
    ['/v2/tags?page=2', '/v2/tags?page=2&order=asc&query=x'],
    ['/v2/posts/hello', '/v2/posts/hello?page=2&excludeContent=true'],
    ['/v1/acme/posts?excludeContent=true', '/v1/acme/posts?excludeContent=true&format=markdown'],
  ])('is the same for %s and %s', (target, same) => {
    expect(filePath(requestOf(same))).toBe(filePath(requestOf(target)))
  })

  it.each([
    ...['limit=all&page=2', 'query=x', 'featured=true'],
    ...['featured=false', 'categories=a', 'excludeCategories=a', 'tags=a', 'excludeTags=a'],
  ])('is nowhere for a list with %s', (query) => {
    expect(filePath(requestOf(`/v1/acme/posts?${query}`))).toBeNull()
  })

  it('never gives one path to two requests, nor two that differ in case alone', () => {
    fc.assert(
      fc.property(fc.array(canonicalRequests, { maxLength: 30, size: 'max' }), (requests) => {
        const byPath = new Map<string, ApiRequest>()
        for (const request of withoutCaseTwins(requests)) {
          const path = foldCase(String(filePath(request)))
          expect(byPath.get(path) ?? request).toEqual(request)
          byPath.set(path, request)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('never makes a folder of what is another request’s file', () => {
    fc.assert(
      fc.property(fc.array(canonicalRequests, { maxLength: 30, size: 'max' }), (requests) => {
        const paths = withoutCaseTwins(requests).map((request) =>
          foldCase(String(filePath(request))),
        )
        const files = new Set(paths)
        const folders = paths.flatMap((path) => foldersOf(path))
        expect(folders.filter((folder) => files.has(folder))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

describe('requestOfFile', () => {
  it.each(ordinary)('finds the request of %s in %s', (target, path) => {
    expect(requestOfFile(path)).toEqual(requestOf(target))
  })

  it('is the inverse of filePath', () => {
    fc.assert(
      fc.property(canonicalRequests, (request) => {
        expect(requestOfFile(String(filePath(request)))).toEqual(request)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ...['', '/', 'index.json', 'manifest.json', 'public/openapi.json', 'public/index.html'],
    ...['public/v2/acme/posts/index.json', 'private/v1/acme/posts/index.json'],
    ...[
      'v1/acme/posts/index.json',
      '/public/v1/acme/posts/index.json',
      'public/v1/acme/index.json',
    ],
    ...['public/v3/acme/posts/index.json', 'public/v1/acme/pages/index.json'],
    ...posts('', 'index', 'a', 'a.txt', '.json', '_.json', '_x.json', 'a/b.json', 'a/index.json'),
    ...posts('a_.json', 'index_', 'b_/_posts/1.json', 'a/', '/a.json', '_markdown', '_markdown/'),
    ...posts('_page/0.json', '_page/1.json', '_page/02.json', '_page/-1.json', '_page/x.json'),
    ...posts('_page/2', '_page/.json', '_page/1e3.json', '_page/100000000000000000000.json'),
    ...posts('_limit/10/index.json', '_limit/0/index.json', '_limit/101/index.json'),
    ...posts('_limit/all/index.json', '_limit/05/index.json', '_limit/20/_page/1.json'),
    ...posts('_limit/20/a.json', '_limit/20/', '_limit/20/_limit/30/index.json'),
    ...posts('_markdown/_markdown/index.json', '_limit/20/_markdown/index.json'),
    ...posts('_asc/_markdown/index.json', '_excludeContent/_asc/index.json', '_asc/a.json'),
    ...posts('_markdown/_excludeContent/index.json', '_limit/20/_all.json', 'a/_all.json'),
    ...posts('_asc/_asc/index.json', '_excludeContent/a.json', 'toString/index.json'),
    ...['public/v1/acme/tags/_asc/index.json', 'public/v1/acme/tags/_all.json'],
    ...['public/v1/acme/tags/_markdown/index.json', 'public/v1/acme/tags/_posts/0.json'],
    ...['public/v1/acme/tags/a/_posts/01.json', 'public/v1/acme/tags/_posts/a/1.json'],
  ])('finds none in %j', (path) => {
    expect(requestOfFile(path)).toBeNull()
  })

  it('finds in any path none or one that this path belongs to', () => {
    const segment = fc.constantFrom(
      ...['a', 'a.json', 'index.json', 'index_.json', '_posts', '_page', '_limit', '_markdown'],
      ...['_asc', '_excludeContent', '_all.json'],
      ...['1.json', '2.json', '20', '_', '', '..', 'a.json_', 'a.json_.json'],
    )
    const path = fc
      .tuple(fc.constantFrom(...resourceKinds), fc.array(segment, { minLength: 1, maxLength: 5 }))
      .map(([resource, segments]) => `public/v1/acme/${resource}/${segments.join('/')}`)
    fc.assert(
      fc.property(path, (path) => {
        const request = requestOfFile(path)
        if (request !== null) expect(filePath(request)).toBe(path)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('fileStem', () => {
  it.each([
    ['hello', 'hello'],
    ['a.b', 'a.b'],
    ['json', 'json'],
    ['a-json', 'a-json'],
    ['indexes', 'indexes'],
    ['1', '1'],
    ['index', 'index_'],
    ['Index', 'Index_'],
    ['a.json', 'a.json_'],
    ['a.JSON', 'a.JSON_'],
    ['a.jſon', 'a.jſon_'],
    ['a.json.json', 'a.json.json_'],
    ['index.json', 'index.json_'],
  ])('of %s is %s', (identifier, stem) => {
    expect(fileStem(identifier)).toBe(stem)
  })
})

describe('a request with nothing but defaults', () => {
  it('holds the parameters that its file gives back', () => {
    expect(requestOfFile('public/v1/acme/posts/index.json')?.parameters).toEqual(defaultParameters)
  })
})

function posts(...rest: readonly string[]): readonly string[] {
  return rest.map((segments) => `public/v1/acme/posts/${segments}`)
}

/** One request of those whose identifiers differ in case alone: a workspace has only one of them. */
function withoutCaseTwins(requests: readonly ApiRequest[]): readonly ApiRequest[] {
  const spellings = new Map<string, string>()
  return requests.filter(({ resource, identifier }) => {
    if (identifier === null) return true
    const key = `${resource}/${foldCase(identifier)}`
    if (!spellings.has(key)) spellings.set(key, identifier)
    return spellings.get(key) === identifier
  })
}

/** What a file system that does not tell case makes of a name. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}

function foldersOf(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

describe('a name that would leave its folder', () => {
  it.each(['..', '../x', 'a/b', 'a\\b', 'a\0b', '.hidden', ''])('has no file: %j', (name) => {
    const request = postRequest(name)
    expect(filePath(request)).toBeNull()
    expect(filePath({ ...request, workspace: name, identifier: 'x' })).toBeNull()
  })
})

describe('a name that is an identifier of nothing', () => {
  it.each(['_all', '_markdown', 'index_', 'a.json_'])(
    'has no file of something else: %j',
    (name) => {
      expect(filePath(postRequest(name))).toBeNull()
    },
  )
})

function postRequest(identifier: string): ApiRequest {
  const resource = 'posts'
  return { version: 'v2', workspace: 'acme', resource, identifier, parameters: defaultParameters }
}
