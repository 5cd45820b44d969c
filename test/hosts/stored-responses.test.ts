// Functions that come before the files: what they read for a canonical request, and what they send.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { filePath, requestOfFile } from '../../src/api/paths.ts'
import { defaultParameters, includesPosts } from '../../src/api/request.ts'
import { build } from '../../src/build/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { createWorker } from '../../src/hosts/cloudflare.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import { functionFolder } from '../../src/hosts/function-folder.ts'
import { decodeResponse, responseKey, responseName } from '../../src/runtime/response-file.ts'
import { writeFixture } from '../conformance/fixture.ts'
import {
  canonicalRequests,
  coldFunction,
  indexOnly,
  indexReads,
  openStoredSite,
  plain,
  type StoredSite,
} from '../support/stored-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

let stored: StoredSite
beforeAll(async () => {
  stored = await openStoredSite()
})
afterAll(() => stored.remove())

describe('a cold function', () => {
  it('reads the head and one file for a canonical request, and sends what the index gives', async () => {
    const index = indexOnly(stored.lambda)
    const requests = canonicalRequests(stored)
    expect(requests.length).toBeGreaterThan(200)
    for (const { target, headers } of requests) {
      const { send, reads, faults } = coldFunction(stored.lambda)
      const reply = await send(target, { headers })
      expect(reply, target).toEqual(await index.send(target, { headers }))
      expect(reply.status, target).toBe(200)
      expect(
        reads.map(([name]) => name),
        target,
      ).toEqual(['responses/site.json', expect.stringMatching(/^responses\/[0-9a-f]{32}\.json$/)])
      expect(reads[0]?.[1]).toBeLessThan(4096)
      expect(faults).toEqual([])
    }
  })

  it('sends HEAD, 304 and errors as the index gives them, and reads it only for what has no file', async () => {
    const { send, reads } = coldFunction(stored.lambda)
    const index = indexOnly(stored.lambda)
    const authorization = `Bearer ${stored.site.keys.full}`
    const { headers } = await index.send('/v1/beta/posts')
    const etag = headers.find(([name]) => name === 'etag')?.[1] ?? ''
    const cases: [string, { method?: string; headers?: Record<string, string> }][] = [
      ['/v1/beta/posts', { method: 'HEAD' }],
      ['/v1/beta/posts', { headers: { 'if-none-match': etag } }],
      ['/v1/beta/posts?utm_source=x&foo=1&page=1', {}],
      ['/v1/beta/posts?strict=true', {}],
      ['/v1/beta/posts?strict=true&foo=1', {}],
      ['/v1/beta/posts?limit=0', {}],
      ['/v1/beta/posts', { method: 'OPTIONS' }],
      ['/v1/beta/posts', { method: 'POST' }],
      ['/v1/beta/posts/', {}],
      ['/v1/secret/posts', {}],
      ['/v1/nowhere/posts', {}],
      ['/v1/acme/posts/post-1?format=markdown', {}],
      ['/v2/posts', {}],
      ['/v2/posts/post-1', { headers: { authorization } }],
      ['/v2/posts', { headers: { authorization: `Bearer ${stored.site.keys.noPosts}` } }],
      [
        '/v2/authors/ada?include=posts',
        { headers: { authorization: `Bearer ${stored.site.keys.noPosts}` } },
      ],
      ['/v2/authors/ada', { headers: { authorization: `Bearer ${stored.site.keys.noPosts}` } }],
      ['/v2/posts', { headers: { authorization: `Bearer ${stored.site.keys.expired}` } }],
      ['/status', {}],
    ]
    for (const [target, init] of cases) {
      expect(await send(target, init), `${init.method} ${target}`).toEqual(
        await index.send(target, init),
      )
    }
    expect(indexReads(reads)).toEqual([])
    const others = [
      '/v1/beta/posts/nobody',
      ...['/v1/beta/posts/index_', '/v1/acme/tags/a.json_', '/v1/beta/posts/_all'],
      '/v1/beta/posts?page=99',
      '/v1/beta/posts?query=a',
      '/v1/acme/posts?page=2',
      '/openapi.json',
      '/',
    ]
    for (const target of others)
      expect(await send(target), target).toEqual(await index.send(target))
    expect(indexReads(reads)).not.toEqual([])
  })

  it('leaves to the index what a scheduled post may change, whichever posts are scheduled', async () => {
    const keys = readdirSync(join(stored.lambda, 'responses')).filter(
      (name) => name !== 'site.json',
    )
    const known = new Set(keys)
    const ofAcme = [...stored.manifest.files.keys()].flatMap((path) => {
      const request = requestOfFile(path)
      return request?.workspace === 'acme' && request.version === 'v1' ? [request] : []
    })
    const given = ofAcme.filter((request) => known.has(responseName(responseKey(request) ?? '')))
    expect(given.length).toBeGreaterThan(70)
    const isPlain = (request: (typeof given)[number]) =>
      !includesPosts(request.parameters) &&
      (request.resource === 'authors' ||
        (request.resource === 'posts' && request.identifier !== null))
    expect(given.every(isPlain)).toBe(true)
    expect(ofAcme.filter(isPlain).length).toBe(given.length)
  })
})

