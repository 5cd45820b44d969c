import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { createLambdaHandlers, type HttpEvent } from '../../src/hosts/aws-lambda.ts'
import { type EventSource, eventOf } from '../support/lambda-events.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

function eventFor(
  source: EventSource,
  path: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
): HttpEvent {
  const event = eventOf(source, new Request(`https://host.invalid${path}`))
  const { requestContext } = event
  return {
    ...event,
    headers: { ...event.headers, ...headers },
    requestContext: { ...requestContext, http: { ...requestContext.http, method } },
  }
}

async function handlerOf(site: TemporarySite) {
  await site.build()
  return createLambdaHandlers(pathToFileURL(`${join(site.out, 'function')}/`)).handler
}

describe('the handler of a Lambda function', () => {
  const v1 = ['error', 'details', 'message']
  it.each<[string, string, Readonly<Record<string, string>>, number, readonly string[]]>([
    ['TRACE', '/v1/acme/posts', {}, 405, v1],
    ['CONNECT', '/v2/posts', {}, 405, ['error', 'message']],
    ['G\0ET', '/v1/acme/posts', {}, 400, v1],
    ['GET', '/v1/acme/posts', { 'x-odd': 'a\nb' }, 400, v1],
    ['GET', '/v2/posts', { 'x-odd': 'snow ☃' }, 400, ['error', 'message', 'details']],
    ['GET', '/v1/acme/posts', { 'odd name': 'a' }, 400, v1],
    ['GET', '/v1/acme/posts', { 'x-odd': '\xe9' }, 200, ['posts', 'pagination']],
  ])(
    'answers %j of %s with %j in the form of its version',
    async (method, path, headers, status, keys) => {
      const handler = await handlerOf(temporarySite().post('first'))
      for (const source of ['function URL', 'HTTP API'] as const) {
        const result = await handler(eventFor(source, path, method, headers))
        expect(result.statusCode, source).toBe(status)
        expect(result.headers['x-request-id'], source).toMatch(/^[\w-]{8,}$/)
        expect(result.headers['allow']).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined)
        expect(Object.keys(JSON.parse(result.body))).toEqual(keys)
      }
    },
  )

  it('answers with a logged 500 where a long body fails halfway', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const site = temporarySite()
    for (let number = 0; number < 4; number++) site.post(`p-${number}`, {}, 'text '.repeat(80_000))
    const handler = await handlerOf(site)
    const folder = join(site.out, 'function/data')
    for (const name of readdirSync(folder).filter((each) => each.startsWith('part-')))
      writeFileSync(join(folder, name), 'short')
    const result = await handler(eventFor('function URL', '/v1/acme/posts?limit=all', 'GET'))
    expect(result.statusCode).toBe(500)
    expect(log).toHaveBeenCalled()
    log.mockRestore()
  })
})
