import type { RequestListener } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ClientOptions,
  ContentError,
  createClient,
  plainText,
  unwrap,
} from '../../packages/client/src/index.ts'
import type { NodeServer } from '../../src/hosts/server.ts'
import { listenWith, respondAt } from '../support/process.ts'
import { sampleNow, writeSample } from '../support/sample-site.ts'
import { type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite({ changes: true })
const asked: string[] = []
let served: ServedFolder
let server: NodeServer

beforeAll(async () => {
  writeSample(site.folder)
  await site.post('gone', {}, 'Text.\n', 'journal').build()
  await site.remove('content/journal/posts/gone.md').build()
  served = await serveFolder(site.out)
  const onResponse = ({ target }: { readonly target: string }) => asked.push(target)
  server = await listenWith(served.handler({ now: () => sampleNow }), { onResponse })
})

const versions = [
  ['v1', () => ({ url: server.url, workspace: 'journal' })],
  ['v2', () => ({ url: `${server.url}/`, key: served.keyOf('journal') })],
] as const satisfies readonly (readonly [string, () => ClientOptions])[]

describe.each(versions)('a client of %s', (_, options) => {
  it('lists, searches, and gets one of every kind by slug and by id', async () => {
    const { posts, tags, categories, authors } = createClient(options())
    const query = { tags: ['alpha', 'beta'], limit: 2, excludeContent: true } as const
    const { items, pagination } = unwrap(await posts.list(query))
    expect([items.length, pagination.limit]).toEqual([2, 2])
    for (const post of items) {
      expect(post).not.toHaveProperty('content')
      expect(post.tags.some(({ slug }) => ['alpha', 'beta'].includes(slug))).toBe(true)
    }
    const found = unwrap(await posts.search('zwei leerzeichen', { limit: 5 }))
    expect(found.items.map(({ slug }) => slug)).toEqual(['post-53', 'post-31', 'post-9'])
    const post = unwrap(await posts.get('post-3', { format: 'markdown' }))
    expect(unwrap(await posts.get(post.id))).toMatchObject({ slug: 'post-3' })
    expect(unwrap(await tags.get('alpha', { include: ['posts'] })).posts?.data).toBeDefined()
    expect(unwrap(await categories.get('news')).count.posts).toBeGreaterThan(0)
    expect(unwrap(await authors.get('ada')).socials).toBeInstanceOf(Array)
  })

  it('lists changes since a build, and fails with a 410 for one that is not stored', async () => {
    const content = createClient(options())
    const { build, changes } = unwrap(await content.changes())
    expect(changes).toMatchObject([{ type: 'removed', slug: 'gone', at: expect.any(String) }])
    expect(unwrap(await content.changes(build))).toEqual({ build, changes: [] })
    const gone = await content.changes('0123456789abcdef')
    expect(gone).toMatchObject({ ok: false, error: { status: 410 } })
  })

  it('iterates over pages, each requested when it is needed', async () => {
    const { posts } = createClient(options())
    const whole = unwrap(await posts.list({ limit: 'all' }))
    const slugs: string[] = []
    asked.length = 0
    for await (const { slug } of posts.all({ limit: 4 })) {
      if (slugs.length === 0) expect(asked).toHaveLength(1)
      slugs.push(slug)
    }
    expect(slugs).toEqual(whole.items.map(({ slug }) => slug))
    expect(asked).toHaveLength(Math.ceil(slugs.length / 4))
    for await (const { pagination } of posts.pages({ page: 3 }))
      expect(pagination.currentPage).toBeGreaterThan(2)
    expect(unwrap(await posts.collect({ limit: 20 }))).toEqual(whole.items)
    expect(await posts.collect({ page: 99 })).toMatchObject({ error: { type: 'bad-request' } })
  })

  it('finds nothing by a name that is no name', async () => {
    const { posts } = createClient(options())
    for (const name of ['nobody', '', '..', '../posts', 'a/b', '%2e%2e', '?', '#', '\ud800'])
      expect(await posts.get(name), name).toMatchObject({ error: { type: 'not-found' } })
  })

  it('reports every bad parameter', async () => {
    const { posts } = createClient(options())
    expect(await posts.list({ limit: 1000, page: 0 })).toMatchObject({
      error: { type: 'bad-request', details: [{ field: 'limit' }, { field: 'page' }] },
    })
  })
})

it('reads own content types', async () => {
  const client = createClient({ url: server.url, workspace: 'shop' })
  const guides = client.collection('guides')
  const found = unwrap(await guides.list({ limit: 2, fields: { kind: 'howto' }, order: 'desc' }))
  expect(found.items.map(({ slug }) => slug)).toEqual(['tools', 'install/mac'])
  const linux = unwrap(await guides.get('install/linux', { include: ['parent'] }))
  expect(linux.parent).toMatchObject({ slug: 'install' })
  expect(unwrap(await guides.collect({ limit: 1, orderBy: 'title' }))).toHaveLength(5)
  for (const name of ['install/../tools', 'install//mac', 'install/', './install', '../../tags/a'])
    expect(await guides.get(name), name).toMatchObject({ error: { type: 'not-found' } })
  expect(await client.singleton('\ud800')).toMatchObject({ error: { type: 'not-found' } })
  const { fields } = unwrap(await client.singleton<{ since: number }>('about'))
  expect(fields.since).toBe(2020)
  expect(unwrap(await client.collections())).toHaveLength(2)
})

it('keeps the path of its URL, which has a scheme, and throws while it iterates over what it cannot get', async () => {
  asked.length = 0
  await createClient({ url: `${server.url}/content/`, workspace: 'journal' }).posts.list()
  expect(asked).toEqual(['/content/v1/journal/posts'])
  expect(() => createClient({ url: 'localhost:4321', key: '' })).toThrow('http://localhost:4321')
  const first = createClient({ url: server.url, workspace: 'nobody' }).posts.all().next()
  await expect(first).rejects.toThrow(ContentError)
  const unauthorized = await createClient({ url: server.url, key: 'qk_nonsense' }).tags.list()
  expect(unauthorized).toMatchObject({ ok: false, error: { type: 'unauthorized' } })
})

const list = JSON.stringify({ posts: [], pagination: { nextPage: null } })

/** A client of a server that replies so. */
async function clientOf(reply: RequestListener, options: Partial<ClientOptions> = {}) {
  return createClient({
    url: await respondAt(reply),
    workspace: 'acme',
    ...options,
  } as ClientOptions)
}

it('fails with a type for every status and body that is no answer', async () => {
  let [status, body] = [200, '']
  const { posts, tags } = await clientOf((_, response) => response.writeHead(status).end(body))
  for (const [nextStatus, nextBody, type] of [
    [200, '<!doctype html><title>Sign in</title>', 'unexpected'],
    [200, '{"posts":[{"id":"a"', 'unexpected'],
    [200, '{"posts":[]}', 'unexpected'],
    [200, '{"posts":[],"pagination":{"nextPage":"2"}}', 'unexpected'],
    [200, 'null', 'unexpected'],
    [502, '<h1>Bad Gateway</h1>', 'unexpected'],
    [404, '<h1>Not Found</h1>', 'not-found'],
    [400, '<h1>Bad Request</h1>', 'bad-request'],
    [401, '', 'unauthorized'],
    [403, '{"message":{}}', 'forbidden'],
  ] as const) {
    status = nextStatus
    body = nextBody
    const details = type === 'bad-request' ? { details: null } : {}
    const error = { type, message: expect.stringMatching(/\w/), ...details }
    for (const result of [await posts.list(), await posts.get('a'), await tags.collect()])
      expect(result, `${status} ${body}`).toMatchObject({ ok: false, error })
  }
})

it('fails where a connection ends early, a signal aborts, or no request can be sent', async () => {
  const ending = new AbortController()
  let act = () => {}
  const { posts } = await clientOf((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"posts":[')
    setImmediate(() => (act === ending.abort ? ending.abort() : response.destroy()))
  })
  const network = { ok: false, error: { type: 'network' } }
  expect(await posts.list()).toMatchObject(network)
  act = ending.abort
  const aborted = await posts.list({}, { signal: ending.signal })
  expect(aborted).toMatchObject({ ok: false, error: { type: 'aborted' } })
  const silent = await clientOf(() => {}, { init: { signal: AbortSignal.timeout(1) } })
  const late = await silent.posts.list()
  expect(late).toMatchObject({ error: { type: 'aborted', cause: { name: 'TimeoutError' } } })
  const broken = createClient({ url: 'http://127.0.0.1:1', key: 'a\nb' })
  expect(await broken.posts.list()).toMatchObject(network)
})

it('has no data of a site for a request that was aborted', async () => {
  const program = `export default () => async () => new Response('${list}')`
  const site = {
    ...{ url: 'https://site.example', workspace: 'acme', site: true },
    fetch: async (_: unknown, init?: RequestInit) => {
      init?.signal?.throwIfAborted()
      return new Response(program)
    },
  }
  const { posts } = createClient(site)
  expect(await posts.list()).toMatchObject({ ok: true })
  const aborted = await posts.list({}, { signal: AbortSignal.abort() })
  expect(aborted).toMatchObject({ ok: false, error: { type: 'aborted' } })
})

it.each([
  [{ 'retry-after': '0' }, '{}', {}, { ok: true }],
  [{ 'retry-after': '9' }, '{}', { retries: 0 }, { error: { retryAfterSeconds: 9 } }],
  [{ 'retry-after': 'Tue, 01 Jan 2999 00:00:00 GMT' }, '', {}, { error: { type: 'rate-limited' } }],
  [{ 'retry-after': 'soon' }, '<h1>', { retries: 0 }, { error: { retryAfterSeconds: 1 } }],
  [
    { 'retry-after': '61' },
    '{}',
    { retryAfterMaxSeconds: 60 },
    { error: { type: 'rate-limited' } },
  ],
  [{ 'retry-after': '61' }, '{}', { retryAfterMaxSeconds: 61 }, { error: { type: 'aborted' } }],
])('waits after a 429 with %j and %s if %j allows it', async (headers, body, options, outcome) => {
  let left = 1
  const { posts } = await clientOf((_, response) => {
    if (left-- > 0) response.writeHead(429, headers).end(body)
    else response.end(list)
  }, options)
  // Only a client that waits longer than this is aborted.
  const signal = AbortSignal.timeout(1000)
  expect(await posts.list({}, { signal })).toMatchObject(outcome)
})

it('passes the options of the client and of the call to fetch', async () => {
  const seen: [string, RequestInit | undefined][] = []
  const { posts } = createClient({
    url: 'https://content.example.com/',
    key: 'qk_key',
    init: { redirect: 'error', headers: { 'x-a': '1', 'x-b': '1' } },
    fetch: async (input, init) => {
      seen.push([String(input), init])
      return new Response(list)
    },
  })
  // As Next.js declares it, by a declaration that merges with `RequestInit`.
  const next = { next: { revalidate: 60, tags: ['posts'] } }
  await posts.list({ tags: ['b', 'a'] }, { ...next, headers: { 'X-B': '2' } })
  const [[url, init] = ['', undefined]] = seen
  expect(url).toBe('https://content.example.com/v2/posts?tags=a%2Cb')
  expect(init).toMatchObject({ redirect: 'error', ...next })
  expect(Object.fromEntries(new Headers(init?.headers))).toEqual({
    ...{ authorization: 'Bearer qk_key', 'x-a': '1', 'x-b': '2' },
  })
})

it('reads precomputed files if it prefers them, and the API where there is none', async () => {
  const paths: string[] = []
  const { posts } = await clientOf(
    ({ url = '' }, response) => {
      paths.push(url)
      if (url.includes('_page/3')) response.writeHead(404).end('<h1>Not Found</h1>')
      else response.end(list)
    },
    { files: true },
  )
  await posts.list({ page: 2, format: 'markdown' })
  await posts.list({ page: 3 })
  await posts.list({ tags: ['a'] })
  expect(paths).toEqual([
    ...['/v1/acme/posts/_markdown/_page/2.json', '/v1/acme/posts/_page/3.json'],
    ...['/v1/acme/posts?page=3', '/v1/acme/posts?tags=a'],
  ])
})

it.each([
  ['Cooks **a _lot_** of [snake_case](https://e.org "x").', 'Cooks a lot of snake_case.'],
  ['# Hi\n\n- 2 \\* 3 * `4`\n> <b>bold</b> ![a *b*](c.png)', 'Hi 2 * 3 * 4 bold a b'],
  ['<https://e.org/a> ~~gone~~', 'https://e.org/a gone'],
  [null, ''],
])('reads %j as text', (markdown, text) => {
  expect(plainText(markdown)).toBe(text)
})
