// What Netlify's cache may keep of the responses of a function. test/blackbox has which of them, and for how long.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { QuarryConfig } from '../../src/config.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { downloadHeader, imageHeaders } from '../../src/hosts/function.ts'
import { createNetlifyHandler } from '../../src/hosts/netlify.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** The headers of the list of posts of a site. */
async function headersOf(config: QuarryConfig = {}): Promise<Headers> {
  const site = temporarySite(config).post('one')
  const { manifest } = await site.build()
  const { folder } = deploy('netlify', { out: site.out, manifest })
  vi.stubEnv('QUARRY_RATE_LIMIT', '100/1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const handler = createNetlifyHandler(pathToFileURL(join(folder, 'functions/quarry/function/')))
  const request = new Request('https://host.invalid/v1/acme/posts')
  return (await handler(request, { ip: '192.0.2.7' })).headers
}

it('kept responses differ by the parameters that are known, and say nothing of one client', async () => {
  const headers = await headersOf()
  expect(headers.get('netlify-vary')).toMatch(/^query=limit\|page\|order\|.*\bstrict\b/)
  expect([...headers.keys()].join()).not.toContain('ratelimit')
})

it('a response to the pages of one origin is not kept, as other pages may not read it', async () => {
  const headers = await headersOf({ http: { cors: ['https://example.com'] } })
  expect(headers.get('netlify-cdn-cache-control')).toBeNull()
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
