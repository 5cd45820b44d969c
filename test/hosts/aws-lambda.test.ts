import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it, vi } from 'vitest'
import {
  createLambdaHandlers,
  type LambdaHandlers,
  originEvent,
} from '../../src/hosts/aws-lambda.ts'
import { eventOf } from '../support/lambda-events.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let handler: LambdaHandlers['handler']

beforeAll(async () => {
  site.write('content/acme/workspace.yml', 'references: create\n')
  for (let number = 0; number < 4; number++) site.post(`p-${number}`, {}, 'text '.repeat(80_000))
  await site.build()
  handler = createLambdaHandlers(pathToFileURL(`${join(site.out, 'function')}/`)).handler
})

const v1 = ['error', 'details', 'message']
it.each<[string, string, Readonly<Record<string, string>>, number, readonly string[]]>([
  ['TRACE', '/v1/acme/posts', {}, 405, v1],
  ['CONNECT', '/v2/posts', {}, 405, ['error', 'message']],
  ['G\0ET', '/v1/acme/posts', {}, 400, v1],
  ['GET', '/v1/acme/posts', { 'x-odd': 'a\nb' }, 400, v1],
  ['GET', '/v2/posts', { 'x-odd': 'snow ☃' }, 400, ['error', 'message', 'details']],
  ['GET', '/v1/acme/tags/%E6%97%A5', { 'x-odd': '\xe9' }, 404, v1],
])(
  '%j of %s with %j is answered in the form of its version',
  async (method, path, headers, status, keys) => {
    for (const source of ['function URL', 'HTTP API'] as const) {
      const event = eventOf(source, new Request(`https://host.invalid${path}`))
      const { requestContext } = event
      const result = await handler({
        ...event,
        headers: { ...event.headers, ...headers },
        requestContext: { ...requestContext, http: { ...requestContext.http, method } },
      })
      expect(result.statusCode, source).toBe(status)
      expect(result.headers['x-request-id'], source).toMatch(/^[\w-]{8,}$/)
      expect(result.headers['allow']).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined)
      expect(Object.keys(JSON.parse(result.body))).toEqual(keys)
    }
  },
)

it('with a secret of its origin, a function takes the target and the client from CloudFront alone', () => {
  const event = eventOf('function URL', new Request('https://host.invalid/files/v1/a.json'))
  const read = (headers: Record<string, string>, secret?: string) => {
    const read = originEvent({ ...event, headers: { host: 'x', ...headers } }, secret)
    return [read.rawPath, read.rawQueryString, read.requestContext.http.sourceIp, read.headers]
  }
  const sent = { 'x-quarry-target': '/v1/a?limit=2', 'x-quarry-client': '192.0.2.9' }
  const refused = expect.objectContaining({ status: 403 })
  expect(() => read(sent, 'secret')).toThrow(refused)
  expect(() => read({ ...sent, 'x-quarry-origin': 'another' }, 'secret')).toThrow(refused)
  const own = { host: 'x' }
  expect(read({ ...sent, 'x-quarry-origin': 'secret' }, 'secret')).toEqual([
    ...['/v1/a', 'limit=2', '192.0.2.9', own],
  ])
  // Without CloudFront, its headers are those of a client.
  expect(read(sent)).toEqual(['/files/v1/a.json', '', '192.0.2.7', own])
})

it('a long body that fails halfway is a logged 500', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const folder = join(site.out, 'function/data')
  for (const name of readdirSync(folder).filter((each) => each.startsWith('part-')))
    writeFileSync(join(folder, name), 'short')
  const long = new Request('https://host.invalid/v1/acme/posts?limit=all')
  const result = await handler(eventOf('function URL', long))
  expect(result.statusCode).toBe(500)
  const requestId = result.headers['x-request-id'] ?? 'none'
  expect(result.body).toContain(requestId)
  expect(log.mock.calls.flat().join()).toContain(requestId)
  log.mockRestore()
})
