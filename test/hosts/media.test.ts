// Images as `quarry serve` and `quarry dev` give them, over real HTTP.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pictureBytes } from '../conformance/picture.ts'
import { type Running, start } from '../support/command-line.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
/** Larger than a part of a stream, and well compressible. */
const bytes = Buffer.concat([pictureBytes, Buffer.from('image '.repeat(100_000))])
let path = ''

beforeAll(async () => {
  const post = '---\ntitle: First\ncategory: news\ndate: 2026-01-01\n---\n![](a.png)\n'
  site
    .write('content/日本/posts/a.png', bytes)
    .write('content/日本/categories/news.md', '---\nname: News\n---\n')
    .write('content/日本/posts/first.md', post)
    .write('content/closed/workspace.yml', 'v1: private\n')
  await site.build()
  path = /src="([^"]+)"/.exec(site.json('public/v1/日本/posts/first.json').post.content)?.[1] ?? ''
})
afterAll(() => rmSync(site.folder, { recursive: true }))

describe.each([
  ['serve', /^Serving build .* at (\S+)$/m],
  ['dev', /Serving (http:[^\s,]+)/],
])('an image of quarry %s', (command, pattern) => {
  let running: Running
  let url = ''
  beforeAll(async () => {
    running = start(site.folder, [command, '--port', '0'])
    url = (await running.waitFor(pattern))[1] ?? ''
  })
  afterAll(async () => {
    running.stop('SIGTERM')
    await running.ended
  })
  const get = (init: RequestInit = {}) => fetch(`${url}${path}`, init)

  it('is given with its type, for ever, to any page, and not to be taken for anything else', async () => {
    const response = await get({ headers: { 'accept-encoding': 'br' } })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.has('content-encoding')).toBe(false)
  })

  it('is confirmed to those who have it, described to HEAD, and only read', async () => {
    const head = await get({ method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    const again = await get({ headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const posted = await get({ method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it.each([
    ['of another name', () => path.replace(/[0-9a-f]{32}/, '0'.repeat(32))],
    ['of another type', () => path.replace('.png', '.svg')],
    ['of a closed workspace', () => path.replace(/media\/[^/]+/, 'media/closed')],
    ['above the folder', () => path.replace(/media\/[^/]+/, 'media/..%2f..%2fprivate')],
    ['of no encoding', () => path.replace(/media\/[^/]+/, 'media/%E0')],
    ['that is a link', () => path.replace(/[0-9a-f]{32}/, 'a'.repeat(32))],
    ['that is a folder', () => path.replace(/[0-9a-f]{32}.*/, '')],
  ])('%s is not there', async (name, target) => {
    if (name === 'that is a link' && command === 'serve') {
      writeFileSync(join(site.folder, 'secret'), 'secret')
      symlinkSync(join(site.folder, 'secret'), join(site.out, `public${decodeURI(target())}`))
    }
    const { hostname, port } = new URL(url)
    const status = await new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path: target() }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end()
    })
    expect([404, 308]).toContain(status)
  })

  it.runIf(command === 'dev')('is there as soon as a response names it, and stays', async () => {
    const other = Buffer.concat([pictureBytes, Buffer.from('another')])
    site.write('content/日本/posts/a.png', other)
    const named = async () => {
      const reply = await (await fetch(`${url}/v1/日本/posts/first`)).text()
      return /src=\\"([^"\\]+)/.exec(reply)?.[1] ?? ''
    }
    await expect.poll(named, { timeout: 20_000 }).not.toBe(path)
    const address = await named()
    const shown = async () => Buffer.from(await (await fetch(url + address)).arrayBuffer())
    expect(await shown()).toEqual(other)
    // Content with errors keeps the last responses up.
    site.write('content/日本/posts/broken.md', 'no front matter\n')
    site.write('content/日本/posts/a.png', pictureBytes)
    expect(await shown()).toEqual(other)
  })
})
