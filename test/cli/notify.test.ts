// `quarry notify` as a process of its own, and receivers: the one of docs/webhooks.md, and servers that fail.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const secret = 'a-secret-of-many-characters'
const past = Date.UTC(2020, 5, 1)
const document = readDocument('webhooks.md')

/** A site with two builds: `two`, a draft and a post of a closed workspace came with the second one. */
async function changedSite(fields: Readonly<Record<string, string>> = {}): Promise<TemporarySite> {
  const site = temporarySite({ changes: true })
    .write('quarry.config.json', '{ "changes": true }')
    .write('content/closed/workspace.yml', 'references: create\nv1: private\n')
    .post('one', { publishedAt: '2020-01-01' })
  await site.build({ now: past })
  const closed = '---\ntitle: Closed\ncategory: x\npublishedAt: 2020-01-01\n---\nText.\n'
  site.write('content/closed/posts/hidden.md', closed)
  site.post('draft', { publishedAt: '2020-01-02', status: 'draft' })
  site.post('two', { publishedAt: '2020-01-02', ...fields })
  await site.build({ now: past })
  return site
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

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that responds with one status after the other, the last one again and again; 0 never responds. */
async function receiver(statuses: readonly number[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 200
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    if (status !== 0) response.writeHead(status, { location: '/elsewhere' }).end('A body.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}

/** The receiver of the page, with the lines that it prints. */
async function documentedReceiver(site: TemporarySite) {
  const [code = ''] = blocksOf(document, 'js')
  site.write('receiver.mjs', code)
  const child = spawn(process.execPath, [join(site.folder, 'receiver.mjs')], {
    env: { PORT: '0', QUARRY_NOTIFY_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'close')
  const texts: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text) => texts.push(text))
  await once(child.stdout, 'data')
  const stop = async () => {
    child.kill()
    await exit
    return texts.join('').split('\n').slice(1, -1)
  }
  onTestFinished(async () => void (await stop()))
  return { url: `http://127.0.0.1:${texts.join('').replace('port ', '').trim()}`, stop }
}

describe('quarry notify', () => {
  it('posts to the documented receiver, which refuses another secret', async () => {
    const site = await changedSite()
    const { url, stop } = await documentedReceiver(site)
    const forged = await notify(site, [url], [], { QUARRY_NOTIFY_SECRET: `${secret}-other` })
    expect(forged).toMatchObject({ exitCode: 1, stdout: '' })
    expect(forged.stderr).toContain(`error: ${url} (--url 1) failed: status 401.\n`)
    const posted = await run(site.folder, ['notify', '--url', url], {
      QUARRY_NOTIFY_SECRET: secret,
    })
    expect(posted).toMatchObject({ exitCode: 0, stderr: '' })
    expect(posted.stdout).toMatch(
      /^Sent 1 change of build [0-9a-f]{16} to http:.+ \(--url 1\)\.\n$/,
    )
    expect(await stop()).toEqual(['published acme/two'])
  })

  it('sends the same bytes and the same id in all tries, and to all receivers', async () => {
    const site = await changedSite()
    const broken = await receiver([500])
    const slow = await receiver([500, 200])
    const busy = await receiver([429, 408, 204])
    const urls = [broken.url, slow.url, busy.url]
    const { exitCode, stdout, stderr } = await notify(site, urls, ['--deadline', '2000'])
    expect(exitCode).toBe(1)
    expect(stderr).toBe(`error: ${broken.url} (--url 1) failed: status 500, after 3 attempts.\n`)
    expect(stdout).not.toContain(broken.url)
    expect(stdout).toContain(slow.url)
    expect(stdout).toContain(busy.url)
    expect([broken, slow, busy].map(({ received }) => received.length)).toEqual([3, 2, 3])
    const all = [broken, slow, busy].flatMap(({ received }) => received)
    const texts = all.map(({ headers, body }) =>
      [headers['x-quarry-delivery'], headers['x-quarry-signature'], body].join(' '),
    )
    expect(new Set(texts).size).toBe(1)
    const { headers, body } = all[0] as Received
    expect(headers['x-quarry-delivery']).toBe(JSON.parse(body).delivery)
    expect(headers['content-type']).toBe('application/json')
  })

  it('names exactly what changes.json names, and a build that is given', async () => {
    const site = await changedSite()
    const { url, received } = await receiver([200])
    await notify(site, [url])
    site.post('three', { publishedAt: '2020-01-03' })
    await site.build({ now: past })
    const { since: first } = JSON.parse(received[0]?.body ?? '')
    await notify(site, [url], ['--since', first])
    const { build, changes } = site.json('public/v1/acme/changes.json')
    const { delivery, ...message } = JSON.parse(received[1]?.body ?? '')
    expect(message).toEqual({ build, since: first, workspaces: { acme: changes } })
    expect(delivery).not.toBe(JSON.parse(received[0]?.body ?? '').delivery)
    const { exitCode, stdout } = await notify(site, [url], ['--since', build])
    expect([exitCode, stdout]).toEqual([
      0,
      `Nothing changed since build ${build}. Nothing was sent.\n`,
    ])
    expect(received).toHaveLength(2)
  })

  it('sends no change again, but those of a command that failed', async () => {
    const site = await changedSite()
    const { url, received } = await receiver([200, 404, 200])
    const slugsOf = (at: number) =>
      JSON.parse(received[at]?.body ?? '').workspaces.acme.map(({ slug }: { slug: string }) => slug)
    await notify(site, [url])
    await site.build({ now: past })
    const again = await notify(site, [url])
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing was sent')])
    expect(received).toHaveLength(1)
    site.post('three', { publishedAt: '2020-01-03' })
    await site.build({ now: past })
    expect((await notify(site, [url])).exitCode).toBe(1)
    site.post('four', { publishedAt: '2020-01-04' })
    await site.build({ now: past })
    expect((await notify(site, [url])).exitCode).toBe(0)
    expect([slugsOf(0), slugsOf(1), slugsOf(2)]).toEqual([['two'], ['three'], ['four', 'three']])
    const other = await receiver([200])
    await notify(site, [other.url])
    expect(JSON.parse(other.received[0]?.body ?? '').workspaces.acme).toHaveLength(1)
  })

  it('warns that changes are lost where the build of the last message is not kept', async () => {
    const site = await changedSite()
    const { url, received } = await receiver([200])
    await notify(site, [url])
    const { build: last } = site.json('manifest.json')
    for (let edit = 0; edit <= 20; edit++) {
      site.post('one', { publishedAt: '2020-01-01' }, `Body ${edit}.\n`)
      await site.build({ now: past })
    }
    const { exitCode, stderr } = await notify(site, [url])
    const { since } = JSON.parse(received[1]?.body ?? '')
    expect(since).not.toBe(last)
    expect([exitCode, stderr]).toEqual([
      0,
      `warning: The changes from build ${last}, the last one that was sent, to build ${since} are no longer recorded: no message names them.\n`,
    ])
  })

  it('sends a post that came due once', async () => {
    const site = await changedSite({ publishedAt: '2020-07-01T00:00:00Z' })
    const { url, received } = await receiver([200])
    for (let command = 0; command < 3; command++) await notify(site, [url])
    expect(received).toHaveLength(1)
  })

  it('names neither drafts nor scheduled posts, and a closed workspace only on demand', async () => {
    const site = await changedSite({ publishedAt: '2999-01-01' })
    const { url, received } = await receiver([200])
    expect((await notify(site, [url])).stdout).toContain('Nothing was sent.')
    await notify(site, [url], ['--workspace', 'closed'])
    const bodies = received.map(({ body }) => JSON.parse(body).workspaces)
    expect(bodies).toMatchObject([{ closed: [{ type: 'published', slug: 'hidden' }] }])
    expect(Object.keys(bodies[0])).toEqual(['closed'])
  })

  it('names a post that came due since the build', async () => {
    const site = await changedSite({ publishedAt: '2020-07-01T00:00:00Z' })
    const { url, received } = await receiver([200])
    await notify(site, [url])
    expect(JSON.parse(received[0]?.body ?? '').workspaces).toMatchObject({
      acme: [{ type: 'published', slug: 'two', at: '2020-07-01T00:00:00.000Z' }],
    })
  })

  it('gives up a receiver that never responds, and one that is not there', async () => {
    const site = await changedSite()
    const { url } = await receiver([0])
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const gone = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
    closed.close()
    const { exitCode, stderr } = await notify(site, [url, gone], ['--deadline', '300'])
    expect(exitCode).toBe(1)
    expect(stderr.split('\n').sort()).toEqual(
      [
        `error: ${url} (--url 1) failed: no response within 0.3 s, after 3 attempts.`,
        `error: ${gone} (--url 2) failed: ECONNREFUSED, after 3 attempts.`,
        '',
      ].sort(),
    )
  })

  it.each([
    [301, 'status 301, a redirect'],
    [307, 'status 307, a redirect'],
    [404, 'status 404'],
  ])('tries once where the status is %i', async (status, problem) => {
    const site = await changedSite()
    const { url, received } = await receiver([status, 200])
    const { exitCode, stderr } = await notify(site, [url])
    expect([exitCode, stderr]).toEqual([1, `error: ${url} (--url 1) failed: ${problem}.\n`])
    expect(received).toHaveLength(1)
  })

  it('tries once at a port that fetch refuses', async () => {
    const site = await changedSite()
    const { exitCode, stderr } = await notify(site, ['http://127.0.0.1:6000/hook'])
    const problem = 'fetch does not connect to this port'
    expect([exitCode, stderr]).toEqual([
      1,
      `error: http://127.0.0.1:6000 (--url 1) failed: ${problem}.\n`,
    ])
  })

  it('sends credentials, and prints neither them nor a path', async () => {
    const site = await changedSite()
    const { url, received } = await receiver([404])
    const secretUrl = `${url.replace('//', '//user:p%40ss@')}/token-in-path?token=in-query`
    const { stdout, stderr } = await notify(site, [secretUrl])
    expect(received[0]?.headers.authorization).toBe(`Basic ${btoa('user:p@ss')}`)
    expect(stdout + stderr).not.toMatch(/user|p@ss|p%40ss|token/)
    const wrong = await notify(site, ['ftp://user:p%40ss@example.com/token'])
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' })
    expect(wrong.stderr).toBe('error: --url 1 is not an http or https URL.\n')
  })

  it('ends with 2 for wrong use, and sends nothing', async () => {
    const site = await changedSite()
    const { url, received } = await receiver([200])
    const failure = async (...rest: [(readonly string[])?, Readonly<Record<string, string>>?]) => {
      const { exitCode, stderr } = await notify(site, [url], ...rest)
      return [exitCode, stderr]
    }
    expect(await failure([], {})).toEqual([
      2,
      expect.stringContaining('QUARRY_NOTIFY_SECRET is not set. Create one'),
    ])
    const short = await failure([], { QUARRY_NOTIFY_SECRET: 'short-secret' })
    expect(short).toEqual([2, expect.stringContaining('is shorter than 16 characters')])
    expect(short[1]).not.toContain('short-secret')
    expect(await failure(['--since', 'unknown'])).toEqual([
      2,
      'error: The changes since build unknown are not recorded in this output folder.\n',
    ])
    expect(await failure(['--workspace', 'none'])).toEqual([
      2,
      'error: The build has no workspace none.\n',
    ])
    site.write('quarry.config.json', '{}')
    expect(await failure()).toEqual([
      2,
      'error: The site records no changes. Add `changes: true` to the configuration.\n',
    ])
    expect(received).toEqual([])
  })
})

describe('the workflow of docs/webhooks.md', () => {
  it('notifies after the upload, with the history of earlier builds and the build that was served', () => {
    const [block = ''] = blocksOf(document, 'yaml')
    const { steps } = parse(block)
    const at = (text: string) =>
      steps.findIndex((step: object) => JSON.stringify(step).includes(text))
    const order = ['npm ci', 'actions/cache', 'quarry build', 'upload.sh', 'quarry notify'].map(at)
    expect(order).toEqual([1, 2, 3, 4, 5])
    expect(steps[2].with.path.trim().split('\n')).toContain('dist')
    expect(steps[3].run).toMatch(/^curl .+\/status.+> served-build\nnpx quarry build\n$/)
    expect(steps[5].run).toContain('--since "$(cat served-build)"')
    const variable = steps[5].env.QUARRY_NOTIFY_SECRET
    expect(variable).toMatch(/^\$\{\{ secrets\.\w+ \}\}$/)
  })
})
