// `derived` of posts, from workspace.yml to responses. Edits of it: incremental-clean.test.ts.
import { expect, it } from 'vitest'
import { pictureBytes } from '../conformance/picture.ts'
import { temporarySite } from '../support/temporary-site.ts'

const body = `Before *the* mark[^1].

<!-- more -->

## A heading

![A pixel](pixel.png) ![Far](https://example.com/x.png)

<h3>Raw</h3>

[^1]: A note.
`

it('derived is behind fields, with the values that the workspace names, in one order', async () => {
  const site = temporarySite()
    .write(
      'content/acme/workspace.yml',
      'derived: [images, toc, readingTime, wordCount, excerpt]\nfields: {rating: number}\n',
    )
    .write('content/acme/posts/pixel.png', pictureBytes)
    .post('one', {}, body)
  await site.build()
  const { post } = site.json('public/v1/acme/posts/one.json')
  expect(Object.keys(post).slice(-2)).toEqual(['fields', 'derived'])
  const { toc, images, ...others } = post.derived
  expect(Object.keys(post.derived)).toEqual([...Object.keys(others), 'toc', 'images'])
  expect(others).toEqual({ excerpt: 'Before the mark.', wordCount: 6, readingTimeSeconds: 2 })
  expect(toc).toEqual([
    { id: 'a-heading', text: 'A heading', depth: 2 },
    { id: 'raw', text: 'Raw', depth: 3 },
  ])
  const [pixel, far] = images
  const facts = { width: 1, height: 1, type: 'image/png', bytes: pictureBytes.length }
  expect(pixel).toEqual({ src: pixel.src, alt: 'A pixel', ...facts })
  expect(post.content).toContain(pixel.src)
  const none = { width: null, height: null, type: null, bytes: null }
  expect(far).toEqual({ src: 'https://example.com/x.png', alt: 'Far', ...none })
  const [listed] = site.json('public/v1/acme/posts/index.json').posts
  expect(listed.derived).toEqual(post.derived)
})
