// `quarry notify` and receivers: the one of docs/webhooks.md, and servers that fail.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Change } from '../../packages/client/src/index.ts'
import { defaultScopes, type Scope } from '../../src/api/keys.ts'
import { createKeyring, encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { respondAt, startProgram } from '../support/process.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const secret = 'a-secret-of-many-characters'
const past = Date.UTC(2020, 5, 1)
const document = readDocument('webhooks.md')

/** A site with two builds: `two`, a draft and a post of a closed workspace came with the second one. */
async function changedSite(publishedAt = '2020-01-02'): Promise<TemporarySite> {
  const site = temporarySite({ changes: true })
    .write('quarry.config.json', '{ "changes": true }')
    .write('content/closed/workspace.yml', 'references: create\nv1: private\n')
    .post('one', { publishedAt: '2020-01-01' })
  await site.build({ now: past })
  site.post('hidden', { category: 'x', publishedAt: '2020-01-01' }, 'Text.\n', 'closed')
  site.post('draft', { publishedAt: '2020-01-02', status: 'draft' })
  await site.post('two', { publishedAt }).build({ now: past })
  return site
}

/** Builds the site with another post. */
async function publish(site: TemporarySite, name: string): Promise<void> {
  await site.post(name, { publishedAt: '2020-01-03' }).build({ now: past })
}

function notify(
  site: TemporarySite,
  urls: readonly string[],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = { QUARRY_NOTIFY_SECRET: secret },
) {
  const targets = urls.flatMap((url) => ['--url', url])
  return call(site.folder, ['notify', ...targets, ...flags], environment)
}

/** A server that responds with these statuses, the last one again and again; 0 never responds, and -1 hangs up. */
async function receiver(statuses: readonly number[]) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const url = await respondAt(async (request, response) => {
    const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 200
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    received.push({ headers: request.headers, body })
    if (status < 0) response.destroy()
    if (status > 0) response.writeHead(status, { location: '/elsewhere' }).end('A body.')
  })
  const message = (at: number) => JSON.parse(received[at]?.body ?? '')
  const slugs = (at: number): readonly string[] =>
    message(at).workspaces.acme.map(({ slug }: { slug: string }) => slug)
  return { url, received, message, slugs }
}

it('posts to the documented receiver, which rejects another secret', async () => {
  const site = await changedSite()
  site.write('receiver.mjs', blocksOf(document, 'js')[0] ?? '')
  const { output } = await startProgram(process.execPath, ['receiver.mjs'], {
    cwd: site.folder,
    environment: { PORT: '0', QUARRY_NOTIFY_SECRET: secret },
    ready: /port \d+\n/,
  })
  const url = `http://127.0.0.1:${output().replace('port ', '').trim()}`
  const forged = await notify(site, [url], [], { QUARRY_NOTIFY_SECRET: `${secret}-other` })
  expect(forged).toMatchObject({ exitCode: 1, stdout: '' })
  expect(forged.stderr).toContain(`error: ${url} (--url 1) failed: status 401.\n`)
  const posted = await notify(site, [url])
  expect(posted).toMatchObject({ exitCode: 0, stderr: '' })
  expect(posted.stdout).toMatch(/^Sent 1 change of build [0-9a-f]{16} to http:.+ \(--url 1\)\.\n$/)
  await expect.poll(() => output().split('\n').slice(1, -1)).toEqual(['published acme/posts/two'])
})

it('sends the same bytes and the same id in all attempts, and to all receivers', async () => {
  const site = await changedSite()
  const broken = await receiver([500])
  const busy = await receiver([429, 408, 204])
  const urls = [broken.url, busy.url]
  const { exitCode, stdout, stderr } = await notify(site, urls, ['--deadline', '2000'])
  expect(exitCode).toBe(1)
  expect(stderr).toBe(`error: ${broken.url} (--url 1) failed: status 500, after 3 attempts.\n`)
  expect(stdout).toContain(busy.url)
  const all = [...broken.received, ...busy.received]
  const texts = all.map(({ headers, body }) =>
    [headers['x-quarry-delivery'], headers['x-quarry-signature'], body].join(' '),
  )
  expect([texts.length, new Set(texts).size]).toEqual([6, 1])
  expect(all[0]?.headers['x-quarry-delivery']).toBe(broken.message(0).delivery)
})

