// A shared cache before the service: a real nginx that keeps whatever it may, of both versions, and many askers
// at once. No answer may reach the wrong one.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { join } from 'node:path'
import pMap from 'p-map'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltFixture, buildFixture } from '../conformance/hosts.ts'
import { type Running, start } from '../support/command-line.ts'
import { type Nginx, provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'

const requests = 30_000
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Who asks: the keys of two workspaces, one that is limited, one that nobody knows, and nobody. */
const askers = ['full', 'drafts', 'other', 'postsOnly', 'unknown', null] as const
const targets = [
  ...['/v2/posts', '/v2/posts?page=1', '/v2/posts?limit=3', '/v2/posts?order=asc', '/v2/posts/a'],
  ...[
    '/v2/categories',
    '/v2/categories/news',
    '/v2/tags?include=posts',
    '/v2/authors',
    '/v2/nothing',
  ],
  // Of a reader of drafts and of everybody else: the same URLs.
  ...['draft', 'all', 'published'].flatMap((status) => [
    `/v2/posts?status=${status}`,
    `/v2/posts/a-draft?status=${status}`,
    `/v1/posts?status=${status}`,
    `/v1/acme/posts?status=${status}`,
  ]),
  ...['/v2/posts/a-draft', '/v1/posts/a-draft', '/v1/acme/posts/a-draft', '/v1/acme/feed.xml'],
  ...['/v1/acme/posts', '/v1/beta/posts', '/v1/acme/posts?page=2', '/v1/secret/posts'],
]

interface Told {
  readonly status: number
  readonly sha256: string
  readonly cache: string | undefined
  readonly isCompressed: boolean
}

describe.skipIf(provideNginx() !== null)('a shared cache before the service', () => {
  let fixture: BuiltFixture
  let served: Running
  let nginx: Nginx
  let direct: string
  let cached: string

  beforeAll(async () => {
    fixture = await buildFixture()
    served = start(fixture.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: 'off' })
    direct = (await served.waitFor(/ at (\S+)/))[1] ?? ''
    const port = await freePort()
    cached = `http://127.0.0.1:${port}`
    // As careless as a cache can be: one key for all askers, both versions, and errors too where they allow it.
    nginx = await startNginx(
      `proxy_cache_path ${join(fixture.folder, 'cache')} keys_zone=all:8m use_temp_path=off;
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${direct};
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_cache all;
          proxy_cache_key $request_uri;
          proxy_cache_lock on;
          add_header X-Cache $upstream_cache_status always;
        }
      }`,
      port,
    )
  })
  afterAll(async () => {
    agent.destroy()
    await nginx.stop()
    served.stop('SIGTERM')
    await served.ended
    fixture.remove()
  })

  const ask = (base: string, target: string, asker: (typeof askers)[number], encoding: string) =>
    new Promise<Told>((resolve, reject) => {
      const key = asker === null ? {} : { authorization: `Bearer ${fixture.site.keys[asker]}` }
      const headers = { ...key, 'accept-encoding': encoding }
      send(`${base}${target}`, { agent, headers }, (incoming) => {
        const hash = createHash('sha256')
        incoming
          .on('data', (chunk: Buffer) => hash.update(chunk))
          .on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              sha256: hash.digest('hex'),
              cache: incoming.headers['x-cache'] as string | undefined,
              isCompressed: incoming.headers['content-encoding'] !== undefined,
            }),
          )
          .on('error', reject)
      })
        .on('error', reject)
        .end()
    })

  it(`never gives one asker another's answer, in ${requests} mixed requests`, async () => {
    const cases = askers.flatMap((asker) =>
      targets.flatMap((target) =>
        ['identity', 'gzip'].map((encoding) => ({ asker, target, encoding })),
      ),
    )
    const right = await pMap(
      cases,
      ({ asker, target, encoding }) => ask(direct, target, asker, encoding),
      { concurrency: 8 },
    )
    const wrong: string[] = []
    let hits = 0
    let seed = 42
    const next = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * cases.length)
    }
    await pMap(
      (function* () {
        for (let sent = 0; sent < requests; sent++) yield next()
      })(),
      async (index) => {
        const { asker, target, encoding } = cases[index] ?? {
          asker: null,
          target: '/',
          encoding: '',
        }
        const told = await ask(cached, target, asker, encoding)
        if (told.cache === 'HIT') hits += 1
        const expected = right[index]
        const isSame =
          told.status === expected?.status &&
          told.isCompressed === expected.isCompressed &&
          told.sha256 === expected.sha256
        if (!isSame) wrong.push(`${target} for ${asker}: ${told.status} ${told.cache}`)
      },
      { concurrency: 32 },
    )
    process.stdout.write(
      `shared cache: ${requests} requests, ${hits} from memory, ${wrong.length} wrong\n`,
    )
    expect(wrong).toEqual([])
    // The cache did keep something, or this would prove nothing.
    expect(hits).toBeGreaterThan(requests / 10)
  }, 300_000)

  it('keeps v1, and nothing of v2', async () => {
    for (const asker of askers) {
      for (const target of targets) {
        await ask(cached, target, asker, 'identity')
        const { cache, status } = await ask(cached, target, asker, 'identity')
        if (status === 200 && /^\/v1\/(?:acme|beta)/.test(target)) expect(cache, target).toBe('HIT')
        else expect(cache, `${target} for ${asker}`).not.toBe('HIT')
      }
    }
  })

  it('has no draft among its files, though they were given', async () => {
    for (const status of ['draft', 'all']) {
      const target = `/v2/posts/a-draft?status=${status}`
      for (const asker of ['drafts', 'full', 'drafts'] as const) {
        const { status: given, cache } = await ask(cached, target, asker, 'identity')
        expect([given, cache]).toEqual([asker === 'drafts' ? 200 : 403, 'MISS'])
      }
    }
    const folder = join(fixture.folder, 'cache')
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(files.some((text) => text.includes('/v1/acme/posts'))).toBe(true)
    for (const text of files) expect(text).not.toMatch(/needle-draft|"status":/)
  })
})
