// `derived` of posts, from workspace.yml to responses.
import { describe, expect, it } from 'vitest'
import { pictureBytes } from '../conformance/picture.ts'
import { temporarySite } from '../support/temporary-site.ts'

const all = 'derived: [images, toc, readingTime, wordCount, excerpt]\n'
const body = `Before *the* mark[^1].

<!-- more -->

## A heading

![A pixel](pixel.png) ![Far](https://example.com/x.png)

<h3>Raw</h3>

[^1]: A note.
`

function postOf(site: ReturnType<typeof temporarySite>, name = 'one') {
  return site.json(`public/v1/acme/posts/${name}.json`).post
}

describe('derived', () => {
  it('is behind fields, with the values that the workspace names, in one order', async () => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', `${all}fields: {rating: number}\n`)
      .write('content/acme/posts/pixel.png', pictureBytes)
      .post('one', {}, body)
    const { diagnostics } = await site.build()
    expect(diagnostics).toEqual([])
    const post = postOf(site)
    expect(Object.keys(post).slice(-2)).toEqual(['fields', 'derived'])
    expect(Object.keys(post.derived)).toEqual([
      ...['excerpt', 'wordCount', 'readingTimeSeconds', 'toc', 'images'],
    ])
    expect(post.derived.excerpt).toMatch(/^Before the mark/)
    expect(post.derived.excerpt).not.toContain('heading')
    expect(post.derived.toc).toEqual([
      { id: 'a-heading', text: 'A heading', depth: 2 },
      { id: 'raw', text: 'Raw', depth: 3 },
    ])
    const far = { src: 'https://example.com/x.png', alt: 'Far' }
    const unknown = { width: null, height: null, type: null, bytes: null }
    expect(post.derived.images).toEqual([
      {
        src: expect.stringMatching(/^\/media\/acme\/[0-9a-f]{32}\.png$/),
        alt: 'A pixel',
        width: 1,
        height: 1,
        type: 'image/png',
        bytes: pictureBytes.length,
      },
      { ...far, ...unknown },
    ])
    expect(post.content).toContain(post.derived.images[0].src)
    const [listed] = site.json('public/v1/acme/posts/index.json').posts
    expect(listed.derived).toEqual(post.derived)
  })

  it('follows edits of body and setting as a clean build has it, and is read once', async () => {
    const site = temporarySite({ cache: 'cache' })
      .write('content/acme/workspace.yml', 'derived: [excerpt, wordCount]\n')
      .post('one', {}, 'One.\n\n<!-- more -->\n\nTwo.\n')
      .post('two')
    await site.build()
    expect((await site.build()).rendered).toBe(0)
    site.post('one', { description: 'Other front matter' }, 'One.\n\n<!-- more -->\n\nTwo.\n')
    expect((await site.build()).rendered).toBe(0)
    expect(postOf(site).derived).toEqual({ excerpt: 'One.', wordCount: 2 })
    site.post('one', {}, 'Other words here.\n')
    await site.build()
    expect(postOf(site).derived).toEqual({ excerpt: 'Other words here.', wordCount: 3 })
    site.write('content/acme/workspace.yml', 'derived: [wordCount]\n')
    const { manifest } = await site.build()
    expect(postOf(site).derived).toEqual({ wordCount: 3 })
    const clean = await site.build({ isForced: true })
    expect(clean.manifest.contentHash).toBe(manifest.contentHash)
  })
})
