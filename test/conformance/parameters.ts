// Parameters: what each accepts, and that the interface's description says the same as its parser does.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { feedKinds } from '../../src/api/documents.ts'
import { hasAllCases } from '../support/cases.ts'
import type { ApiResponse, Asking, OpenApiOperation } from './host.ts'

type Documented = OpenApiOperation['parameters'][number]

/** Defines the cases. */
export function defineParameters(asking: () => Asking): void {
  describe('a bad value', () => {
    it.each([
      [
        '/posts',
        'limit',
        [
          '0',
          '101',
          '-1',
          '+1',
          '1.0',
          '1e1',
          '0x1',
          '1e308',
          'ALL',
          ' 1',
          '٣',
          '１',
          'NaN',
          '1,2',
          '1 ',
          '9'.repeat(400),
        ],
      ],
      [
        '/posts',
        'page',
        ['0', '-1', '1.5', 'all', '1e308', '٣', '99999999999999999999', 'Infinity', '1;'],
      ],
      ['/posts', 'order', ['ASC', 'up', 'asc,desc', 'asc ']],
      ['/posts', 'format', ['HTML', 'md', 'html,markdown', 'json']],
      ['/posts', 'excludeContent', ['True', '1', 'yes', 'true,false']],
      ['/posts', 'featured', ['True', '0', 'no', 'null']],
      ['/posts', 'query', ['x'.repeat(257), 'é'.repeat(257)]],
      ['/posts', 'categories', [items(101)]],
      ['/posts', 'excludeCategories', [items(101)]],
      ['/posts', 'tags', [items(101)]],
      ['/posts', 'excludeTags', [items(101)]],
      ['/posts/post-1', 'format', ['HTML', 'xml']],
      ['/categories', 'limit', ['all', '0', '101']],
      ['/tags', 'limit', ['all', 'x']],
      ['/authors', 'limit', ['all', '-5']],
      ['/categories', 'page', ['0', 'x']],
      ['/categories', 'include', ['tags', 'Posts', 'posts,tags', 'post']],
      ['/tags', 'include', ['authors']],
      ['/authors', 'include', ['x']],
      ['/tags/alpha', 'include', ['posts,x']],
      ['/tags/alpha?include=posts', 'limit', ['all', '0', '1000']],
      ['/authors/ada?include=posts', 'page', ['0', 'one']],
    ])('of %s?%s is 400 and named', async (path, name, values) => {
      const { v1, v2 } = asking()
      const mark = path.includes('?') ? '&' : '?'
      for (const value of values) {
        const target = `${path}${mark}${name}=${encodeURIComponent(value)}`
        const response = await v1(target)
        expect(fieldsOf(response), target).toEqual([name])
        expect((await v2(target)).body.details).toEqual(response.body.details)
      }
    })

    it('is told together with every other one', async () => {
      const response = await asking().v1(
        `/posts?page=x&order=up&limit=0&format=pdf&excludeContent=1&featured=2&query=${'q'.repeat(300)}&tags=${items(101)}`,
      )
      expect(fieldsOf(response)).toEqual([
        'excludeContent',
        'featured',
        'format',
        'limit',
        'order',
        'page',
        'query',
        'tags',
      ])
    })

    it('is one that is not percent-encoded UTF-8', async () => {
      expect(fieldsOf(await asking().v1('/posts?query=%E9'))).toEqual(['query'])
      expect(fieldsOf(await asking().v1('/posts?limit=%'))).toEqual(['limit'])
    })
  })

  describe('a parameter given twice', () => {
    it.each([
      'limit=3&limit=4',
      'order=asc&order=desc',
      'query=a&query=b',
      'format=html&format=markdown',
    ])('is 400 where it holds one value: %s', async (query) => {
      expect(fieldsOf(await asking().v1(`/posts?${query}`))).toEqual([query.replace(/=.*/, '')])
    })

    it('is one where both values are equal or one is empty', async () => {
      const { v1 } = asking()
      const once = await v1('/posts?limit=3')
      expect((await v1('/posts?limit=3&limit=3')).text).toBe(once.text)
      expect((await v1('/posts?limit=&limit=3&limit=')).text).toBe(once.text)
    })

    it('adds up where it holds a list, up to 100 values', async () => {
      const { v1 } = asking()
      const listed = await v1('/posts?tags=alpha,beta')
      expect((await v1('/posts?tags=alpha&tags=beta')).text).toBe(listed.text)
      expect((await v1(`/posts?tags=${items(100)}`)).status).toBe(200)
      expect(fieldsOf(await v1(`/posts?tags=${items(60)}&tags=${items(60)}`))).toEqual(['tags'])
    })
  })

  it.each([
    '/posts?limit=100',
    '/posts?limit=007',
    '/posts?page=1&limit=all',
    `/posts?query=${'x'.repeat(256)}`,
    `/posts?query=${encodeURIComponent('👩'.repeat(256))}`,
    `/posts?query=${encodeURIComponent(` ${'y'.repeat(256)} `)}`,
    '/categories?limit=100&include=posts',
    '/categories?include=posts,posts',
    '/tags?include=,posts,',
    '/tags/alpha?include=posts&limit=100',
  ])('accepts %s', async (path) => {
    expect((await asking().v1(path)).status).toBe(200)
  })

  describe('the description', () => {
    it('names every operation', () => {
      const kinds = ['posts', 'authors', 'categories', 'tags']
      const paths = ['/v1/{workspaceId}', '/v2'].flatMap((base) =>
        kinds.flatMap((kind) => [`${base}/${kind}`, `${base}/${kind}/{identifier}`]),
      )
      const feeds = feedKinds.map((kind) => `/v1/{workspaceId}/${kind}`)
      const documents = [
        '/v1/{workspaceId}/redirects',
        '/v2/redirects',
        ...feeds,
        '/v1/{workspaceId}/changes',
        '/v2/changes',
      ]
      const expected = [...paths, ...documents].toSorted()
      expect(Object.keys(asking().document.paths).toSorted()).toEqual(expected)
    })

    it('names the parameters that are parsed: a bad value of each is 400 that names it', async () => {
      for (const { path, ask, taken } of operationsOf(asking())) {
        for (const parameter of taken) {
          const response = await ask(`${path}${parameter.name}=${badValue(parameter)}`)
          expect(fieldsOf(response), `${path}${parameter.name}`).toEqual([parameter.name])
        }
      }
    })

    it('names no others: what an operation does not document it ignores', async () => {
      const operations = operationsOf(asking())
      const every = new Map(operations.flatMap(({ taken }) => taken.map((one) => [one.name, one])))
      for (const { path, ask, taken } of operations) {
        const others = [...every.values()].filter(({ name }) =>
          taken.every((one) => one.name !== name),
        )
        const query = others.map((one) => `${one.name}=${badValue(one)}`).join('&')
        expect((await ask(`${path}${query}`)).status, path).toBe(200)
      }
    })

    it('accepts what the parser accepts, and nothing else', async () => {
      const ajv = new Ajv2020({ strict: false })
      const values = [
        '1',
        '10',
        '100',
        '101',
        '0',
        '007',
        '-1',
        '1.0',
        'x',
        'asc',
        'desc',
        'html',
        'markdown',
        'true',
        'false',
        'posts',
        'all',
      ]
      for (const { path, ask, name, schema } of parametersOf(operationsOf(asking()))) {
        const isValid = ajv.compile(schema)
        for (const value of values) {
          const response = await ask(`${path}${name}=${value}`)
          // A page beyond the last one is well-formed.
          const isAccepted = response.status === 200 || !Array.isArray(response.body.details)
          expect(isAccepted, `${path}${name}=${value}`).toBe(isValid(decoded(value, schema)))
        }
      }
    })

    it('states the defaults: saying them changes nothing', async () => {
      for (const { path, ask, taken } of operationsOf(asking())) {
        const plain = await ask(path)
        const stated = taken.flatMap(({ name, schema }) =>
          schema.default === undefined ? [] : [`${name}=${schema.default}`],
        )
        expect((await ask(`${path}${stated.join('&')}`)).text).toBe(plain.text)
      }
    })
  })
}

