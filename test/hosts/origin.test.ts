// Functions that read a build from an HTTP origin.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLambdaHandlers } from '../../src/hosts/aws-lambda.ts'
import { functionHost } from '../../src/hosts/folder.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import { createNetlifyHandler } from '../../src/hosts/netlify.ts'
import { createVercelHandler } from '../../src/hosts/vercel.ts'
import { keys } from '../blackbox/site.ts'
import { eventOf } from '../support/lambda-events.ts'
import { type OriginServer, openOrigin } from '../support/origin-server.ts'
import { respondAt } from '../support/process.ts'
import { buildSample, openTargets } from '../support/sample-site.ts'
import { plain } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** A function; everything that it logs is in `faults`. */
function functionOf(environment: Record<string, string>, folder = '/nowhere/') {
  const faults: unknown[] = []
  const handler = createFunctionHandler({
    ...functionHost(new URL(`file://${folder}`)),
    environment: { QUARRY_RATE_LIMIT: 'off', ...environment },
    onError: (error) => faults.push(error),
  })
  const send = async (target: string, headers: Record<string, string> = {}) =>
    plain(await handler(new Request(`https://host.invalid${target}`, { headers }), '192.0.2.1'))
  return { send, faults }
}

it.each([true, false])(
  'a function with an origin responds as one with the same files in its folder, drafts and errors included, with ranges: %s',
  async (hasRanges) => {
    const fixture = await buildSample()
    const origin = await openOrigin(join(fixture.out, 'function'))
    Object.assign(origin, { hasRanges, authorization: 'Bearer secret' })
    const site = { QUARRY_SITE: origin.url, QUARRY_SITE_AUTHORIZATION: 'Bearer secret' }
    const [far, near] = [functionOf(site), functionOf({}, `${origin.folder}/`)]
    const authorization = `Bearer ${keys['full']}`
    const keyed = ['/v2/posts?query=needle', '/v2/posts?status=all', '/v2/tags', '/v2/nothing']
    for (const target of [...openTargets, ...keyed]) {
      const headers = target.startsWith('/v2') ? { authorization } : {}
      expect(await far.send(target, headers), target).toEqual(await near.send(target, headers))
    }
    expect(far.faults).toEqual([])
  },
)

describe('an origin', () => {
  let site: TemporarySite
  let origin: OriginServer
  let far: ReturnType<typeof functionOf>
  const list = '/v1/acme/posts?limit=2'
  const first = async () => JSON.parse((await far.send(list)).body).posts[0].slug
  const status = async () => JSON.parse((await far.send('/status')).body)

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    site = temporarySite().posts(3)
    await site.build()
    origin = await openOrigin(join(site.out, 'function'))
    far = functionOf({ QUARRY_SITE: origin.url })
  })
  afterEach(() => void vi.useRealTimers())
  /** Ten seconds later, the root may be another. */
  const later = () => vi.setSystemTime(Date.now() + 10_000)

  it('is read again after 10 s: the next root is used whole, data once, and no older root again', async () => {
    expect(await first()).toBe('post-3')
    const { manifest } = await site.posts(4).build()
    origin.modified += 1000
    origin.sent.splice(0)
    expect([await first(), origin.sent]).toEqual(['post-3', []])
    later()
    expect(await first()).toBe('post-4')
    expect((await status()).build).toBe(manifest.build)
    expect((await far.send('/v1/acme/posts?query=post-1')).body).toContain('post-1')
    const names = origin.sent.map(({ name }) => name)
    origin.sent.splice(0)
    later()
    expect([await first(), origin.sent]).toEqual([
      'post-4',
      [{ name: 'root.json', status: 304, bytes: 0 }],
    ])
    expect(names.filter((name) => name.includes('index-'))).toHaveLength(1)
    await site.remove('content/acme/posts/post-4.md').build()
    origin.modified -= 5000
    later()
    expect(await first()).toBe('post-4')
    expect(await status()).toEqual({ status: 'ok', build: manifest.build })
    origin.modified += 6000
    later()
    expect(await first()).toBe('post-3')
    expect(far.faults).toEqual([])
  })

  it.each(['down', 'slow', 'truncated', 'wrong'] as const)(
    'that is %s changes no response, which is told in the log and in /status',
    async (fault) => {
      const before = await far.send(list)
      const { build } = await status()
      await site.posts(4).build()
      origin.fault = fault
      later()
      const answer = far.send(list)
      // A slow origin is not waited for longer.
      if (fault === 'slow') await vi.advanceTimersByTimeAsync(5000)
      expect(await answer).toEqual(before)
      if (fault !== 'slow') {
        const since = new Date(Date.now()).toISOString()
        expect(await status()).toEqual({ status: 'ok', build, originFailingSince: since })
        expect(far.faults).toHaveLength(1)
      }
      if (fault === 'slow') await vi.advanceTimersByTimeAsync(55_000)
      origin.fault = 'none'
      later()
      expect(await first()).toBe('post-4')
      expect(Object.keys(await status())).toEqual(['status', 'build'])
    },
  )

  it('whose next build is not complete is as good as the one before', async () => {
    const before = await far.send(list)
    await site.posts(4).build()
    const { index } = site.json('function/root.json').root.workspaces[0]
    rmSync(join(origin.folder, index))
    later()
    expect(await far.send(list)).toEqual(before)
    expect(far.faults.map(String)).toEqual([`Error: ${origin.url}${index} responded with 404.`])
  })

  it('that was never read is a 500, and tried again with the next request', async () => {
    origin.fault = 'wrong'
    expect((await far.send(list)).status).toBe(500)
    expect((await far.send('/v2/posts')).status).toBe(401)
    origin.fault = 'none'
    expect(await first()).toBe('post-3')
  })

  it('that closes a connection is asked once more', async () => {
    for (const target of [list, '/v1/acme/posts?query=text']) {
      origin.dropped = 1
      expect((await far.send(target)).status).toBe(200)
    }
    expect([origin.dropped < 0, far.faults]).toEqual([true, []])
  })
})

it.each(['AWS Lambda', 'Netlify', 'Vercel'])('is what a function on %s reads', async (host) => {
  const site = temporarySite().posts(2)
  await site.build()
  const origin = await openOrigin(join(site.out, 'function'))
  vi.stubEnv('QUARRY_SITE', origin.url)
  vi.stubEnv('QUARRY_SITE_AUTHORIZATION', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = new URL('file:///nowhere/')
  const request = new Request('https://host.invalid/v1/acme/posts?query=text')
  const respond = async (): Promise<string> => {
    if (host === 'AWS Lambda')
      return (await createLambdaHandlers(folder).handler(eventOf('function URL', request))).body
    if (host === 'Netlify') {
      const response = await createNetlifyHandler(folder)(request, {})
      // Netlify's cache would keep a response until the next deployment.
      expect(response.headers.get('netlify-cdn-cache-control')).toMatch(/max-age=300$/)
      return response.text()
    }
    const url = await respondAt(createVercelHandler(folder))
    return (await fetch(`${url}/v1/acme/posts?query=text`)).text()
  }
  expect(JSON.parse(await respond()).pagination.totalItems).toBe(2)
})
