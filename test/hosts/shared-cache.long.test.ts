// A shared cache before the service: a real nginx that keeps whatever it may, of both versions, and many askers
// at once. No answer may reach the wrong one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { beforeAll, describe, expect, it } from 'vitest'
import { keys } from '../blackbox/site.ts'
import { serve } from '../support/command-line.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import { type BuiltSample, buildSample } from '../support/sample-site.ts'

const requests = 10_000

/** The keys of two workspaces, one that is limited, one that nobody knows, and nobody. */
const askers = ['full', 'drafts', 'notes', 'postsOnly', 'unknown', null] as const
const targets = [
  ...[
    '/v2/posts',
    '/v2/posts?limit=3',
    '/v2/posts/post-3',
    '/v2/tags?include=posts',
    '/v2/nothing',
  ],
  // Of a reader of drafts and of everybody else: the same URLs.
  ...['draft', 'all', 'published'].flatMap((status) => [
    ...[`/v2/posts?status=${status}`, `/v2/posts/post-17?status=${status}`],
    ...[`/v1/posts?status=${status}`, `/v1/journal/posts?status=${status}`],
  ]),
  ...[
    '/v2/posts/post-17',
    '/v1/posts/post-17',
    '/v1/journal/posts/post-17',
    '/v1/journal/feed.xml',
  ],
  ...['/v1/journal/posts', '/v1/notes/posts', '/v1/journal/posts?page=2', '/v1/vault/posts'],
]
const cases = askers.flatMap((asker) =>
  targets.flatMap((target) =>
    ['identity', 'gzip'].map((encoding) => ({ asker, target, encoding })),
  ),
)

describe.skipIf(provideNginx() !== null)('a shared cache before the service', () => {
  let fixture: BuiltSample
  let direct: string
  let cached: string

  beforeAll(async () => {
    fixture = await buildSample()
    direct = (await serve(fixture.folder, { QUARRY_RATE_LIMIT: 'off' })).url
    const port = await freePort()
    cached = `http://127.0.0.1:${port}`
    // As careless as a cache can be: one key for all askers, both versions, and errors too where they allow it.
    await startNginx(
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

  const ask = async (base: string, { asker, target, encoding }: (typeof cases)[number]) => {
    const key = asker === null ? {} : { authorization: `Bearer ${keys[asker]}` }
    const headers = { ...key, 'accept-encoding': encoding }
    const response = await fetch(`${base}${target}`, { headers })
    const encoded = response.headers.get('content-encoding')
    const { status } = response
    const plain = { status, encoded, text: (await response.text()).replace(/Request [\w-]+/, '') }
    return { plain, cache: response.headers.get('x-cache') }
  }

  it("never gives one asker another's answer, and keeps v1 alone", {
    timeout: 300_000,
  }, async () => {
    const right = await pMap(cases, (asked) => ask(direct, asked), { concurrency: 8 })
    const hits = new Set<string>()
    let seed = 42
    const numbers = Array.from({ length: requests }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * cases.length)
    })
    await pMap(
      numbers,
      async (number) => {
        const asked = cases[number] ?? expect.unreachable()
        const { plain, cache } = await ask(cached, asked)
        if (cache === 'HIT') hits.add(asked.target)
        expect(plain, `${asked.target} for ${asked.asker}: ${cache}`).toEqual(right[number]?.plain)
      },
      { concurrency: 32 },
    )
    // The cache did keep something, or this would prove nothing.
    expect([...hits]).toContain('/v1/journal/posts')
    for (const target of hits) expect(target).toMatch(/^\/v1\/(?:journal|notes)/)
    // No draft is among its files, though they were given.
    const folder = join(fixture.folder, 'cache')
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), 'latin1')).not.toMatch(/word134623|"status":/)
  })
})