describe('a worker', () => {
  it('fetches the head once, and one asset for each canonical request', async () => {
    let fetched: string[] = []
    const ASSETS = {
      fetch: async (url: string) => {
        const { pathname } = new URL(url)
        fetched.push(pathname)
        return new Response(readFileSync(join(stored.assets, pathname)))
      },
    }
    const worker = createWorker()
    const index = indexOnly(stored.lambda)
    const context = { waitUntil: () => undefined }
    const environment = { ASSETS, QUARRY_RATE_LIMIT: '1000000/10' }
    const targets = canonicalRequests(stored).filter(
      ({ headers }) => headers['authorization'] === undefined,
    )
    for (const [at, { target }] of targets.entries()) {
      fetched = []
      const request = new Request(`https://worker.invalid${target}`)
      const reply = await plain(await worker.fetch(request, environment, context))
      const { headers, ...expected } = await index.send(target)
      expect(reply, target).toMatchObject(expected)
      expect(fetched.length, target).toBe(at === 0 ? 2 : 1)
    }
  })
})

describe('a long list', () => {
  it('counts as many requests as from the index', async () => {
    const site = temporarySite().posts(250)
    const settings = { content: site.content, out: site.out, workers: 1, cache: false } as const
    const precompute = { lists: ['default', 'excludeContent+all'] }
    const { manifest } = await build(resolveSettings({ ...settings, precompute }))
    const { folder } = await deploy('aws-lambda', { out: site.out, manifest })
    const host = functionFolder(new URL(`file://${folder}/function/`))
    const remaining = async (readResponse: typeof host.readResponse) => {
      const handler = createFunctionHandler({ ...host, readResponse, environment: {} })
      const request = new Request(
        'https://host.invalid/v1/acme/posts?limit=all&excludeContent=true',
      )
      return (await handler(request, '192.0.2.1')).headers.get('ratelimit-remaining')
    }
    expect(await remaining(host.readResponse)).toBe('197')
    expect(await remaining(undefined)).toBe('197')
  })
})

describe('both versions', () => {
  it('have one file, whichever of them the build wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-version-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const content = join(folder, 'content')
    const { keys, now } = writeFixture(content)
    for (const version of ['v1', 'v2'] as const) {
      const out = join(folder, version)
      const precompute = { versions: [version] }
      const settings = resolveSettings({ content, out, workers: 1, cache: false, precompute })
      const { manifest } = await build(settings, { now })
      const { folder: deployed } = await deploy('aws-lambda', { out, manifest })
      const { send, reads } = coldFunction(join(deployed, 'function'))
      const headers = { authorization: `Bearer ${keys.full}` }
      expect((await send('/v1/acme/posts/post-1')).status).toBe(200)
      expect((await send('/v2/posts/post-1', { headers })).status).toBe(200)
      expect(indexReads(reads)).toEqual([])
    }
  })
})

describe('a file of a response', () => {
  it('is read under its own key alone', () => {
    const request = {
      version: 'v1',
      workspace: 'beta',
      resource: 'posts',
      identifier: null,
      parameters: defaultParameters,
    } as const
    const key = responseKey(request) ?? ''
    const file = readFileSync(join(stored.lambda, 'responses', responseName(key)))
    const body = readFileSync(join(stored.out, filePath(request) ?? ''))
    expect(Buffer.from(decodeResponse(key, file).body).equals(body)).toBe(true)
    expect(() => decodeResponse('public/v1/beta/posts/other.json', file)).toThrow('changed')
  })
})
