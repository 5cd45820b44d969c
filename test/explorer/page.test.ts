import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { explorerPage } from '../../src/build/explorer-page.ts'
import type { Workspace } from '../../src/model/library.ts'

const bytesMax = 26_000

function pageFor(...workspaces: readonly string[]): string {
  return Buffer.from(
    explorerPage(
      'static',
      workspaces.map((id) => ({ id, isV1Private: false }) as Workspace),
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

  it('holds names as data, whatever they are', () => {
    const name = '</script><script>alert(1)</script><!--$&'
    const page = pageFor(name)
    const data = between(page, '<script type="application/json" id="site">', '</script>')
    expect(JSON.parse(data)).toEqual({ mode: 'static', workspaces: [name] })
  })
})
