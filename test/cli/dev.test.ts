// `quarry dev` as a process: what it serves while content and configuration change.
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Builder } from '../../src/build/build.ts'
import { startDev } from '../../src/build/dev.ts'
import { withLock } from '../../src/build/lock.ts'
import { resolveSettings } from '../../src/config.ts'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { serve } from '../support/command-line.ts'
import { respondAt } from '../support/process.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

async function dev(
  site: TemporarySite,
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  port = '0',
) {
  const server = await serve(site.folder, environment, ['dev', ...flags], port)
  const { url } = server
  const slugs = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { posts } = (await (await fetch(`${url}${path}`, { headers })).json()) as {
      readonly posts: readonly { readonly slug: string }[]
    }
    return posts.map(({ slug }) => slug).sort()
  }
  /** Polls until a path has these posts. */
  const shows = (path: string, ...expected: readonly string[]) =>
    expect.poll(() => slugs(path), { timeout: 60_000 }).toEqual(expected)
  const end = async () => {
    const run = await server.close()
    expect(run.exitCode).toBe(0)
    return run
  }
  return { ...server, slugs, shows, end }
}

const list = '/v1/acme/posts'

it('serves what a build writes, and the last good build while the content is broken', async () => {
  const site = temporarySite().posts(12)
  const { waitFor, url, shows, slugs, waitForError, end } = await dev(site)
  const [banner] = await waitFor(/Serving .*\n.*\n.*\n/)
  expect(banner).toBe(
    `Serving ${url}, and rebuilding when the content changes. Ctrl+C stops it.\n` +
      `  Explorer  ${url}/\n  API       ${url}${list}\n`,
  )
  const page = await fetch(`${url}${list}?page=2`)
  await site.build({ now: Date.now() })
  expect(await page.text()).toBe(site.text('public/v1/acme/posts/_page/2.json'))
  // It writes no responses, and names the files that a build writes.
  expect(existsSync(join(site.folder, 'node_modules/.cache/quarry/dev/public/v1'))).toBe(false)
  const fileOf = async (target: string) => {
    const explanation = await fetch(`${url}/_quarry/explain?target=${encodeURIComponent(target)}`)
    return ((await explanation.json()) as { readonly file: string | null }).file
  }
  expect(await fileOf(`${list}?page=2`)).toBe('public/v1/acme/posts/_page/2.json')
  expect(await fileOf(`${list}?featured=true`)).toBe(null)
  expect(await fileOf('/v1/acme/changes')).toBe(null)
  site.post('second', { tags: '[]', featured: 'true' })
  await shows(`${list}?featured=true`, 'second')
  expect(await slugs(`${list}?query=econ`)).toEqual(['second'])
  site.post('third', { category: 'nwes', featured: 'true' })
  await waitForError(/unknown-category[\s\S]*Still serving the last good build/)
  expect(await slugs(`${list}?featured=true`)).toEqual(['second'])
  site.post('third', { featured: 'true' })
  await shows(`${list}?featured=true`, 'second', 'third')
  rmSync(join(site.folder, 'node_modules'), { recursive: true })
  await shows(`${list}?query=third`, 'third')
  const { stderr } = await end()
  expect(stderr).toContain('Built node_modules/.cache/quarry/dev')
  expect(stderr).not.toContain('Next:')
})

it('waits for a fix of content that is broken from the start', async () => {
  const site = temporarySite().post('first', { category: 'nwes' })
  site.write('.quarry/.gitignore', '*\n')
  const { url, shows, waitForError, end } = await dev(site)
  await waitForError(/unknown-category[\s\S]*Nothing is served until this is fixed/)
  expect((await fetch(`${url}${list}/first`)).status).toBe(404)
  expect(existsSync(site.out)).toBe(false)
  site.post('first')
  await shows(list, 'first')
  await waitForError(/Rebuilt/)
  site.write('content/acme/workspace.yml', 'fields: { rating: number }\n')
  const schema = () => site.text('../.quarry/acme/post.schema.json')
  await expect.poll(schema, { timeout: 60_000 }).toContain('rating')
  await end()
})

