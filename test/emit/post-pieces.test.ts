// The JSON around bodies is the same whether it is kept or made again, and so is what is known of it.
// Knows nothing of answers.
import { hash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Post } from '../../src/api/resources.ts'
import { Cache } from '../../src/cache/cache.ts'
import { PieceTable } from '../../src/emit/piece-table.ts'
import { PostPieces } from '../../src/emit/post-pieces.ts'
import { RenderedBodies } from '../../src/markdown/bodies.ts'
import { renderJob } from '../../src/markdown/encode.ts'
import { markdownDefaults } from '../../src/markdown/options.ts'
import fc from '../support/fast-check.ts'

const parts = ['head', 'html', 'markdown', 'tail', 'item'] as const

it('gives the same pieces however little of them is kept, in whatever order they are asked for', () => {
  const { posts, kept } = sample()
  const all = new PostPieces(posts).withBodies(kept)
  const step = fc.record({
    ordinal: fc.nat(titles.length - 1),
    part: fc.constantFrom(...parts),
    ask: fc.constantFrom<'size' | 'digest' | 'read'>('size', 'digest', 'read'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(1500), (steps, bytes) => {
      const some = new PostPieces(posts, { framesBytesMax: bytes }).withBodies(kept)
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

describe('what earlier builds found out', () => {
  const terms = 'all terms'
  const etag = `"${'0123456789abcdef'.repeat(2)}"`

  /** As the pieces of a build are given what is known. */
  function given(bytes: Uint8Array, of = terms) {
    return { known: { table: new PieceTable(bytes), terms: of } }
  }

  /** A build that was given what is known: what the next one is given. */
  function learn({ posts, kept }: Sample, known: Uint8Array): PieceTable {
    const pieces = new PostPieces(posts, given(known)).withBodies(kept)
    for (const ordinal of posts.keys()) {
      if (pieces.tagOf(ordinal, 'html') === undefined) pieces.noteTag(ordinal, 'html', etag)
    }
    return pieces.learned ?? new PieceTable(known)
  }

  it('is found again by posts that are the same, wherever they stand', () => {
    const before = sample()
    const { bytes } = learn(before, new Uint8Array())
    const order = [3, 0, 4, 2]
    const posts = order.flatMap((ordinal) => before.posts[ordinal] ?? [])
    const kept = order.flatMap((ordinal) => before.kept[ordinal] ?? [])
    const fresh = new PostPieces(posts).withBodies(kept)
    const pieces = new PostPieces(posts, given(bytes)).withBodies(kept)
    for (const ordinal of order.keys()) {
      expect(pieces.tagOf(ordinal, 'html')).toBe(etag)
      expect(pieces.tagOf(ordinal, 'markdown')).toBeUndefined()
      for (const part of parts) {
        expect(pieces.size(ordinal, part)).toBe(fresh.size(ordinal, part))
        expect(pieces.digest(ordinal, part)).toEqual(fresh.digest(ordinal, part))
        expect(pieces.read(ordinal, part)).toEqual(fresh.read(ordinal, part))
      }
    }
  })

  it('is nothing new where the posts are known to be the same, until one has another body', () => {
    const { posts, kept } = sample()
    const { bytes } = learn({ posts, kept }, new Uint8Array())
    const same = () => {
      const { known } = given(bytes)
      return new PostPieces(posts, { known: { ...known, isSame: true } })
    }
    const pieces = same().withBodies(kept)
    const fresh = new PostPieces(posts).withBodies(kept)
    for (const ordinal of posts.keys()) {
      expect(pieces.digest(ordinal, 'item')).toEqual(fresh.digest(ordinal, 'item'))
      expect(pieces.tagOf(ordinal, 'html')).toBe(etag)
    }
    expect(pieces.learned).toBeUndefined()
    const [first, second, ...rest] = kept
    if (first === undefined || second === undefined) throw new Error('there are posts')
    const edited = same().withBodies([second, second, ...rest])
    expect([0, 1].map((ordinal) => edited.tagOf(ordinal, 'html'))).toEqual([undefined, etag])
    edited.noteTag(0, 'html', etag)
    expect(edited.learned?.count).toBe(posts.length)
    expect(bytes).toEqual(learn({ posts, kept }, new Uint8Array()).bytes)
  })

  it('is told again where that is not known', () => {
    const site = sample()
    const { bytes } = learn(site, new Uint8Array())
    const pieces = new PostPieces(site.posts, given(bytes)).withBodies(site.kept)
    for (const ordinal of site.posts.keys()) pieces.tagOf(ordinal, 'html')
    expect(pieces.learned?.bytes).toEqual(bytes)
  })

  const changes: Readonly<Record<string, Partial<Post>>> = {
    title: { title: 'Another' },
    'a date': { updatedAt: '2026-02-03T00:00:00.000Z' },
    'a cover': { coverImage: 'https://example.org/a.png' },
    'its tags': { tags: [{ id: 't', slug: 't', name: 'T', description: null }] },
    'its own fields': { fields: { rating: 3 } },
  }

  it.each(Object.entries(changes))('is not taken for a post with another %s', (_, change) => {
    const { posts, kept } = sample()
    const { bytes } = learn({ posts, kept }, new Uint8Array())
    const [first, ...rest] = posts
    if (first === undefined) throw new Error('there are posts')
    const changed = [{ ...first, post: { ...first.post, ...change } }, ...rest]
    const fresh = new PostPieces(changed).withBodies(kept)
    const pieces = new PostPieces(changed, given(bytes)).withBodies(kept)
    expect(pieces.tagOf(0, 'html')).toBeUndefined()
    expect(pieces.tagOf(1, 'html')).toBe(etag)
    expect(pieces.digest(0, 'head')).toEqual(fresh.digest(0, 'head'))
    expect(pieces.digest(0, 'tail')).toEqual(fresh.digest(0, 'tail'))
    expect(pieces.learned).toBeDefined()
  })

  it('is not taken for a post with another body, nor where terms have changed', () => {
    const { posts, kept } = sample()
    const { bytes } = learn({ posts, kept }, new Uint8Array())
    const other = [...kept.slice(1), ...kept.slice(0, 1)]
    const moved = new PostPieces(posts, given(bytes)).withBodies(other)
    const renamed = new PostPieces(posts, given(bytes, 'others')).withBodies(kept)
    for (const ordinal of posts.keys()) {
      expect(moved.tagOf(ordinal, 'html')).toBeUndefined()
      expect(renamed.tagOf(ordinal, 'html')).toBeUndefined()
    }
  })

  it('is nothing where it was cut', () => {
    const { posts, kept } = sample()
    const { bytes } = learn({ posts, kept }, new Uint8Array())
    expect(new PieceTable(bytes.subarray(1)).count).toBe(0)
  })
})

interface Sample {
  readonly posts: ConstructorParameters<typeof PostPieces>[0]
  readonly kept: Parameters<PostPieces['withBodies']>[0]
}

function sample(): Sample {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  const bodies = new RenderedBodies(cache, { renderer: 'r', tool: 't' }, markdownDefaults)
  const kept = titles.map((title, key) => {
    const { body } = renderJob(
      { key, file: '', body: `*${title}*`, bodyLine: 1 },
      markdownDefaults,
      {},
    )
    if (body === undefined) throw new Error('it was not rendered')
    return bodies.add(hash('sha256', title), body, [])
  })
  const posts = titles.map((title) => ({
    post: postOf(title),
    publishedAt: 0,
    body: { file: title, bodyHash: hash('sha256', title), bodyLine: 1 },
    cover: null,
    aliases: [],
  }))
  return { posts, kept }
}

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
