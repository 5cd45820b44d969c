// Every host responds to a table of requests as the function in this process does, and as its own description says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { createHandler } from '../../src/runtime/handler.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import type { FixtureKey } from './fixture.ts'
import { type Asking, type HostUnderTest, openAsking, type RequestOptions } from './host.ts'
import { requestHandler } from './hosts.ts'

/** A line of the table. */
interface Line {
  readonly target: string
  readonly key: FixtureKey | null
  readonly options: RequestOptions
}

const [, table = ''] = readFileSync(join(import.meta.dirname, 'requests.txt'), 'utf8').split(
  /\n\n(.*)/s,
)
const lines = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line): readonly [string, Line] => {
    const [request = '', ...headers] = line.split(' | ')
    const [, method = '', target = '', key = null] = /^(\S+) (\S+)(?: @(\w+))?/.exec(request) ?? []
    const sent = headers.map((header) => header.split(': ') as [string, string])
    const options = { method, headers: Object.fromEntries(sent) }
    return [line, { target, key: key as FixtureKey | null, options }]
  })

const compared = [
  ...['content-type', 'cache-control', 'etag', 'location', 'allow', 'www-authenticate'],
  ...['x-ignored-parameters', 'access-control-allow-origin', 'access-control-allow-headers'],
]

/** Headers of a file that a host serves by itself are the host's, as far as they are not about its content. */
const comparedOfFiles = ['content-type', 'location', 'access-control-allow-origin']

/** Defines the cases. */
export function defineResponses(hostOf: () => HostUnderTest | undefined): void {
  let host: Asking
  let reference: Asking
  let build = ''
  let isFileHost = false

  beforeAll(async () => {
    const opened = hostOf()
    if (opened === undefined) throw new Error('the host is not open')
    isFileHost = 'stopFunction' in opened
    host = await openAsking(opened)
    const site = await openBuild(createFileStorage(join(opened.out, 'function')))
    build = site.build
    const handler = createHandler({ site }, { rateLimit: 'off' })
    reference = await openAsking({ ...opened, request: requestHandler(handler) })
  })

  it.each(lines)('responds as the function does: %s', async (_, { target, key, options }) => {
    const path = target
      .replace('{build}', build)
      .replace(/\{(.)\*(\d+)\}/, (_, letter: string, count: string) => letter.repeat(Number(count)))
    const { hidden, keys } = host.site
    const authorization: Record<string, string> =
      key === null ? {} : { authorization: `Bearer ${keys[key]}` }
    const send = async ({ ask }: Asking) => {
      const plain = { 'accept-encoding': 'identity', ...authorization }
      const tag = async () => (await ask(path, { headers: plain })).header('etag') ?? ''
      const headers: Record<string, string> = { ...plain }
      for (const [name, value] of Object.entries(options.headers ?? {}))
        headers[name] = value.includes('{etag}') ? value.replace('{etag}', await tag()) : value
      return ask(path, { ...options, headers })
    }
    const [response, expected] = [await send(host), await send(reference)]
    const withoutId = (text: string) => text.replace(/Request [\w-]{36}/, '')
    expect([response.status, withoutId(response.text)]).toEqual([
      expected.status,
      withoutId(expected.text),
    ])
    const names = isFileHost ? comparedOfFiles : compared
    for (const name of names) {
      // An empty body has no type, or that which the host gives it.
      if (name === 'content-type' && expected.header(name) === null) continue
      expect(response.header(name), name).toBe(expected.header(name))
    }
    const varies = (reply: typeof response) => /\bAuthorization\b/i.test(reply.header('vary') ?? '')
    expect(varies(response)).toBe(varies(expected))
    // Whatever is compared: what is hidden is nowhere.
    if (!path.includes('status='))
      for (const slug of hidden) expect(response.text.includes(`"${slug}"`), slug).toBe(false)
  })

  it('has an id for every response', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await host.ask('/status')).header('x-request-id')),
    )
    expect(new Set(ids).size).toBe(3)
  })
}
