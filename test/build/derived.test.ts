// `derived` of posts, from workspace.yml to responses. Edits of it: incremental-clean.test.ts.
import { expect, it } from 'vitest'
import { pixel } from '../blackbox/site.ts'
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
    .write('content/acme/posts/pixel.png', pixel)
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
  const [near, far] = images
  const facts = { width: 1, height: 1, type: 'image/png', bytes: pixel.length }
  expect(near).toEqual({ src: near.src, alt: 'A pixel', ...facts })
  expect(post.content).toContain(near.src)
  const none = { width: null, height: null, type: null, bytes: null }
  expect(far).toEqual({ src: 'https://example.com/x.png', alt: 'Far', ...none })
  const [listed] = site.json('public/v1/acme/posts/index.json').posts
  expect(listed.derived).toEqual(post.derived)
})

it('the cover has its dimensions, after the rotation that a photo asks for', async () => {
  // A JPEG of 2 × 1 pixels in which EXIF asks for a turn by 90°.
  const turned = Buffer.from(
    'ffd8ffe100244578696600004d4d002a000000080001011200030000000100060000000000000000ffc0000b080001000201011100ffd9',
    'hex',
  )
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'derived: [cover]\n')
    .write('content/acme/posts/turned.jpg', turned)
    .post('one', { coverImage: './turned.jpg' })
    .post('far', { coverImage: 'https://example.com/x.png' })
    .post('none')
  await site.build()
  const derived = (name: string) => site.json(`public/v1/acme/posts/${name}.json`).post.derived
  const { cover } = derived('one')
  expect(cover).toMatchObject({ width: 1, height: 2, type: 'image/jpeg', bytes: turned.length })
  const none = { width: null, height: null, type: null, bytes: null }
  expect(derived('far')).toEqual({ cover: { src: 'https://example.com/x.png', ...none } })
  expect(derived('none')).toEqual({ cover: null })
})
