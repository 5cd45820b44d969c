import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/cli/doctor/client.ts'
import { type BuiltDraft, draftsOf } from '../../../src/cli/doctor/drafts.ts'
import { type Leak, probe } from '../../../src/cli/doctor/probe.ts'
import { decodeManifest, type Manifest } from '../../../src/emit/manifest.ts'
import { loadAgents } from '../../../src/platforms/load-agents.ts'
import { createFileStorage } from '../../../src/platforms/node/file-storage.ts'
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

/** Probes a handler over HTTP for the drafts of the build. */
async function leaksOf(
  handler: Handler,
  more: { readonly key?: string; readonly keyReadsDrafts?: boolean } = {},
): Promise<readonly Leak[]> {
  const server = createServer(async (incoming, outgoing) => {
    const reply = await handler(await requestOf(incoming)).catch(() => null)
    outgoing.writeHead(reply?.status ?? 400, Object.fromEntries(reply?.headers ?? []))
    outgoing.end(reply === null ? '' : Buffer.from(await reply.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createClient(new URL(`http://127.0.0.1:${port}`), 8)
  const { drafts, manifest } = built
  const limits = { client, manifest, connections: 8, filesMax: 2 }
  const report = await probe({
    ...{ ...limits, drafts, keyReadsDrafts: false, keyWorkspace: 'acme' },
    ...more,
  })
  client.close()
  server.close()
  expect(report.drafts).toBe(2)
  return report.leaks
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { url = '/', method = 'GET', headers } = incoming
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const body = method === 'GET' ? null : Buffer.concat(chunks)
  return new Request(`http://host.invalid${url}`, { method, headers: sent, body })
}

const pathsOf = (leaks: readonly Leak[]) => new Set(leaks.map(({ target }) => target))

describe('a probe for drafts', () => {
  it('finds none on a site that gives them to their readers alone', async () => {
    const { keys } = built.fixture.site
    expect(await leaksOf(built.handler, { key: keys.full })).toEqual([])
    const reader = { key: keys.drafts, keyReadsDrafts: true }
    expect(await leaksOf(built.handler, reader)).toEqual([])
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
    const leaks = await leaksOf(built.handler, { key: keys.drafts })
    expect(new Set(leaks.map(({ asker }) => asker))).toEqual(new Set(["its workspace's key"]))
    expect(pathsOf(leaks)).toContain('/v2/posts?slugs=a-draft&status=draft')
  })
})
