// Functions that read a build from a real store: requests that they send, a network that fails, builds that change.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { corpusPosts } from '../../bench/corpus.ts'
import { createFileStorage } from '../../src/platforms/node/file-storage.ts'
import { readBuiltSite } from '../../src/publish/built-site.ts'
import { collectGarbage } from '../../src/publish/collect.ts'
import { createBucketHandler } from '../../src/publish/functions/handler.ts'
import { lookMilliseconds } from '../../src/publish/functions/published-site.ts'
import { s3Bucket } from '../../src/publish/functions/s3-bucket.ts'
import { publishBuild } from '../../src/publish/publish.ts'
import { S3Client, type S3Options } from '../../src/publish/s3-client.ts'
import { readCredentials, readLocation } from '../../src/publish/s3-location.ts'
import { BuildStore } from '../../src/publish/store.ts'
import { openBundle } from '../../src/runtime/bundle.ts'
import { createHandler } from '../../src/runtime/handler.ts'
import { provideCeph, type S3Server, s3At, startCeph } from '../support/ceph.ts'
import { type Fault, faults, slowMilliseconds, startProxy } from '../support/faulty-proxy.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const reason = provideCeph()
let ceph: S3Server

describe.skipIf(reason !== null)('a function over a bucket', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    ceph = await startCeph()
    await ceph.createBucket('site')
  }, 180_000)
  afterAll(async () => {
    removeLarge()
    await ceph?.stop()
  })

  it('sends few requests', async () => {
    const url = freshUrl()
    const site = await largeSite(url)
    const { send, requests } = await functionAt(url)
    await send('/v1/acme/posts')
    const count = async (target: string) => {
      const before = requests()
      expect((await send(target)).status).toBe(200)
      return requests() - before
    }
    const [lists, posts, words]: number[][] = [[], [], []]
    for (let page = 2; page < 60; page += 3) lists?.push(await count(`/v1/acme/posts?page=${page}`))
    for (let post = 0; post < 600; post += 31)
      posts?.push(await count(`/v1/acme/posts/post-${post}`))
    // Opens the search.
    await send('/v1/acme/posts?query=stone')
    for (const word of ['ston', 'ing', 'the', 'over', 'qu']) {
      words?.push(await count(`/v1/acme/posts?query=${word}&excludeContent=true`))
    }
    expect(Math.max(...(lists ?? []))).toBeLessThanOrEqual(2)
    expect(Math.max(...(posts ?? []))).toBeLessThanOrEqual(1)
    expect(Math.max(...(words ?? []))).toBeLessThanOrEqual(20)
    // Requests were counted at all.
    expect([...(lists ?? []), ...(posts ?? [])].some((requested) => requested > 0)).toBe(true)
    const all = await same(site, send, '/v1/acme/posts?limit=all')
    expect(all.length).toBeGreaterThan(1024 * 1024)
  })

  it('gives the bytes of a disk over a network that fails', async () => {
    const url = freshUrl()
    const site = await largeSite(url)
    let seen = 0
    const { send, counts, errors } = await functionAt(url, () =>
      seen++ % 3 === 0 ? (faults[((seen / 3) | 0) % faults.length] ?? null) : null,
    )
    for (const target of targets) await same(site, send, target)
    for (let post = 0; post < 600; post += 13) await same(site, send, `/v1/acme/posts/post-${post}`)
    expect([...counts.keys()].sort()).toEqual([...faults].sort())
    // Bytes with a right length were wrong, and a checksum said so.
    expect(errors.some((error) => error.includes('changed after it was built'))).toBe(true)
  })

  it.each(['reset', '500', '503', 'broken', 'short', 'wrong', 'shifted'] as const)(
    'gives a 500 where every object is %s, says why, and recovers',
    async (fault) => {
      const url = freshUrl()
      const site = await largeSite(url)
      let isFaulty = false
      const { send, errors } = await functionAt(url, (path) =>
        isFaulty && path.includes('/objects/') ? fault : null,
      )
      await send('/v1/acme/posts')
      isFaulty = true
      const before = errors.length
      // One bit of a page may be none that this list needs.
      if ((await send('/v1/acme/posts?page=40')).status === 200) {
        expect(fault).toBe('wrong')
        await same(site, send, '/v1/acme/posts?page=40')
      }
      expect((await send('/v1/acme/posts?query=stone')).status).toBe(500)
      expect(errors.length).toBeGreaterThan(before)
      isFaulty = false
      for (const target of targets) await same(site, send, target)
    },
  )

  it('goes over to a new build, looks for one every ten seconds, and never goes back', async () => {
    const url = freshUrl()
    const site = await smallSite(url, 'One.')
    const { send, requests } = await functionAt(url)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await textOf(send)).toContain('One.')
    await publishText(url, site, 'Two.')
    expect(await textOf(send)).toContain('One.')
    vi.setSystemTime(Date.now() + lookMilliseconds)
    expect(await textOf(send)).toContain('Two.')
    await storeAt(url).putHint(1)
    const before = requests()
    vi.setSystemTime(Date.now() + lookMilliseconds)
    for (let request = 0; request < 20; request++) expect(await textOf(send)).toContain('Two.')
    expect(requests()).toBe(before + 1)
  })

  it('looks after the response where the host goes on', async () => {
    const url = freshUrl()
    const site = await smallSite(url, 'One.')
    const { handler } = await functionAt(url)
    const work: Promise<unknown>[] = []
    const send = () =>
      handler(new Request(postUrl), '', (promise) => {
        work.push(promise)
      })
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await send()
    await publishText(url, site, 'Two.')
    vi.setSystemTime(Date.now() + lookMilliseconds)
    expect(await (await send()).text()).toContain('One.')
    await Promise.all(work)
    expect(await (await send()).text()).toContain('Two.')
  })

  it('goes over to the latest build where its own was removed', async () => {
    const url = freshUrl()
    const site = await smallSite(url, 'One.')
    const { send, errors } = await functionAt(url)
    expect((await send('/v1/acme/tags')).status).toBe(200)
    for (const text of ['Two.', 'Three.']) await publishText(url, site, text)
    expect((await collectGarbage(storeAt(url), 0)).removed).toBeGreaterThan(0)
    expect(await textOf(send)).toContain('Three.')
    expect(errors.join()).toContain('The bucket has no objects/')
  })

  it('is a 500 before there is a build, and a 401 without a key', async () => {
    const url = freshUrl()
    const { send, errors } = await functionAt(url)
    expect((await send('/v1/acme/posts')).status).toBe(500)
    expect((await send('/v2/posts')).status).toBe(401)
    expect(errors.join()).toContain('There is no build in the bucket. Run quarry publish first.')
    await smallSite(url, 'One.')
    expect(await textOf(send)).toContain('One.')
  })
})

