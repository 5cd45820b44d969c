import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClientOptions,
  ContentError,
  createClient,
  unwrap,
} from '../../packages/client/src/index.ts'
import { listen, type NodeServer } from '../../src/hosts/server.ts'
import { memoryLimits } from '../../src/runtime/rate-limit.ts'
import { fixtureNow, writeFixture } from '../conformance/fixture.ts'
import { type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite({ changes: true })
const asked: string[] = []
let served: ServedFolder
let server: NodeServer

beforeAll(async () => {
  writeFixture(site.content)
  await site.post('gone').build()
  await site.remove('content/acme/posts/gone.md').build()
  served = await serveFolder(site.out)
  server = await open()
})

afterAll(async () => {
  await server.close(0)
  served.close()
  rmSync(site.folder, { recursive: true })
})

function open(rateLimit = 'off'): Promise<NodeServer> {
  const limits = memoryLimits(rateLimit)
  return listen(served.handler({ now: () => fixtureNow, ...(limits === null ? {} : { limits }) }), {
    host: '127.0.0.1',
    port: 0,
    onResponse: ({ target }) => asked.push(target),
  })
}

const versions = [
  ['v1', () => ({ url: server.url, workspace: 'acme' })],
  ['v2', () => ({ url: `${server.url}/`, key: served.keyOf('acme') })],
] as const satisfies readonly (readonly [string, () => ClientOptions])[]

describe.each(versions)('a client of %s', (_, options) => {
  it('lists, with every filter', async () => {
    const { posts } = createClient(options())
    const { items, pagination } = unwrap(
      await posts.list({ tags: ['alpha', 'beta'], limit: 2, excludeContent: true }),
    )
    expect(items).toHaveLength(2)
    expect(pagination).toMatchObject({ limit: 2, currentPage: 1 })
    expect(items[0]).not.toHaveProperty('content')
    for (const { tags } of items) {
      expect(['alpha', 'beta'].some((slug) => tags.some((tag) => tag.slug === slug))).toBe(true)
    }
  })

  it('gets one of every kind, by slug and by id', async () => {
    const content = createClient(options())
    const post = unwrap(await content.posts.get('a', { format: 'markdown' }))
    expect(unwrap(await content.posts.get(post.id))).toMatchObject({ slug: 'a' })
    expect(
      unwrap(await content.tags.get('alpha', { include: ['posts'] })).posts?.data,
    ).toBeDefined()
    expect(unwrap(await content.categories.get('news')).count.posts).toBeGreaterThan(0)
    expect(unwrap(await content.authors.get('ada')).socials).toBeInstanceOf(Array)
  })

  it('gets the changes since a build, and a 410 for one that is not kept', async () => {
    const content = createClient(options())
    const { build, changes } = unwrap(await content.changes())
    expect(changes).toMatchObject([{ type: 'removed', slug: 'gone', at: expect.any(String) }])
    expect(unwrap(await content.changes(build))).toEqual({ build, changes: [] })
    const gone = await content.changes('0123456789abcdef')
    expect(gone).toMatchObject({ ok: false, error: { status: 410 } })
  })

  it('goes through all pages, each asked for when it is needed', async () => {
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
  })

  it.each(['nobody', '', '.', '..', '../posts', 'a/b', '%2e%2e', '?', '#'])(
    'finds nothing that is named %j',
    async (identifier) => {
      const result = await createClient(options()).posts.get(identifier)
      expect(result).toMatchObject({ ok: false, error: { type: 'not-found' } })
    },
  )

  it('searches, and gives pages and all items at once', async () => {
    const { posts, tags } = createClient(options())
    const found = unwrap(await posts.search('zwei leerzeichen', { limit: 5 }))
    expect(found.items.map(({ slug }) => slug)).toEqual(['über-straße'])
    const sizes: number[] = []
    for await (const { items } of posts.pages({ limit: 30, page: 1 })) sizes.push(items.length)
    expect(sizes).toEqual([30, 7])
    const later: number[] = []
    for await (const { pagination } of posts.pages({ page: 3 })) later.push(pagination.currentPage)
    expect(later).toEqual([3, 4])
    expect(unwrap(await posts.collect({ limit: 20 }))).toHaveLength(37)
    expect(
      unwrap(await tags.collect({ limit: 4, include: ['posts'] }))[0]?.posts.data,
    ).toBeDefined()
    expect(await posts.collect({ page: 99 })).toMatchObject({ error: { type: 'bad-request' } })
  })

  it('tells every bad parameter', async () => {
    const result = await createClient(options()).posts.list({ limit: 1000, page: 0 })
    expect(result).toMatchObject({
      ok: false,
      error: { type: 'bad-request', details: [{ field: 'limit' }, { field: 'page' }] },
    })
  })

  it('ends with the signal of its caller', async () => {
    const signal = AbortSignal.abort()
    const result = await createClient(options()).posts.list({}, { signal })
    expect(result).toMatchObject({ ok: false, error: { type: 'aborted' } })
  })
})

describe('a client', () => {
  it('without a valid key is told so', async () => {
    const result = await createClient({ url: server.url, key: 'qk_nonsense' }).tags.list()
    expect(result).toMatchObject({ ok: false, error: { type: 'unauthorized' } })
  })

  it('keeps the path of its address', async () => {
    asked.length = 0
    await createClient({ url: `${server.url}/content/`, workspace: 'acme' }).posts.list()
    expect(asked).toEqual(['/content/v1/acme/posts'])
  })

  it('throws on its way through pages what a page cannot be had for', async () => {
    const { posts } = createClient({ url: server.url, workspace: 'nobody' })
    const first = posts.all().next()
    await expect(first).rejects.toThrow(ContentError)
    await expect(first).rejects.toMatchObject({ failure: { type: 'not-found' } })
  })

  it('waits as long as it is told, then asks again', async () => {
    const strict = await open('1/1')
    const { posts } = createClient({ url: strict.url, workspace: 'acme' })
    expect((await posts.list()).ok).toBe(true)
    expect((await posts.list()).ok).toBe(true)
    const impatient = createClient({ url: strict.url, workspace: 'acme', retries: 0 })
    const results = [await impatient.posts.list(), await impatient.posts.list()]
    expect(results.at(-1)).toMatchObject({
      ok: false,
      error: { type: 'rate-limited', retryAfterSeconds: 1 },
    })
    await strict.close(0)
  })

  it('does not wait longer than it may, nor when it is told to end', async () => {
    const strict = await open('1/100')
    const { posts } = createClient({ url: strict.url, workspace: 'acme', retryAfterMaxSeconds: 60 })
    await posts.list()
    expect(await posts.list()).toMatchObject({ ok: false, error: { type: 'rate-limited' } })
    const patient = createClient({ url: strict.url, workspace: 'acme', retryAfterMaxSeconds: 900 })
    const ending = new AbortController()
    const waiting = patient.posts.list({}, { signal: ending.signal })
    setTimeout(() => ending.abort(), 50)
    expect(await waiting).toMatchObject({ ok: false, error: { type: 'aborted' } })
    await strict.close(0)
  })

  it('tells when nobody answers', async () => {
    const closed = await open()
    await closed.close(0)
    const result = await createClient({ url: closed.url, workspace: 'acme' }).posts.list()
    expect(result).toMatchObject({ ok: false, error: { type: 'network' } })
  })

  it('is smaller than 3 kB, minified and compressed, and needs no package', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(import.meta.dirname, '../../packages/client/src/index.ts')],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'neutral',
    })
    const size = gzipSync(outputFiles[0]?.contents ?? '').length
    process.stdout.write(`client: ${size} bytes compressed\n`)
    expect(Object.keys(metafile.inputs).every((path) => /^packages\/client/.test(path))).toBe(true)
    expect(size).toBeGreaterThan(500)
    expect(size).toBeLessThan(3000)
  })
})
