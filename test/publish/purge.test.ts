// Tags of responses, the difference of two builds, and the requests that purge it.

import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { purgeAfter } from '../../src/cli/purge-after.ts'
import { decodeManifest, type Manifest } from '../../src/emit/manifest.ts'
import { withCacheTags } from '../../src/platforms/node/cache-tags.ts'
import { readBuiltSite } from '../../src/publish/built-site.ts'
import { changedTags, changedTargets, targetOfFile } from '../../src/publish/changed-responses.ts'
import { openPurger } from '../../src/publish/purge.ts'
import { S3Client } from '../../src/publish/s3-client.ts'
import { readLocation } from '../../src/publish/s3-location.ts'
import { BuildStore } from '../../src/publish/store.ts'
import { freePort } from '../support/process.ts'
import { serveFolder } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

function manifestOf(site: TemporarySite): Manifest {
  const manifest = decodeManifest(readFileSync(join(site.out, 'manifest.json')))
  if (manifest === null) throw new Error('There is no manifest.')
  return manifest
}

async function taggedSite(site: TemporarySite) {
  await site.build()
  const served = await serveFolder(site.out)
  onTestFinished(() => served.close())
  const handler = withCacheTags(served.handler(), 'cloudflare', site.out, () => served.site)
  return async (target: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await handler({
      method: 'GET',
      target,
      clientAddress: '192.0.2.1',
      header: (name) => headers[name] ?? null,
    })
    return { ...reply, header: new Map(reply.headers) }
  }
}

const largeSite = () =>
  temporarySite({
    precompute: {
      pageSizes: [10, 2],
      lists: ['default', 'asc', 'excludeContent', 'all', 'excludeContent+all'],
      ids: true,
    },
  })
    .posts(12)
    .post('häuser', { tags: '[css]' })
    .write('content/acme/tags/css.md', '---\nname: CSS\n---\n')

describe('a tag', () => {
  it('is that of the file which has the same bytes, for each file of v1', async () => {
    const site = largeSite()
    const get = await taggedSite(site)
    const paths = [...manifestOf(site).files.keys()].filter((path) => path.startsWith('public/v1/'))
    expect(paths.length).toBeGreaterThan(60)
    const tags = new Set<string>()
    for (const path of paths) {
      const target = targetOfFile(path) ?? ''
      const { status, header, body } = await get(target)
      expect([path, status]).toEqual([path, 200])
      expect(Buffer.from(body as Uint8Array).equals(readFileSync(join(site.out, path)))).toBe(true)
      const [workspace = '', own = ''] = header.get('cache-tag')?.split(',') ?? []
      expect([workspace, decodeURIComponent(own)]).toEqual([
        'v1/acme',
        path.slice('public/'.length),
      ])
      tags.add(own)
    }
    expect(tags.size).toBe(paths.length)
  })

  it('is another one for what is no file, and for every spelling of a file the same', async () => {
    const get = await taggedSite(temporarySite().posts(3))
    const tagsAt = async (target: string, headers = {}) =>
      (await get(target, headers)).header.get('cache-tag')
    const list = 'v1/acme,v1/acme/posts/index.json'
    expect(await tagsAt('/v1/acme/posts')).toBe(list)
    expect(await tagsAt('/v1/acme/posts?page=1&limit=10&nothing=1')).toBe(list)
    expect(await tagsAt('/v1/acm%65/posts?format=html')).toBe(list)
    const { header } = await get('/v1/acme/posts')
    expect(await tagsAt('/v1/acme/posts', { 'if-none-match': header.get('etag') })).toBe(list)
    for (const target of ['?limit=5', '?order=asc', '?query=post', '?tags=none', '?limit=all']) {
      expect(await tagsAt(`/v1/acme/posts${target}`)).toBe('v1/acme,v1/acme/others')
    }
  })

  it('is on no response that a shared cache must not keep', async () => {
    const site = temporarySite().posts(1).write('content/closed/workspace.yml', 'v1: private\n')
    const get = await taggedSite(site)
    for (const target of [
      '/v1/acme/posts/none',
      '/v1/closed/posts',
      '/v2/posts',
      '/status',
      '/v1',
    ]) {
      expect([target, (await get(target)).header.has('cache-tag')]).toEqual([target, false])
    }
  })
})

