import { describe, expect, it, onTestFinished } from 'vitest'
import type { DevEvent } from '../../src/build/explorer-page.ts'
import { createDevPage, type DevPage } from '../../src/hosts/dev-page.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler } from '../support/served-site.ts'

const own = { host: '127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }

/** Answers what the page leaves to others. */
const behind: Responder = async () => ({ status: 204, headers: [], body: null, source: 'none' })

function openPage(host = '127.0.0.1'): DevPage {
  const project = { root: '/project', folder: 'content', explain: async () => '{}' }
  const page = createDevPage(host, project)
  onTestFinished(() => page.close())
  return page
}

const built = (build: string): DevEvent => {
  return { type: 'built', build, milliseconds: 12, diagnostics: [] }
}

describe('the stream of the dev page', () => {
  const listen = async (page: DevPage) => {
    const request = { method: 'GET', target: '/_quarry/events', clientAddress: '127.0.0.1' }
    const header = (name: string) => (name === 'host' ? own.host : null)
    const { body } = await page.before(behind)({ ...request, header })
    if (body === null || body instanceof Uint8Array) throw new Error('this is no stream')
    const events = body[Symbol.asyncIterator]()
    return async () => {
      const { value, done } = await events.next()
      const [, json = ''] = /^data: (.*)\n\n$/.exec(new TextDecoder().decode(value)) ?? []
      return done === true ? 'ended' : JSON.parse(json)
    }
  }

  it('tells the last event at once, then each as it comes, to everyone, until it is closed', async () => {
    const page = openPage()
    page.send(built('one'))
    const streams = await Promise.all([listen(page), listen(page)])
    for (const next of streams) expect(await next()).toEqual(built('one'))
    const waiting = streams.map((next) => next())
    page.send({ type: 'broken', diagnostics: [] })
    for (const told of waiting) expect(await told).toEqual({ type: 'broken', diagnostics: [] })
    // A slow reader misses what came in between.
    for (const build of ['two', 'three']) page.send(built(build))
    for (const next of streams) expect(await next()).toEqual(built('three'))
    const ended = streams.map((next) => next())
    page.close()
    expect(await Promise.all(ended)).toEqual(['ended', 'ended'])
  })
})

describe('the content behind the dev page', () => {
  const ask = (headers: Readonly<Record<string, string>>, path = 'content', host?: string) =>
    askHandler(openPage(host).before(behind), `/_quarry/${path}`, { headers })

  it.each([own, { host: '[::1]:4321' }, { ...own, 'sec-fetch-site': 'none' }])(
    'is for the page of this server: %o',
    async (headers) => {
      const { status, text, header } = await ask(headers)
      expect(status).toBe(200)
      expect(JSON.parse(text)).toEqual({ root: '/project', workspaces: [] })
      expect(header('access-control-allow-origin')).toBe(null)
    },
  )

  it('is found under the name that the server was given', async () => {
    const { status } = await ask({ host: 'Laptop.lan:4321' }, 'content', 'laptop.lan')
    expect(status).toBe(200)
  })

  it.each([
    { ...own, 'sec-fetch-site': 'cross-site' },
    { ...own, 'sec-fetch-site': 'same-site' },
    { ...own, host: 'rebound.example:4321' },
    {},
  ])('is for nobody else: %o', async (headers) => {
    expect((await ask(headers)).status).toBe(403)
    expect((await ask(headers, 'explain?target=/')).status).toBe(403)
  })

  it('is all that the page answers', async () => {
    for (const path of ['', 'content/', '../v1/acme/posts'])
      expect((await ask(own, path)).status).toBe(204)
  })
})