it('serves drafts to keys with their scope, with --drafts, and the site at another time, with --now', async () => {
  const site = temporarySite()
    .post('old', { publishedAt: '2026-01-01' })
    .post('next', { publishedAt: '2126-03-01' })
    .post('closed', { status: 'draft' })
  site.post('gone', { publishedAt: '2026-01-01', expiresAt: '2126-02-01' })
  const key = encodeKey(new Uint8Array(32).fill(7))
  const keys = { QUARRY_KEYS: `acme:${hashKey(key)}?scopes=posts:read+drafts:read` }
  const { url, shows, slugs, end } = await dev(site, ['--drafts', '--now', '2126-04-01'], keys)
  const headers = { authorization: `Bearer ${key}` }
  expect(await slugs('/v2/posts?status=draft', headers)).toEqual(['closed'])
  expect(await slugs(list)).toEqual(['next', 'old'])
  const explanation = await fetch(`${url}/_quarry/explain?target=${list}/gone`)
  expect(await explanation.json()).toMatchObject({ status: 404 })
  site.post('later', { publishedAt: '2126-05-01' }).post('second', { status: 'draft' })
  site.post('new', { publishedAt: '2126-03-31' })
  await shows(list, 'new', 'next', 'old')
  expect(await slugs('/v2/posts?status=draft', headers)).toEqual(['closed', 'second'])
  expect(await slugs('/v2/posts', headers)).toEqual(['new', 'next', 'old'])
  expect(await slugs(`${list}?status=draft`)).toEqual(['new', 'next', 'old'])
  await end()
})

it('shows its content only to pages of this machine', async () => {
  const site = temporarySite().post('first', {}, '![a](a.png)\n')
  site.write('content/acme/posts/a.png', Buffer.from('89504e470d0a1a0a', 'hex'))
  const { url, end } = await dev(site)
  const text = await (await fetch(`${url}${list}`)).text()
  const [image = ''] = /\/media\/acme\/[0-9a-f]+\.png/.exec(text) ?? []
  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const [response] = await once(get(`${url}${path}`, { headers, agent: false }), 'response')
    response.resume()
    return [response.statusCode, response.headers['access-control-allow-origin']]
  }
  const own = new URL(url).host
  for (const origin of ['http://localhost:3000', 'http://blog.localhost:5173', 'http://[::1]:80'])
    for (const path of [list, image, '/', '/status'])
      expect(await ask(path, { origin })).toEqual([200, origin])
  for (const host of ['evil.example', 'localhost.evil.example', '127.evil.example']) {
    for (const path of [list, image, '/', '/status'])
      expect(await ask(path, { origin: `https://${host}` })).toEqual([200, undefined])
    for (const path of [list, image, '/', '/status', '/_quarry/content'])
      expect(await ask(path, { host, origin: `https://${host}` })).toEqual([403, undefined])
  }
  expect(await ask(list, { origin: 'null' })).toEqual([200, undefined])
  for (const [site, status] of [
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
  ] as const)
    for (const path of ['content', 'explain?target=/', 'at/2999-01-01/v1/acme/posts'])
      expect(await ask(`/_quarry/${path}`, { host: own, 'sec-fetch-site': site })).toEqual([
        status,
        undefined,
      ])
  await end()
})

it('takes the next free port, says so, and follows the configuration', async () => {
  const { port } = new URL(await respondAt(() => {}))
  const site = temporarySite()
    .posts(2)
    .write('quarry.config.json', '{ "links": { "post": "https://one.example/{slug}" } }')
  const { url, end } = await dev(site, [], {}, port)
  const next = new URL(url).port
  expect(Number(next)).toBeGreaterThan(Number(port))
  const feed = async () => (await fetch(`${url}/v1/acme/feed.json`)).text()
  expect(await feed()).toContain('https://one.example/')
  site.write('quarry.config.json', '{ "links": { "post": "https://two.example/{slug}" } }')
  await expect.poll(feed, { timeout: 60_000 }).toContain('https://two.example/')
  expect((await end()).stderr).toContain(`Port ${port} is in use; using ${next} instead.`)
})

it('ends if another command uses its folder at the start, and builds later edits after it', async () => {
  const site = temporarySite().post('first')
  const settings = resolveSettings({ content: site.content, out: site.out, workers: 1 })
  const own = join(site.folder, 'node_modules/.cache/quarry/dev')
  mkdirSync(own, { recursive: true })
  await withLock(join(own, '.lock'), async () => {
    const { exitCode, stderr } = await call(site.folder, ['dev', '--port', '0'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Another quarry command is')])
  })
  const attempts = vi.spyOn(Builder.prototype, 'build')
  const loop = await startDev({ ...settings, cache: join(site.folder, 'cache') })
  onTestFinished(() => loop.close())
  onTestFinished(() => attempts.mockRestore())
  const kinds: string[] = []
  loop.subscribe(({ kind }) => kinds.push(kind))
  await withLock(join(site.out, '.lock'), async () => {
    site.post('second')
    await expect.poll(() => attempts.mock.settledResults.at(-1)?.type).toBe('rejected')
  })
  // The same text: an event that comes sooner than the next reading without one.
  site.post('second')
  await expect.poll(() => kinds, { timeout: 60_000 }).toEqual(['built'])
})