it('sends no change again, except those of a command that failed, or since a given build', async () => {
  const site = await changedSite()
  const { url, received, message, slugs } = await receiver([200, 404, 200])
  await notify(site, [url])
  const again = await notify(site, [url])
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing was sent')])
  await publish(site, 'three')
  expect((await notify(site, [url])).exitCode).toBe(1)
  await publish(site, 'four')
  expect((await notify(site, [url])).exitCode).toBe(0)
  expect([slugs(0), slugs(1), slugs(2)]).toEqual([['two'], ['three'], ['four', 'three']])
  const { since } = message(0)
  await notify(site, [url], ['--since', since])
  const { build, changes } = site.json('public/v1/acme/changes.json')
  const { delivery, ...sent } = message(3)
  expect(sent).toEqual({ build, since, workspaces: { acme: changes } })
  expect(delivery).not.toBe(message(0).delivery)
  expect(received).toHaveLength(4)
})

it('sends each scheduled post of a build once, when it has appeared', async () => {
  const site = await changedSite('2999-01-01')
  await site.post('three', { publishedAt: '2999-02-01' }).build({ now: past })
  const { url, received, slugs } = await receiver([200])
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const day of ['2999-01-02', '2999-02-02', '2999-02-03']) {
    vi.setSystemTime(Date.parse(day))
    expect((await notify(site, [url])).exitCode).toBe(0)
  }
  expect(received.map((_, at) => slugs(at))).toEqual([['two'], ['three']])
})

it('names neither drafts nor scheduled posts, and a closed workspace only on demand', async () => {
  const site = await changedSite('2999-01-01')
  const { url, received, message } = await receiver([200])
  expect((await notify(site, [url])).stdout).toContain('Nothing was sent.')
  await notify(site, [url], ['--workspace', 'closed'])
  expect(received).toHaveLength(1)
  const names = message(0).workspaces.closed.map(({ kind, slug }: Change) => `${kind}/${slug}`)
  expect(names).toEqual(['posts/hidden', 'categories/x'])
})

it.each([
  [[301, 200], 1, 'status 301, a redirect'],
  [[0], 3, 'no response within 0.3 s, after 3 attempts'],
  [[-1], 3, 'UND_ERR_SOCKET, after 3 attempts'],
])(
  'gives up a receiver with the statuses %j after %i attempts',
  async (statuses, tries, reason) => {
    const site = await changedSite()
    const { url, received } = await receiver(statuses)
    const { exitCode, stderr } = await notify(site, [url], ['--deadline', '300'])
    expect([exitCode, stderr]).toEqual([1, `error: ${url} (--url 1) failed: ${reason}.\n`])
    expect(received).toHaveLength(tries)
  },
)

it('refuses credentials in a URL, and prints neither them nor a path', async () => {
  const site = await changedSite()
  const { url } = await receiver([404])
  const failed = await notify(site, [`${url}/token-in-path?token=in-query`])
  expect(failed.exitCode).toBe(1)
  for (const wrong of ['ftp://example.com/token', 'https://user:p%40ss@example.com/token']) {
    const { exitCode, stderr } = await notify(site, [wrong])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('without a user')])
    expect(stderr + failed.stdout + failed.stderr).not.toMatch(/user:|p@ss|p%40ss|token/)
  }
})

it('ends with 2 for wrong use, and sends nothing', async () => {
  const site = await changedSite()
  const { url, received } = await receiver([200])
  const refused = async (reason: string, ...flags: readonly string[]) => {
    const own = reason.includes('16') ? { QUARRY_NOTIFY_SECRET: 'short-secret' } : undefined
    const { exitCode, stderr } = await notify(site, [url], flags, own)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)])
    expect(stderr).not.toContain('short-secret')
  }
  await refused('is shorter than 16 characters')
  await refused('The changes since build unknown are not recorded', '--since', 'unknown')
  await refused('The build has no workspace none.', '--workspace', 'none')
  site.write('quarry.config.json', '{}')
  await refused('Add `changes: true` to the configuration.')
  expect(received).toEqual([])
})

/** A site whose second build changes something of every kind; the guide `later` comes out afterwards. */
async function siteOfAllKinds(): Promise<TemporarySite> {
  const gif = (width: number) =>
    Buffer.from(`474946383961${width}000100800000ffffff0000002c`, 'hex')
  const term = (kind: string, name: string, text = '') =>
    site.write(`content/acme/${kind}/${name}.md`, `---\nname: ${name}\n---\n${text}`)
  const guide = (name: string, more = '') =>
    site.write(`content/acme/guides/${name}.md`, `---\ntitle: ${name}\n${more}---\nText.\n`)
  const site = temporarySite({ changes: true })
    .write('quarry.config.json', '{ "changes": true }')
    .write(
      'content/acme/workspace.yml',
      'collections: { guides: { folder: guides } }\nsingletons: { menu: menu.yml }\n',
    )
    .write('content/acme/menu.yml', 'open: 9\n')
    .write('content/acme/posts/a.gif', gif(10))
  term('authors', 'ada')
  term('tags', 'old')
  guide('first')
  guide('second')
  await site.post('one', { authors: '[ada]' }, '![A](a.gif)\n').build({ now: someNoon })
  site.remove('content/acme/tags/old.md').write('content/acme/menu.yml', 'open: 10\n')
  site.write('content/acme/posts/b.gif', gif(20)).post('one', { authors: '[ada]' }, '![A](b.gif)\n')
  term('authors', 'ada', 'About.')
  term('tags', 'new', 'About.')
  term('categories', 'news', 'About.')
  guide('first', 'date: 2026-01-01\n')
  guide('later', `date: ${new Date(someNoon + 60_000).toISOString()}\n`)
  site.remove('content/acme/guides/second.md')
  await site.build({ now: someNoon })
  return site
}

