// Every way in which a request can fail, from servers that fail so: each is a `Failure`, and nothing is thrown.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ClientOptions, createClient } from '../../packages/client/src/index.ts'

const list = JSON.stringify({ posts: [], pagination: { nextPage: null } })

async function clientOf(reply: RequestListener, options: Partial<ClientOptions> = {}) {
  const server = createServer(reply)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return createClient({
    url: `http://127.0.0.1:${port}`,
    workspace: 'acme',
    ...options,
  } as ClientOptions)
}

describe('a response that is not of the API', () => {
  it.each([
    ['HTML of a proxy', 200, '<!doctype html><title>Sign in</title>', 'unexpected'],
    ['HTML with an error', 502, '<h1>Bad Gateway</h1>', 'unexpected'],
    ['JSON that is cut short', 200, '{"posts":[{"id":"a"', 'unexpected'],
    ['nothing', 200, '', 'unexpected'],
    ['JSON of somebody else', 200, '{"hello":"world"}', 'unexpected'],
    ['a list without pages', 200, '{"posts":[]}', 'unexpected'],
    ['null', 200, 'null', 'unexpected'],
    ['a text', 200, '"posts"', 'unexpected'],
    ['an error without a message', 500, '{}', 'unexpected'],
    ['an error that is null', 500, 'null', 'unexpected'],
    ['a page for 404', 404, '<h1>Not Found</h1>', 'not-found'],
    ['a page for 400', 400, '<h1>Bad Request</h1>', 'bad-request'],
    ['a page for 401', 401, '', 'unauthorized'],
    ['a message that is none', 403, '{"message":{}}', 'forbidden'],
  ])('is a failure: %s', async (_, status, body, type) => {
    const { posts, tags } = await clientOf((_request, response) => {
      response.writeHead(status).end(body)
    })
    for (const result of [await posts.list(), await posts.get('a'), await tags.collect()]) {
      if (result.ok) return expect.unreachable('a result')
      expect(result.error.type).toBe(type)
      expect(result.error.message).toMatch(/\w/)
      if (result.error.type === 'unexpected') expect(result.error.status).toBe(status)
      if (result.error.type === 'bad-request') expect(result.error.details).toBeNull()
    }
    await expect(posts.all().next()).rejects.toMatchObject({
      name: 'ContentError',
      failure: { type },
    })
  })
})

describe('a connection that ends early', () => {
  it('is a failure of the network', async () => {
    const { posts } = await clientOf((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"posts":[')
      setImmediate(() => response.destroy())
    })
    expect(await posts.list()).toMatchObject({ ok: false, error: { type: 'network' } })
  })

  it('is aborted where the caller aborts while the body arrives', async () => {
    const ending = new AbortController()
    const { posts } = await clientOf((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"posts":[')
      setImmediate(() => ending.abort())
    })
    const result = await posts.list({}, { signal: ending.signal })
    expect(result).toMatchObject({ ok: false, error: { type: 'aborted' } })
  })

  it('is aborted by a time limit', async () => {
    const { posts } = await clientOf(() => {})
    const result = await posts.list({}, { signal: AbortSignal.timeout(1) })
    expect(result).toMatchObject({ error: { type: 'aborted', cause: { name: 'TimeoutError' } } })
  })

  it('is a failure where a key or a name can be in no request', async () => {
    const { posts } = createClient({ url: 'http://127.0.0.1:1', key: 'a\nb' })
    expect(await posts.list()).toMatchObject({ ok: false, error: { type: 'network' } })
    for (const name of ['\ud800', '..', '', undefined as unknown as string]) {
      expect(await posts.get(name)).toMatchObject({ ok: false, error: { type: 'not-found' } })
    }
  })

  it.each(['null', '{}', '{"nextPage":"2"}'])(
    'is of no page with the pagination %s',
    async (page) => {
      const { posts } = await clientOf((_request, response) => {
        response.end(`{"posts":[],"pagination":${page}}`)
      })
      expect(await posts.collect()).toMatchObject({ ok: false, error: { type: 'unexpected' } })
    },
  )

  it('is a failure where the URL is none', async () => {
    const { posts } = createClient({ url: 'not a url', workspace: 'acme' })
    expect(await posts.list()).toMatchObject({ ok: false, error: { type: 'network' } })
  })
})

describe('a limit on requests', () => {
  /** Refuses the first requests, and gives times of requests. */
  const refusing = (times: number, headers: Record<string, string>, body = '{}') => {
    let left = times
    const listener: RequestListener = (_request, response) => {
      if (left-- > 0) response.writeHead(429, headers).end(body)
      else response.end(list)
    }
    return listener
  }

  it.each([
    ['seconds', { 'retry-after': '0' }],
    ['a date', { 'retry-after': new Date(0).toUTCString() }],
  ])('is waited for: %s', async (_, headers) => {
    const { posts } = await clientOf(refusing(2, headers))
    expect((await posts.list()).ok).toBe(true)
  })

  it.each([
    ['no header', {}, '{}', 1],
    ['a header that means nothing', { 'retry-after': 'soon' }, '<h1>Slow down</h1>', 1],
    ['seconds in the body', {}, '{"message":"Wait.","retryAfter":7}', 7],
    ['both', { 'retry-after': '9' }, '{"retryAfter":7}', 9],
  ])('tells the seconds to wait: %s', async (_, headers, body, seconds) => {
    const { posts } = await clientOf(refusing(9, headers, body), { retries: 0 })
    expect(await posts.list()).toMatchObject({
      ok: false,
      error: { type: 'rate-limited', retryAfterSeconds: seconds },
    })
  })

  it('without a header is tried again', async () => {
    const { posts } = await clientOf(refusing(1, {}))
    expect((await posts.list()).ok).toBe(true)
  })
})

it('passes what fetch takes, of the client and of the call', async () => {
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

it('reads precomputed files where it prefers them, and the API where there is none', async () => {
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
    '/v1/acme/posts/_markdown/_page/2.json',
    '/v1/acme/posts/_page/3.json',
    '/v1/acme/posts?page=3',
    '/v1/acme/posts?tags=a',
  ])
})
