import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/api/key-record.ts'
import { attempts, type BuiltDraft, draftsOf, fileTargets } from '../../../src/cli/doctor/probe.ts'
import { decodeManifest, type Manifest } from '../../../src/emit/manifest.ts'
import { createFileStorage } from '../../../src/hosts/file-storage.ts'
import { loadAgents } from '../../../src/hosts/function.ts'
import { openBundle } from '../../../src/runtime/bundle.ts'
import { createHandler, type Handler } from '../../../src/runtime/handler.ts'
import { type BuiltFixture, buildFixture } from '../../conformance/hosts.ts'

interface Opened {
  readonly fixture: BuiltFixture
  readonly handler: Handler
  readonly drafts: readonly BuiltDraft[]
  readonly manifest: Manifest
  close(): void
}

async function openFixture(change?: (content: string) => void): Promise<Opened> {
  const fixture = await buildFixture(change)
  const storage = createFileStorage(join(fixture.out, 'function'))
  const bundle = await openBundle(storage)
  const options = { now: () => fixture.site.now, rateLimit: 'off', loadAgents }
  const manifest = decodeManifest(readFileSync(join(fixture.out, 'manifest.json')))
  if (manifest === null) throw new Error('no manifest')
  return {
    ...{ fixture, manifest, handler: createHandler(bundle, options) },
    drafts: await draftsOf(bundle.site),
    close: () => {
      storage.close()
      fixture.remove()
    },
  }
}

/** The posts of the fixture, its drafts published by mistake. */
function publishDrafts(content: string): void {
  const folder = join(content, 'acme/posts')
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    const isDraft = /^status: draft$/m.test(text)
    const visible = text.replace(/^status: draft$/m, '').replace('2998-', '2024-')
    if (isDraft) writeFileSync(path, visible)
  }
}

let built: Opened
let careless: Opened
beforeAll(async () => {
  built = await openFixture()
  careless = await openFixture(publishDrafts)
})
afterAll(() => {
  built.close()
  careless.close()
})

interface Leak {
  readonly target: string
  readonly asker: string
}

/** Probes a handler for the drafts of the build. */
async function leaksOf(
  handler: Handler,
  secret: string | null = null,
  scopes: readonly Scope[] = ['posts:read'],
): Promise<readonly Leak[]> {
  const { drafts, manifest } = built
  expect(drafts.map(({ slug }) => slug).sort()).toEqual(['a-draft', 'entwürf'])
  const key = secret === null ? null : { id: 'k', workspace: 'acme', scopes }
  const leaks: Leak[] = []
  for (const { target, asker, isLeak, method = 'GET', headers = {}, body = null } of attempts(
    manifest,
    [],
    drafts,
    key,
    secret,
  )) {
    const request = new Request(`http://host.invalid${target}`, { method, headers, body })
    const response = await handler(request)
    const header = (name: string) => response.headers.get(name) ?? ''
    const { status } = response
    const text = await response.text()
    if (isLeak({ status, text, sha256: '', header })) leaks.push({ target, asker })
  }
  return leaks
}

const pathsOf = (leaks: readonly Leak[]) => new Set(leaks.map(({ target }) => target))

describe('a probe for drafts', () => {
  it('finds none on a site that gives them to their readers alone', async () => {
    const { keys } = built.fixture.site
    expect(await leaksOf(built.handler, keys.full)).toEqual([])
    expect(await leaksOf(built.handler, keys.drafts, ['posts:read', 'drafts:read'])).toEqual([])
  })

  it('finds drafts that were published by mistake, by every name and in every list', async () => {
    const found = pathsOf(await leaksOf(careless.handler))
    for (const target of [
      '/v1/acme/posts/a-draft',
      '/v1/acme/posts/draft-id',
      '/v1/acme/posts/old-draft',
      '/v1/acme/posts/entw%C3%BCrf?status=draft',
      '/v1/acme/posts?slugs=a-draft',
      '/v1/acme/posts?ids=draft-id&status=all',
      '/v1/acme/posts?include=posts&limit=100',
      '/v1/acme/feed.xml',
      '/v1/acme/sitemap.xml',
      '/v1/acme/llms.txt',
      '/v1/acme/redirects',
      '/v1/acme/tags?include=posts&limit=100',
      '/mcp',
    ]) {
      expect(found).toContain(target)
    }
  })

  it('finds a host that adds a key to every request', async () => {
    const { keys } = built.fixture.site
    const found = pathsOf(
      await leaksOf((request) => {
        const headers = new Headers(request.headers)
        headers.set('authorization', `Bearer ${keys.drafts}`)
        return built.handler(new Request(request, { headers }))
      }),
    )
    expect(found).toContain('/v2/posts/a-draft?status=draft')
    expect(found).toContain('/v1/posts?slugs=a-draft&status=all')
    expect([...found].filter((target) => target.startsWith('/v1/acme/'))).toEqual([])
  })

  it('finds a key with more scopes than the build gives it', async () => {
    const { keys } = built.fixture.site
    const leaks = await leaksOf(built.handler, keys.drafts)
    expect(new Set(leaks.map(({ asker }) => asker))).toEqual(new Set(["its workspace's key"]))
    expect(pathsOf(leaks)).toContain('/v2/posts?slugs=a-draft&status=draft')
  })
})

it('requests a private file in every spelling', () => {
  const file = 'v2/acme/posts/%E6%97%A5%E6%9C%AC.json'
  const targets = fileTargets('private/v2/acme/posts/日本.json')
  for (const target of [
    `/private/${file}`,
    `/${file}`,
    `/dist/private/${file}`,
    `/%70%72%69%76%61%74%65/${file}`,
    `/%2570%2572%2569%2576%2561%2574%2565/${file}`,
    `/private%2f${file}`,
    `/private%252f${file}`,
    `//private/${file}`,
    `/private\\${file}`,
    `/v1/../private/${file}`,
    `/PRIVATE/${file}`,
    ...['/', '%00', ';a=b', '.', '?'].map((end) => `/private/${file}${end}`),
  ])
    expect(targets).toContain(target)
  expect(new Set(targets).size).toBe(targets.length)
  expect(fileTargets('manifest.json')).not.toContain('/')
})