it('names changes of every kind, each to keys that may read it, and scheduled items on time', async () => {
  const site = await siteOfAllKinds()
  const served = await serveFolder(site.out)
  const key = encodeKey(new Uint8Array(32).fill(7))
  const changes = async (scopes: readonly Scope[], now = someNoon) => {
    const about = { id: 'k', workspace: 'acme', name: '', expiresAt: null, revoked: false }
    const keyring = createKeyring([{ ...about, sha256: hashKey(key), scopes }])
    const handler = served.handler({ keyring: () => keyring, now: () => now })
    const get = (target: string) =>
      askHandler(handler, target, { headers: { authorization: `Bearer ${key}` } })
    const all: readonly Change[] = JSON.parse((await get('/v2/changes')).text).changes
    for (const { type, kind, slug, etag } of all) {
      if (type === 'removed' || ['categories', 'tags', 'media'].includes(kind)) continue
      expect((await get(`/v2/${kind}/${slug}`)).header('etag')).toBe(etag)
    }
    return all
      .map(({ type, kind, slug }) => `${type} ${kind === 'media' ? kind : `${kind}/${slug}`}`)
      .sort()
  }
  const ofPosts = ['published media', 'removed media', 'updated posts/one']
  const all = [
    ...ofPosts,
    ...['published tags/new', 'removed collections/guides/second', 'removed tags/old'],
    ...['updated authors/ada', 'updated categories/news', 'updated collections/guides/first'],
    'updated singletons/menu',
  ]
  expect(await changes(['posts:read'])).toEqual(ofPosts)
  expect(await changes(defaultScopes)).toEqual(all.sort())
  expect(await changes(defaultScopes, someNoon + 60_000)).toEqual(
    ['published collections/guides/later', ...all].sort(),
  )
})

it('with --format marble, sends each change that Marble has as it documents it', async () => {
  const site = await siteOfAllKinds()
  const { url, received, message } = await receiver([200])
  expect(await notify(site, [url], ['--format', 'marble'])).toMatchObject({ exitCode: 0 })
  const sent = new Map<string, unknown>()
  for (const [at, { headers, body }] of received.entries()) {
    const { id, type, workspaceId, resource, data } = message(at)
    expect([id, type, workspaceId, resource.type, resource.id]).toEqual([
      headers['x-marble-event-id'],
      ...[headers['x-marble-event'], 'acme', type.split('.')[0], data.id],
    ])
    const digest = createHmac('sha256', secret).update(body).digest('hex')
    expect(headers['x-marble-signature']).toBe(`sha256=${digest}`)
    const seconds = Number(headers['x-marble-timestamp'])
    expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(60)
    sent.set(type, data)
  }
  const id = expect.any(String)
  const undated = { createdAt: null, updatedAt: null }
  const post = { id, title: 'one', status: 'published', changes: [] }
  const gif = { mimeType: 'image/gif', alt: null, duration: null, blurHash: null, type: 'image' }
  expect(Object.fromEntries(sent)).toEqual({
    'post.updated': expect.objectContaining({ ...post, primaryAuthorId: id, categoryId: id }),
    'category.updated': expect.objectContaining({ slug: 'news', ...undated, changes: [] }),
    'tag.created': { id, name: 'new', slug: 'new', description: 'About.', ...undated },
    'tag.deleted': { id, slug: 'old' },
    'author.updated': {
      ...{ id, name: 'ada', slug: 'ada', image: null, bio: 'About.', role: null, email: null },
      ...{ socials: [], ...undated, changes: [] },
    },
    'media.uploaded': expect.objectContaining({ ...gif, id, name: 'b.gif', width: 32 }),
    'media.deleted': { id, slug: id },
  })
  expect(received).toHaveLength(sent.size)
})