describe('a function without its settings', () => {
  it.each([
    [{}, 'Set QUARRY_STORAGE_URL to the URL that quarry publish was given'],
    [{ QUARRY_STORAGE_URL: 's3://site' }, 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  ])('is a 500, and a 401 under v2: %j', async (environment, message) => {
    const errors: string[] = []
    const handler = createBucketHandler({
      openBucket: () => s3Bucket(environment),
      environment: {},
      onError: (error) => errors.push(String(error)),
    })
    const status = async (path: string) =>
      (await handler(new Request(`https://host.invalid${path}`), '')).status
    expect([await status('/v1/acme/posts'), await status('/v2/posts')]).toEqual([500, 401])
    expect(errors.join()).toContain(message)
  })
})

const postUrl = 'https://host.invalid/v1/acme/posts/post-1'

const targets = [
  '/v1/acme/posts',
  '/v1/acme/posts?page=7&limit=30',
  '/v1/acme/posts?query=stone',
  '/v1/acme/posts?query=in%20the',
  '/v1/acme/posts?tags=tag-1&excludeContent=true',
  '/v1/acme/tags?include=posts',
  '/v1/acme/posts?limit=all&excludeContent=true',
]

let urls = 0

function freshUrl(): string {
  return `s3://site/function-${++urls}`
}

function storeAt(url: string): BuildStore {
  const { environment } = ceph
  return new BuildStore(
    new S3Client(readLocation(url, {}, environment), readCredentials(environment)),
  )
}

async function publish(url: string, site: TemporarySite): Promise<void> {
  const built = readBuiltSite(site.out, false)
  const lineage = { source: null, descendsFrom: async () => false }
  await publishBuild(storeAt(url), { built, lineage, isRollback: true })
}

async function publishText(url: string, site: TemporarySite, text: string): Promise<void> {
  await site.post('post-1', {}, `${text}\n`).build()
  await publish(url, site)
}

async function smallSite(url: string, text: string): Promise<TemporarySite> {
  const site = temporarySite().write('content/acme/categories/news.md', '---\nname: news\n---\n')
  site.posts(3)
  await publishText(url, site, text)
  return site
}

/** One build for all tests: it is only read. */
let large: Promise<TemporarySite> | undefined
let removeLarge = () => {}

async function largeSite(url: string): Promise<TemporarySite> {
  large ??= (async () => {
    const site = new TemporarySite({ precompute: { versions: [] } })
    removeLarge = () => rmSync(site.folder, { recursive: true })
    site.write(
      'content/acme/workspace.yml',
      'name: Acme\nreferences: create\nlinks:\n  broken: ignore\n',
    )
    for (const { name, frontMatter, body } of corpusPosts({ posts: 600, meanBytes: 2400 })) {
      site.write(`content/acme/posts/${name}.md`, `---\n${frontMatter}\n---\n\n${body}`)
    }
    await site.build()
    return site
  })()
  const site = await large
  await publish(url, site)
  return site
}

type Send = (target: string) => Promise<Response>

async function functionAt(url: string, interfere: (path: string) => Fault | null = () => null) {
  let requests = 0
  const proxy = await startProxy(ceph.endpoint, ({ path }) => {
    requests++
    return interfere(path)
  })
  onTestFinished(() => proxy.stop())
  const environment = { ...s3At(proxy.endpoint).environment, QUARRY_STORAGE_URL: url }
  const impatient: S3Options = {
    attempts: 3,
    pauseMilliseconds: 1,
    timeoutMilliseconds: slowMilliseconds / 2,
    slowestBytes: 4096,
  }
  const errors: string[] = []
  const handler = createBucketHandler({
    openBucket: () => s3Bucket(environment, impatient),
    environment: { QUARRY_RATE_LIMIT: 'off' },
    onError: (error) => errors.push(String(error)),
  })
  const send: Send = (target) => handler(new Request(`https://host.invalid${target}`), '')
  return { handler, send, errors, counts: proxy.counts, requests: () => requests }
}

async function textOf(send: Send): Promise<string> {
  const response = await send(new URL(postUrl).pathname)
  return `${response.status} ${await response.text()}`
}

/** Compares a response with that from the disk. @returns its body */
async function same(site: TemporarySite, send: Send, target: string): Promise<string> {
  const storage = createFileStorage(join(site.out, 'function'))
  onTestFinished(() => storage.close())
  const onDisk = createHandler(await openBundle(storage), { rateLimit: 'off' })
  const expected = await onDisk(new Request(`https://host.invalid${target}`))
  const response = await send(target)
  const text = await response.text()
  expect([response.status, response.headers.get('etag')], target).toEqual([
    expected.status,
    expected.headers.get('etag'),
  ])
  expect(text === (await expected.text()), target).toBe(true)
  return text
}
