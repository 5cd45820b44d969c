// Images as `quarry serve` gives them, over real HTTP.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pixel } from '../blackbox/site.ts'
import { serve } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** The URL of the image in the post. */
async function imageOf(url: string): Promise<string> {
  const post = await (await fetch(`${url}/v1/日本/posts/first`)).text()
  return url + (/src=\\"([^"\\]+)/.exec(post)?.[1] ?? '')
}

const siteWith = (picture: Uint8Array) =>
  temporarySite()
    .write('content/日本/posts/a.png', picture)
    .write('content/日本/workspace.yml', 'references: create\n')
    .write(
      'content/日本/posts/first.md',
      '---\ntitle: First\ncategory: news\ndate: 2026-01-01\n---\n![](a.png)\n',
    )

it('quarry serve streams a long image as it is, and follows no link', async () => {
  // Larger than a part of a stream, and well compressible.
  const bytes = Buffer.concat([pixel, Buffer.from('image '.repeat(100_000))])
  const site = siteWith(bytes)
  await site.build()
  const image = await imageOf((await serve(site.folder)).url)
  const response = await fetch(image, { headers: { 'accept-encoding': 'br' } })
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(response.headers.has('content-encoding')).toBe(false)
  const linked = image.replace(/[0-9a-f]{32}/, 'a'.repeat(32))
  writeFileSync(join(site.folder, 'secret'), 'secret')
  symlinkSync(
    join(site.folder, 'secret'),
    join(site.out, `public${decodeURI(new URL(linked).pathname)}`),
  )
  expect((await fetch(linked)).status).toBe(404)
})