describe('the difference of two builds', () => {
  it('has exactly the files that changed, and all filters and searches', async () => {
    const site = temporarySite().posts(12)
    await site.build()
    const before = manifestOf(site)
    expect(changedTags(before, before)).toEqual([])
    await site.post('post-2', { publishedAt: '2026-01-02T00:00:00Z' }, 'Changed.\n').build()
    const after = manifestOf(site)
    const files = [...after.files].filter(
      ([path, { sha256 }]) =>
        path.startsWith('public/v1/') && before.files.get(path)?.sha256 !== sha256,
    )
    expect(files.map(([path]) => path)).toContain('public/v1/acme/posts/_page/2.json')
    expect(files.map(([path]) => path)).not.toContain('public/v1/acme/posts/index.json')
    const tags = files.map(([path]) => path.slice('public/'.length))
    expect(changedTags(before, after)).toEqual([...tags, 'v1/acme/others'])
    expect(changedTargets(before, after)).toContain('/v1/acme/posts?page=2')
    expect(changedTargets(before, after)).toHaveLength(tags.length)
  })

  it('names the files of a post that was removed', async () => {
    const site = temporarySite().posts(2)
    await site.build()
    const before = manifestOf(site)
    await site.remove('content/acme/posts/post-2.md').build()
    expect(changedTags(before, manifestOf(site))).toContain('v1/acme/posts/post-2.json')
  })

  it('is the workspace where a manifest has no responses, and where nothing is known', async () => {
    const site = temporarySite().posts(1)
    await site.build()
    const after = manifestOf(site)
    const withoutFiles = { ...after, build: 'another', files: new Map() }
    expect(changedTags(null, after)).toEqual(['v1/acme'])
    expect(changedTags(withoutFiles, { ...after, files: new Map() })).toEqual(['v1/acme'])
  })
})

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Keeps the requests of a service, and gives each the next status, and those after them the last one. */
async function service(...statuses: readonly number[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method, url, headers, body })
    const status = statuses[seen.length - 1] ?? statuses.at(-1) ?? 200
    response.writeHead(status, { 'retry-after': '0' }).end('{"success":true}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, url, all: { cloudflare: url, fastly: url } }
}

const manyTags = Array.from({ length: 257 }, (_, number) => `v1/acme/posts/${number}.json`)

describe('a purge', () => {
  it('of Cloudflare sends at most 100 tags at once', async () => {
    const { seen, all } = await service()
    const environment = { CLOUDFLARE_ZONE_ID: 'zone', CLOUDFLARE_API_TOKEN: 'token' }
    await openPurger('cloudflare', environment, all).purge(manyTags)
    const [first] = seen
    expect(first).toMatchObject({ method: 'POST', url: '/zones/zone/purge_cache' })
    expect(first?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-type': 'application/json',
    })
    const sent = seen.map(({ body }) => JSON.parse(body).tags)
    expect(sent.map(({ length }) => length)).toEqual([100, 100, 57])
    expect(sent.flat()).toEqual(manyTags)
  })

  it('of Fastly sends at most 256 keys at once', async () => {
    const { seen, all } = await service()
    const environment = { FASTLY_SERVICE_ID: 'service', FASTLY_API_TOKEN: 'token' }
    await openPurger('fastly', environment, all).purge(manyTags)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/service/service/purge' })
    expect(seen[0]?.headers).toMatchObject({ 'fastly-key': 'token' })
    const sent = seen.map(({ body }) => JSON.parse(body).surrogate_keys)
    expect(sent.map(({ length }) => length)).toEqual([256, 1])
    expect(sent.flat()).toEqual(manyTags)
  })

  it('of Varnish reaches each server', async () => {
    const [one, two] = [await service(), await service()]
    const environment = { QUARRY_PURGE_URL: `${one.url}/,${two.url}/` }
    await openPurger('varnish', environment).purge(manyTags)
    for (const { seen } of [one, two]) {
      expect(seen[0]).toMatchObject({ method: 'PURGE' })
      expect(seen.flatMap(({ headers }) => String(headers['xkey-purge']).split(' '))).toEqual(
        manyTags,
      )
    }
  })

  it.each(['cloudflare', 'fastly', 'varnish'] as const)('of %s needs its variables', (cache) => {
    expect(() => openPurger(cache, {})).toThrow(/needs the environment variable/)
  })

  const fastly = { FASTLY_SERVICE_ID: 'service', FASTLY_API_TOKEN: 'token' }

  it('is sent again while the service limits requests or fails', async () => {
    const { seen, all } = await service(429, 503, 200)
    await openPurger('fastly', fastly, all).purge(manyTags)
    const sent = seen.map(({ body }) => JSON.parse(body).surrogate_keys.length)
    expect(sent).toEqual([256, 256, 256, 1])
  })

  it('fails where the service refuses, at once or four times', async () => {
    for (const [status, requests] of [
      [403, 1],
      [429, 4],
    ] as const) {
      const { seen, all } = await service(status)
      const purged = openPurger('fastly', fastly, all).purge(['a'])
      await expect(purged).rejects.toThrow(`status ${status}`)
      expect(seen.length).toBe(requests)
    }
  })

  it('that fails after a publication is a warning', async () => {
    const site = temporarySite().posts(1)
    await site.build()
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    const purge = purgeAfter('varnish', {
      QUARRY_PURGE_URL: `http://127.0.0.1:${await freePort()}/`,
    })
    const built = readBuiltSite(site.out, true)
    const location = readLocation('s3://bucket/site', {}, {})
    const client = new S3Client(location, { accessKeyId: 'a', secretAccessKey: 'b' })
    expect(await purge(new BuildStore(client), { sequence: 1, built, seconds: 0 })).toEqual({})
    expect(written.mock.calls.join('')).toMatch(
      /^warning: The purge failed: .*ECONNREFUSED.*\. Caches keep old responses until those expire\.\n$/,
    )
    // The first commit is compared with nothing, which needs no request.
    expect(client.requests).toBe(0)
  })
})
