// The JSON around bodies is the same whether it is kept or made again.
// Knows nothing of answers.
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { Post } from '../../src/api/resources.ts'
import { Cache } from '../../src/cache/cache.ts'
import { PostPieces } from '../../src/emit/post-pieces.ts'
import { RenderedBodies } from '../../src/markdown/bodies.ts'
import { renderJob } from '../../src/markdown/encode.ts'

const parts = ['head', 'html', 'markdown', 'tail', 'item'] as const

it('gives the same pieces however little of them is kept, in whatever order they are asked for', () => {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  const bodies = new RenderedBodies(cache, { renderer: 'r', tool: 't' })
  const kept = titles.map((title, key) => {
    const { body } = renderJob({ key, file: '', body: `*${title}*`, bodyLine: 1 })
    if (body === undefined) throw new Error('it was not rendered')
    return bodies.add(hash('sha256', title), body, [])
  })
  const posts = titles.map((title) => ({
    post: postOf(title),
    publishedAt: 0,
    body: { file: title, bodyHash: hash('sha256', title), bodyLine: 1 },
    cover: null,
  }))
  const all = new PostPieces(posts, kept)
  const step = fc.record({
    ordinal: fc.nat(titles.length - 1),
    part: fc.constantFrom(...parts),
    ask: fc.constantFrom<'size' | 'digest' | 'read'>('size', 'digest', 'read'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(1500), (steps, bytes) => {
      const some = new PostPieces(posts, kept, bytes)
      for (const { ordinal, part, ask } of steps) {
        expect(some[ask](ordinal, part)).toEqual(all[ask](ordinal, part))
        const read = some.read(ordinal, part)
        expect(some.size(ordinal, part)).toBe(read.length)
        expect(hash('sha256', read).slice(0, 32)).toBe(
          Buffer.from(some.digest(ordinal, part)).toString('hex'),
        )
      }
    }),
  )
})

const titles = ['One', '日本語', 'Three "quoted"', 'é', 'Five']

function postOf(title: string): Post {
  const category = { id: 'c', slug: 'c', name: 'C', description: null }
  const date = '2026-01-02T00:00:00.000Z'
  return {
    id: title,
    slug: title,
    title,
    featured: false,
    coverImage: null,
    description: title.repeat(3),
    publishedAt: date,
    updatedAt: date,
    attribution: null,
    authors: [],
    category,
    tags: [],
  }
}