/** Every documented operation with a path that exists, and the query parameters that it documents. */
function operationsOf({ document, ask, site }: Asking) {
  const existing = { posts: 'post-1', categories: 'news', tags: 'alpha', authors: 'ada' }
  return Object.entries(document.paths).map(([template, { get }]) => {
    const kind = Object.keys(existing).find((name) =>
      template.includes(`/${name}`),
    ) as keyof typeof existing
    const isTerm = template.endsWith('{identifier}') && kind !== 'posts'
    const path = template.replace('{workspaceId}', 'acme').replace('{identifier}', existing[kind])
    return {
      // Only then the pages of a single resource count.
      path: `${path}?${isTerm ? 'include=posts&' : ''}`,
      taken: get.parameters.filter((one) => one.in === 'query'),
      ask: (target: string) =>
        ask(target, { headers: { authorization: `Bearer ${site.keys.full}` } }),
    }
  })
}

/** Every parameter of every operation; without all cases, one operation stands for those that describe it alike. */
function parametersOf(operations: ReturnType<typeof operationsOf>) {
  const all = operations.flatMap(({ path, ask, taken }) =>
    taken.map(({ name, schema }) => ({ path, ask, name, schema })),
  )
  const byText = new Map(all.map((one) => [JSON.stringify([one.name, one.schema]), one]))
  return hasAllCases ? all : [...byText.values()]
}

/** A value that the documented schema refuses; where it refuses none, one item too many. */
function badValue({ schema }: Documented): string {
  if (schema.maxLength !== undefined) return 'x'.repeat(schema.maxLength + 1)
  return schema.maxItems === undefined ? 'nonsense' : items(schema.maxItems + 1)
}

/** A value of a query as its schema means it. */
function decoded(value: string, { type, anyOf = [] }: Documented['schema']): unknown {
  if (type === 'array') return value.split(',')
  if (type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true'
  const isNumber = [type, ...anyOf.map((one) => one.type)].includes('integer')
  return isNumber && /^\d+$/.test(value) ? Number(value) : value
}

function fieldsOf(response: ApiResponse): readonly string[] {
  expect(response.status).toBe(400)
  expect(response.body.error).toBe('Bad Request')
  return response.body.details.map(({ field }: { field: string }) => field).toSorted()
}

function items(count: number): string {
  return Array.from({ length: count }, (_, index) => `s${index}`).join(',')
}
