// The CloudFront Function of examples/aws under the rules of its runtime: which requests go to the bucket, and which to
// the Lambda function. The template sends them there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { servedFiles } from '../../src/hosts/deployments.ts'
import { targetOfRequest } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

const example = join(import.meta.dirname, '../../examples/aws')
const source = readFileSync(join(example, 'cloudfront-function.js'), 'utf8')

interface ViewerRequest {
  readonly method: string
  uri: string
  querystring: object
  readonly headers: Record<string, { readonly value: string }>
}

/** Runs the function in a context of its own: no modules, no timers, no network, no code from text. */
function route(target: string, method = 'GET', headers: ViewerRequest['headers'] = {}) {
  const script = source
    .replace("import cf from 'cloudfront'\n", '')
    .replace('listsInBucket = []', "listsInBucket = ['open']")
  let groups = 0
  const cf = { createRequestOriginGroup: () => groups++ }
  const context = createContext({ cf }, { codeGeneration: { strings: false, wasm: false } })
  const [uri = '', query] = target.split('?')
  const request: ViewerRequest = { method, uri, querystring: { any: {} }, headers: { ...headers } }
  const event = {
    viewer: { ip: '192.0.2.7' },
    request: Object.assign(request, { rawQueryString: () => query }),
  }
  expect(runInContext(`'use strict';${script};handler`, context)(event)).toBe(request)
  return { file: groups === 1 ? request.uri : null, request }
}

it('the file of each canonical request is asked of the bucket, with whatever parameters nobody knows', async () => {
  const site = temporarySite({ precompute: { lists: ['default', 'asc', 'excludeContent+all'] } })
    .write('content/open/workspace.yml', 'references: create\n')
    .post('later', { publishedAt: '2999-01-01' })
    .posts(2)
  for (const slug of ['index', 'a.json', '日本語', ...'abcdefghijk'])
    site.post(slug, { tags: '[a.json, index]', authors: '[Ada]' }, '', 'open')
  const { manifest } = await site.build()
  const files = servedFiles('v1', manifest).map(({ path }) => path)
  // Lists of authors stay as they are when a post comes out, which the function does not know.
  for (const path of files.filter((path) => !/acme\/authors\/index/.test(path))) {
    const request = requestOfFile(path) ?? expect.unreachable(path)
    const target = targetOfRequest(request)
    const and = target.includes('?') ? '&' : '?'
    for (const more of ['', `${and}utm_source=a%20b&PAGE=2`]) {
      const { file } = route(target + more)
      expect(decodeURIComponent(file ?? '').replace('/files/', 'public/'), target).toBe(path)
    }
  }
  expect(files.length).toBeGreaterThan(50)
})

it.each(
  `posts?page=0 posts?page=02 posts?limit=x posts?limit=all&page=2 posts?format=pdf posts?tags=a
  posts?query=b posts?fields.a=1 posts?strict=true posts?excludeContent=1 posts?page=1&page=2
  posts?p%61ge=2 posts/one?include=posts tags?order=asc posts/_all posts/_page/2 posts/%5fall
  posts/..%2fone posts/ posts//one Posts posts/%e9 posts.json nothing ../timed/posts
  ../acme/posts?limit=5 ../acme/tags`.split(/\s+/),
)('the Lambda function responds to %s', (path) => {
  const target = `/v1/open/${path}`.replace('open/../', '')
  const { file, request } = route(target)
  expect([file, request.uri]).toEqual([null, target.split('?')[0]])
})

it('a client cannot name another target or address, and no condition or range reaches the bucket', () => {
  const spoofed = {
    'x-quarry-target': { value: '/v2/posts' },
    'x-quarry-client': { value: '1.1.1.1' },
  }
  expect(route('/v2/posts', 'GET', spoofed).request.headers).toEqual({
    'x-quarry-client': { value: '192.0.2.7' },
  })
  const { file, request } = route('/v1/open/posts?page=2&x=1', 'GET', spoofed)
  expect(file).toBe('/files/v1/open/posts/_page/2.json')
  expect(request.headers['x-quarry-target']).toEqual({ value: '/v1/open/posts?page=2' })
  expect(request.querystring).toEqual({})
  for (const name of ['range', 'if-match'])
    expect(route('/v1/open/posts', 'GET', { [name]: { value: 'x' } }).file).toBeNull()
  expect(route('/v1/open/posts', 'POST').file).toBeNull()
  expect(route(`/media/open/${'a'.repeat(32)}.png`).file).toBe(
    `/files/media/open/${'a'.repeat(32)}.png`,
  )
})

it('it has the size and the language that are allowed', () => {
  expect(source.length).toBeLessThan(10 * 1024)
  // Of the runtime's language nothing that is newer than ES 5.1, but for the import.
  expect(source).not.toMatch(/=>|`|\b(?:let|const|class|async)\b/)
})
