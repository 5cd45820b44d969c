// Requests of the page, and the snippets that send them from elsewhere.
import { execFileSync } from 'node:child_process'
import { Marble } from 'usemarble-sdk-1.2'
import { expect, it } from 'vitest'
import { openApiDocument } from '../../../src/api/openapi.ts'
import { matchRoute, splitQuery } from '../../../src/api/routes.ts'
import { call } from '../../../test/support/command-call.ts'
import { serve } from '../../../test/support/command-line.ts'
import fc from '../../../test/support/fast-check.ts'
import { temporarySite } from '../../../test/support/temporary-site.ts'
import { type ClientOptions, createClient } from '../../client/src/index.ts'
import { type ApiOperation, type OpenApi, readOperations } from '../src/operations.ts'
import { requestPath, type Values } from '../src/request.ts'
import { snippetsOf } from '../src/snippets.ts'

const operations = readOperations(JSON.parse(JSON.stringify(openApiDocument())) as OpenApi)

function operationOf(id: string): ApiOperation {
  return operations.find((known) => known.id === id) ?? expect.unreachable(`no operation ${id}`)
}

/** The code of a request, by its label. */
function codeOf(id: string, values: Values, url = 'http://127.0.0.1:4321') {
  const all = snippetsOf(operationOf(id), values, url)
  return Object.fromEntries(all.map(({ label, code }) => [label, code]))
}

it('a request leaves out what is empty, and keeps the commas of lists', () => {
  const values = { workspaceId: 'acme', limit: '', tags: 'a,b', query: 'x & y' }
  const path = requestPath(operationOf('v1ListPosts'), values)
  expect(path).toBe('/v1/acme/posts?tags=a,b&query=x%20%26%20y')
})

it('a request reaches the service as it was typed in', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(text, text, (identifier, query) => {
      const [path = ''] = requestPath(operationOf('v2GetPost'), { identifier }).split('?')
      expect(matchRoute(path)).toMatchObject({ version: 'v2', identifier })
      const [, asked = ''] = requestPath(operationOf('v2ListPosts'), { query }).split(/\?(.*)/s)
      expect(splitQuery(asked)).toEqual([['query', query]])
    }),
  )
})

it.each([
  ['v1ListPosts', { workspaceId: 'acme', query: "'$(touch x)'" }],
  ['v1ListPosts', { workspaceId: 'a b', tags: 'a,b' }],
  ['v2ListPosts', {}],
] as [string, Values][])(
  'the snippet for a shell hands the URL of %s %o to curl as it is',
  (id, values) => {
    const script = `curl() { printf '%s\\n' "$@"; }; ${codeOf(id, values)['curl']}`
    const env = { QUARRY_KEY: 'qk_1' }
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).trimEnd()
    const [url = '', ...options] = words.split('\n').reverse()
    expect(options.reverse()).toEqual(
      id.startsWith('v2') ? ['-H', 'Authorization: Bearer qk_1'] : [],
    )
    const found = Object.fromEntries(new URL(url).searchParams)
    const { workspaceId = '', ...query } = values
    expect(found).toEqual(query)
    expect(decodeURIComponent(new URL(url).pathname)).toContain(workspaceId)
  },
)

it('the snippets for JavaScript get the same posts from a service', {
  timeout: 60_000,
}, async () => {
  const site = temporarySite().write('content/acme/tags/red.md', '---\nname: Red\n---\n')
  site.posts(3).post('apple', { tags: '[red]', title: `"It's \\"x\\" 12"` })
  const { stdout } = await call(site.folder, ['keys', 'create', '--workspace', 'acme'])
  const key = /qk_\w+/.exec(stdout)?.[0] ?? ''
  const { url } = await serve(site.folder, {}, ['dev'])
  const queries: readonly Values[] = [
    { tags: 'red', limit: '2', query: `it's "x" 12` },
    { limit: '3', page: '2', order: 'asc', featured: 'false', strict: 'true' },
  ]
  for (const id of ['v1ListPosts', 'v2ListPosts', 'v1GetPost', 'v2GetPost', 'v1GetTag']) {
    const isList = id.endsWith('ListPosts')
    const one = { identifier: id === 'v1GetTag' ? 'red' : 'apple' }
    for (const query of isList ? queries : [one]) {
      const { curl: _, ...codes } = codeOf(id, { workspaceId: 'acme', ...query }, url)
      const found = await Promise.all(
        Object.values(codes).map(async (code) => slugsOf(await run(code, key))),
      )
      expect(found).toHaveLength(3)
      expect(found[0]).not.toEqual([])
      expect(found[1]).toEqual(found[0])
      expect(found[2]).toEqual(found[0])
    }
  }
})

it('the snippet for the client filters by custom fields', async () => {
  const indexed = [{ name: 'rating', type: 'number' }] as const
  const own = { collections: [], singletons: [], hasTermFields: false, locales: 'none' } as const
  const content = { ...own, fields: { properties: {}, references: [], indexed } }
  const [list = expect.unreachable('no operation')] = readOperations(
    JSON.parse(JSON.stringify(openApiDocument({}, content))) as OpenApi,
  )
  const snippets = snippetsOf(list, { tags: 'a\\,b', 'fields.rating[gte]': '4' }, 'https://a.test')
  const { code = '' } = snippets.find(({ label }) => label === 'Client') ?? {}
  const asked: string[] = []
  const fetch = async (url: unknown) => {
    asked.push(decodeURIComponent(String(url)))
    return new Response('{"posts":[],"pagination":{"nextPage":null}}')
  }
  const create = (options: object) => createClient({ ...options, fetch } as ClientOptions)
  await run(code, 'qk_1', { createClient: create })
  expect(asked).toEqual(['https://a.test/v2/posts?fields.rating[gte]=4&tags=a\\,b'])
})

const modules = { Marble, createClient }

/** Runs a snippet with the real libraries; what it has read at its end. */
async function run(code: string, key: string, used: object = modules): Promise<unknown> {
  const body = code
    .replace(/^import .*\n/, '')
    .replace(/\nif \(result[\s\S]*/, '\nconst data = result.data\n')
  const name = /const \{ result \}/.test(body) ? 'result' : 'data'
  const made = new Function(
    ...Object.keys(used),
    'process',
    `return (async () => { ${body}\nreturn ${name} })()`,
  )
  return made(...Object.values(used), { env: { QUARRY_KEY: key } })
}

function slugsOf(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"slug":"([^"]+)"/g)]
    .map(([, slug = '']) => slug)
    .filter((slug) => slug !== 'news')
    .sort()
}
