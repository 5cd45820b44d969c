// What Netlify's cache may keep of the responses of a function, and by which parameters it tells requests apart.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { QuarryConfig } from '../../src/config.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { downloadHeader, imageHeaders } from '../../src/hosts/function.ts'
import { createNetlifyHandler } from '../../src/hosts/netlify.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** The function of a site whose workspace `timed` has a scheduled post. */
async function functionOf(settings = '', config: QuarryConfig = {}) {
  const site = temporarySite(config)
    .write('content/acme/workspace.yml', `references: create\n${settings}`)
    .write('content/timed/workspace.yml', 'references: create\n')
    .post('now', {}, 'Text.\n', 'timed')
    .post('later', { publishedAt: '2999-01-01' }, 'Text.\n', 'timed')
    .write('content/vault/workspace.yml', 'v1: private\n')
    .posts(12)
  const { manifest } = await site.build()
  const { folder } = deploy('netlify', { out: site.out, manifest })
  vi.stubEnv('QUARRY_RATE_LIMIT', '100/1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const handler = createNetlifyHandler(pathToFileURL(join(folder, 'functions/quarry/function/')))
  return async (target: string) => {
    const request = new Request(`https://host.invalid${target}`)
    return (await handler(request, { ip: '192.0.2.7' })).headers
  }
}

it('a response is kept where its path and its known parameters say what it is', async () => {
  const send = await functionOf()
  const kept: Record<string, string | null> = {}
  const forever = 'public, durable, max-age=31536000'
  const expected = {
    '/v1/acme/posts': forever,
    '/v1/acme/posts?page=1&utm_source=x': forever,
    '/v1/timed/posts': 'public, durable, max-age=300',
    '/v1/acme/posts?foo=1': null,
    '/v1/acme/posts?limit=0': null,
    '/v1/acme/posts?tags=a&tags=b': null,
    '/v1/acme/posts?%70age=1': null,
    '/v1/acme/posts?query=a+b': null,
    '/v1/acme/posts/': null,
    '/v1/vault/posts': null,
    '/v2/posts': null,
    '/openapi.json': null,
  }
  for (const target of Object.keys(expected))
    kept[target] = (await send(target)).get('netlify-cdn-cache-control')
  expect(kept).toEqual(expected)
  const headers = await send('/v1/acme/posts')
  expect(headers.get('netlify-vary')).toMatch(/^query=limit\|page\|order\|.*\bstrict\b/)
  expect([...headers.keys()].join()).not.toContain('ratelimit')
})

it('a response to the pages of one origin is not kept, as other pages may not read it', async () => {
  const send = await functionOf('', { http: { cors: ['https://example.com'] } })
  expect((await send('/v1/acme/posts')).get('netlify-cdn-cache-control')).toBeNull()
})

it('filters of collections tell kept responses apart', async () => {
  const fields = '{ kind: { type: text, index: true } }'
  const send = await functionOf(`collections: { books: { folder: books, fields: ${fields} } }\n`)
  const headers = await send('/v1/acme/collections/books?fields.kind=a')
  expect(headers.get('netlify-cdn-cache-control')).toContain('durable')
  expect(headers.get('netlify-vary')).toBe('query')
})

it('images and downloads have the headers that the function gives them', () => {
  const path = join(import.meta.dirname, '../../examples/hosts/netlify/public/_headers')
  const lines = (headers: typeof imageHeaders) =>
    headers.map((header) => `  ${header.join(': ')}\n`)
  expect(readFileSync(path, 'utf8')).toBe(
    [
      ...['/media/*\n', ...lines(imageHeaders), '/media/:workspace/files/*\n'],
      ...lines([downloadHeader, ['content-type', 'application/octet-stream']]),
    ].join(''),
  )
})
