// Images as `quarry serve` gives them, over real HTTP.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOutput } from '../../src/build/output.ts'
import { compressing } from '../../src/hosts/compression.ts'
import { builtImages, withMedia } from '../../src/hosts/folder.ts'
import { listen, type NodeServer } from '../../src/hosts/server.ts'
import { pictureBytes } from '../conformance/picture.ts'
import { type Running, start } from '../support/command-line.ts'
import { type ServedFolder, serveFolder } from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
/** Larger than a piece of a stream, and well compressible. */
const bytes = Buffer.concat([pictureBytes, Buffer.from('image '.repeat(100_000))])
let served: ServedFolder
let server: NodeServer
let path = ''

beforeAll(async () => {
  site
    .write('content/日本/posts/a.png', bytes)
    .write('content/日本/categories/news.md', '---\nname: News\n---\n')
    .write(
      'content/日本/posts/first.md',
      '---\ntitle: First\ncategory: news\ndate: 2026-01-01\n---\n![](a.png)\n',
    )
    .write('content/closed/workspace.yml', 'v1: private\n')
  await site.build()
  served = await serveFolder(site.out)
  const handler = withMedia(compressing(served.handler()), builtImages(site.out), () => served.site)
  server = await listen(handler, { host: '127.0.0.1', port: 0 })
  const { post } = site.json('public/v1/日本/posts/first.json')
  path = /src="([^"]+)"/.exec(post.content)?.[1] ?? ''
})

afterAll(async () => {
  await server.close(0)
  served.close()
  rmSync(site.folder, { recursive: true })
})

const get = (target: string, init: RequestInit = {}) => fetch(`${server.url}${target}`, init)

describe('an image', () => {
  it('is given with its type, for ever, to any page, and not to be taken for anything else', async () => {
    const response = await get(path, { headers: { 'accept-encoding': 'br' } })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.has('content-encoding')).toBe(false)
  })

  it('is confirmed to those who have it, and HEAD says the same without it', async () => {
    const head = await get(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    const etag = head.headers.get('etag') ?? ''
    const again = await get(path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('is only read, and may be asked for by any page', async () => {
    const posted = await get(path, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await get(path, { method: 'OPTIONS' })).status).toBe(204)
  })

  it.each([
    ['of another name', () => path.replace(/[0-9a-f]{32}/, '0'.repeat(32))],
    ['of another type', () => path.replace('.png', '.svg')],
    ['of no type', () => path.replace('.png', '.json')],
    ['of another workspace', () => path.replace(/media\/[^/]+/, 'media/nobody')],
    ['of a closed workspace', () => path.replace(/media\/[^/]+/, 'media/closed')],
    ['above the folder', () => path.replace(/media\/[^/]+/, 'media/..%2f..%2fprivate')],
    ['by dots', () => path.replace(/media\/[^/]+/, 'media/..')],
    ['of no encoding', () => path.replace(/media\/[^/]+/, 'media/%E0')],
    ['without a name', () => '/media'],
    ['of the prototype', () => path.replace(/media\/[^/]+/, 'media/__proto__')],
    ['that is a link', () => path.replace(/[0-9a-f]{32}/, 'a'.repeat(32))],
    ['that is a folder', () => path.replace(/[0-9a-f]{32}.*/, '')],
  ])('%s is not there', async (name, target) => {
    if (name === 'that is a link') {
      writeFileSync(join(site.folder, 'secret'), 'secret')
      symlinkSync(join(site.folder, 'secret'), join(site.out, `public${decodeURI(target())}`))
    }
    const { status, type } = await raw(target())
    expect([404, 308]).toContain(status)
    expect(type === 'application/json' || type === undefined).toBe(true)
  })
})

/** As it is typed: `fetch` takes dots out of paths. */
function raw(target: string): Promise<{ status: number | undefined; type: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path: target }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, type: response.headers['content-type'] })
    })
      .on('error', reject)
      .end()
  })
}

describe.each([
  ['serve', /^Serving build .* at (\S+)$/m],
  ['dev', /Serving (http:[^\s,]+)/],
])('quarry %s', (command, pattern) => {
  it('gives images', async () => {
    const running: Running = start(site.folder, [command, '--port', '0'])
    try {
      const [, url = ''] = await running.waitFor(pattern)
      const response = await fetch(`${url}${path}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await response.arrayBuffer()).byteLength).toBe(bytes.length)
    } finally {
      running.stop('SIGTERM')
      await running.ended
    }
  })
})

it('is there in quarry dev as soon as an answer names it, also where nothing can be written', async () => {
  const running: Running = start(site.folder, ['dev', '--port', '0'])
  const [, url = ''] = await running.waitFor(/Serving (http:[^\s,]+)/)
  // Somebody else writes to the output folder: what is new cannot be written there.
  const folder = await openOutput(site.out, site.content)
  try {
    const other = Buffer.concat([pictureBytes, Buffer.from('another')])
    site.write('content/日本/posts/a.png', other)
    let address = path
    while (address === path) {
      const reply = await (await fetch(`${url}/v1/日本/posts/first`)).text()
      address = /src=\\"([^"\\]+)/.exec(reply)?.[1] ?? ''
    }
    expect(Buffer.from(await (await fetch(url + address)).arrayBuffer())).toEqual(other)
  } finally {
    folder.close()
    running.stop('SIGTERM')
    await running.ended
  }
})

it('is never given other bytes than its name says, while content with errors keeps old answers up', async () => {
  const running: Running = start(site.folder, ['dev', '--port', '0'])
  const [, url = ''] = await running.waitFor(/Serving (http:[^\s,]+)/)
  try {
    const reply = await (await fetch(`${url}/v1/日本/posts/first`)).text()
    const [, address = ''] = /src=\\"([^"\\]+)/.exec(reply) ?? []
    const shown = Buffer.from(await (await fetch(url + address)).arrayBuffer())
    site.write('content/日本/posts/broken.md', 'no front matter\n')
    site.write(
      'content/日本/posts/a.png',
      Buffer.concat([pictureBytes, Buffer.from('quite another')]),
    )
    const response = await fetch(url + address)
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, shown])
  } finally {
    running.stop('SIGTERM')
    await running.ended
  }
})
