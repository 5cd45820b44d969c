import { describe, expect, it } from 'vitest'
import type { DevEvent } from '../../src/build/explorer-page.ts'
import { createDevPage, type DevPage } from '../../src/hosts/dev-page.ts'
import type { HttpReply } from '../../src/runtime/http.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler } from '../support/served-site.ts'

const project = { root: '/project', folder: 'content', explain: async () => '{}' }

const own = { host: '127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }

const built = (build: string): DevEvent => ({
  type: 'built',
  build,
  milliseconds: 12,
  diagnostics: [],
})

/** Answers what the page leaves to others. */
const behind: Responder = async () => ({ status: 204, headers: [], body: null, source: 'none' })

async function listen(page: DevPage): Promise<AsyncIterator<Uint8Array>> {
  const { body }: HttpReply = await page.before(behind)({
    method: 'GET',
    target: '/_quarry/events',
    clientAddress: '127.0.0.1',
    header: (name) => (name === 'host' ? own.host : null),
  })
  if (body === null || body instanceof Uint8Array) throw new Error('this is no stream')
  return body[Symbol.asyncIterator]()
}

async function next(events: AsyncIterator<Uint8Array>): Promise<unknown> {
  const { value, done } = await events.next()
  if (done === true) return 'ended'
  const [, json = ''] = /^data: (.*)\n\n$/.exec(new TextDecoder().decode(value)) ?? []
  return JSON.parse(json)
}

describe('the stream of the dev page', () => {
  it('tells the last event at once, then each as it comes, to everyone', async () => {
    const page = createDevPage('127.0.0.1', project)
    page.send(built('one'))
    const streams = await Promise.all([listen(page), listen(page)])
    for (const events of streams) expect(await next(events)).toEqual(built('one'))
    const waiting = streams.map(next)
    page.send({ type: 'broken', diagnostics: [] })
    for (const told of waiting) expect(await told).toEqual({ type: 'broken', diagnostics: [] })
    page.close()
  })

  it('leaves out what a slow reader missed', async () => {
    const page = createDevPage('127.0.0.1', project)
    const events = await listen(page)
    for (const build of ['one', 'two', 'three']) page.send(built(build))
    expect(await next(events)).toEqual(built('three'))
    page.close()
  })

  it('ends when the server closes', async () => {
    const page = createDevPage('127.0.0.1', project)
    const events = await listen(page)
    const waiting = next(events)
    page.close()
    expect(await waiting).toBe('ended')
  })
})

describe('the content behind the dev page', () => {
  const ask = (headers: Readonly<Record<string, string>>, host = '127.0.0.1') =>
    askHandler(createDevPage(host, project).before(behind), '/_quarry/content', { headers })

  it.each([
    own,
    { host: 'localhost:4321' },
    { host: '[::1]:4321' },
    { ...own, 'sec-fetch-site': 'none' },
  ])('is for the page of this server: %o', async (headers) => {
    const { status, text, header } = await ask(headers)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ root: '/project', workspaces: [] })
    expect(header('access-control-allow-origin')).toBe(null)
  })

  it.each([
    { ...own, 'sec-fetch-site': 'cross-site' },
    { ...own, 'sec-fetch-site': 'same-site' },
    { ...own, host: 'rebound.example:4321' },
    { ...own, host: 'localhost.evil.example' },
    {},
  ])('is for nobody else: %o', async (headers) => {
    expect((await ask(headers)).status).toBe(403)
    const handler = createDevPage('127.0.0.1', project).before(behind)
    const explained = await askHandler(handler, '/_quarry/explain?target=/', { headers })
    expect(explained.status).toBe(403)
  })

  it('is found under the name that the server was given', async () => {
    expect((await ask({ host: 'Laptop.lan:4321' }, 'laptop.lan')).status).toBe(200)
  })

  it('is all that the page answers', async () => {
    const handler = createDevPage('127.0.0.1', project).before(behind)
    for (const target of ['/', '/_quarry', '/v1/acme/posts', '/_quarry/content/']) {
      expect((await askHandler(handler, target, { headers: own })).status).toBe(204)
    }
  })
})
