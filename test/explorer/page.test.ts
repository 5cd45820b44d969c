import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.ts'
import { explorerPage } from '../../src/build/explorer-page.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')
const bytesMax = 30_000

function pageFor(...workspaces: readonly string[]): string {
  return Buffer.from(
    explorerPage(
      'static',
      workspaces.map((id) => ({ id, isV1Private: false })),
    ),
  ).toString()
}

/** What stands between two texts, the first time they do. */
function between(text: string, opening: string, closing: string): string {
  const start = text.indexOf(opening) + opening.length
  return text.slice(start, text.indexOf(closing, start))
}

describe('the page', () => {
  it(`is smaller than ${bytesMax} bytes, compressed`, () => {
    const page = pageFor('acme')
    const size = gzipSync(page).length
    process.stdout.write(`page: ${page.length} bytes, ${size} compressed\n`)
    expect(page.length).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(bytesMax)
  })

  it('loads nothing: no address of another host stands in it but that of a namespace', () => {
    const addresses = [...pageFor().matchAll(/(?:https?:)?\/\/[\w-]+\.[\w.-]+/g)].map(
      ([found]) => found,
    )
    expect(addresses.filter((found) => found !== 'http://www.w3.org')).toEqual([])
    expect(pageFor()).not.toMatch(/<(?:script|img|iframe)[^>]+src=|<link[^>]+stylesheet/)
  })

  it('allows itself its own script and style, by their hashes, and nothing else', () => {
    const page = pageFor()
    const policy = between(page, 'Content-Security-Policy" content="', '"')
    const hash = (text: string) => createHash('sha256').update(text).digest('base64')
    const script = between(page, '<script type="module">', '</script>')
    const style = between(page, '<style>', '</style>')
    const previewStyle = between(page, '<style id="preview-style" media="not all">', '</style>')
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash(script)}'`,
      `style-src 'sha256-${hash(style)}' 'sha256-${hash(previewStyle)}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types quarry-preview',
    ])
  })

  it('is the same, byte for byte, when it is made again', () => {
    const page = readFileSync(join(root, '.lib/explorer-page.html'), 'utf8')
    const module = new URL('../../packages/explorer/build.mjs', import.meta.url).href
    const script = `import { pageHtml } from ${JSON.stringify(module)}; process.stdout.write(await pageHtml())`
    const flags = ['--input-type=module', '--eval', script]
    const again = execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8' })
    expect(again === page).toBe(true)
  })

  it('holds names as data, whatever they are', () => {
    const name = '</script><script>alert(1)</script><!--$&'
    const page = pageFor(name)
    const data = between(page, '<script type="application/json" id="site">', '</script>')
    expect(JSON.parse(data)).toEqual({ mode: 'static', workspaces: [name] })
  })
})

describe('a build', () => {
  it('writes the page and the document, and names no workspace that v1 does not answer for', async () => {
    const site = temporarySite()
      .posts(2)
      .write('content/secret/workspace.yml', 'name: Secret\nv1: private\n')
    await site.build()
    expect(site.text('public/index.html')).toBe(pageFor('acme'))
    expect(site.json('public/openapi.json')).toEqual(openApiDocument())
  })

  it('names the base URL of the configuration as the server, in the file and from the function', async () => {
    const site = temporarySite({ baseUrl: 'https://content.example.com/' }).posts(1)
    await site.build()
    const document = site.json('public/openapi.json')
    expect(document.servers).toEqual([{ url: 'https://content.example.com' }])
    const folder = await serveFolder(site.out)
    onTestFinished(() => folder.close())
    const { text } = await askHandler(folder.handler(), '/openapi.json')
    expect(JSON.parse(text)).toEqual(document)
  })
})

describe('/openapi.json', () => {
  it('is the same from the function as from the file', async () => {
    const site = temporarySite().posts(2)
    await site.build()
    const folder = await serveFolder(site.out)
    const { text } = await askHandler(folder.handler(), '/openapi.json')
    expect(text).toBe(site.text('public/openapi.json'))
    folder.close()
  })
})

describe('/', () => {
  it('is the page for browsers, where the host can find it', async () => {
    const site = temporarySite().posts(2)
    await site.build()
    const folder = await serveFolder(site.out)
    const handler = folder.handler({ readPage: () => folder.readFile('public/index.html') })
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const page = await askHandler(handler, '/', { headers: { accept } })
    expect(page.text).toBe(site.text('public/index.html'))
    expect(page.header('content-type')).toBe('text/html; charset=utf-8')
    expect(page.header('content-security-policy')).toBe("frame-ancestors 'none'")
    const head = await askHandler(handler, '/', { method: 'HEAD', headers: { accept } })
    expect(head.bytes).toHaveLength(0)
    expect(head.header('content-length')).toBe(page.header('content-length'))
    folder.close()
  })

  it('is JSON for programs, and where there is no page', async () => {
    const site = temporarySite().posts(2)
    await site.build()
    const folder = await serveFolder(site.out)
    const readPage = () => folder.readFile('public/index.html')
    const asked = await Promise.all([
      askHandler(folder.handler({ readPage }), '/', {
        headers: { accept: '*/*' },
      }),
      askHandler(folder.handler({ readPage: () => null }), '/', {
        headers: { accept: 'text/html' },
      }),
      askHandler(folder.handler(), '/', { headers: { accept: 'text/html' } }),
    ])
    for (const { text } of asked) expect(JSON.parse(text)).toMatchObject({ service: 'quarry' })
    folder.close()
  })
})
