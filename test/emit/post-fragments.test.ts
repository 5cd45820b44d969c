// The JSON around bodies is the same whether it is kept or made again, and so is what is known of it.
// Knows nothing of answers.
import { hash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Post } from '../../src/api/resources.ts'
import { Cache } from '../../src/cache/cache.ts'
import { PostFragments } from '../../src/emit/post-fragments.ts'
import { RenderedBodies } from '../../src/markdown/bodies.ts'
import { renderJob } from '../../src/markdown/encode.ts'
import { markdownDefaults } from '../../src/markdown/options.ts'
import { Memo } from '../../src/memo/memo.ts'
import { fragmentStore } from '../../src/pipeline/rules/fragments.ts'
import fc from '../support/fast-check.ts'

const parts = ['head', 'html', 'markdown', 'tail', 'item'] as const

it('gives the same pieces however little of them is kept, in whatever order they are asked for', () => {
  const { posts, kept } = sample()
  const all = new PostFragments(posts, kept, optionsOf(openMemo()))
  const options = optionsOf(openMemo())
  const step = fc.record({
    ordinal: fc.nat(titles.length - 1),
    part: fc.constantFrom(...parts),
    ask: fc.constantFrom<'size' | 'digest' | 'read'>('size', 'digest', 'read'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(1500), (steps, bytes) => {
      const some = new PostFragments(posts, kept, { ...options, bytesMax: bytes })
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

describe('what earlier builds stored', () => {
  const etag = `"${'0123456789abcdef'.repeat(2)}"`

  /** As a build does that notes the tags which it does not find. */
  function build({ posts, kept }: Sample, memo: Memo, terms?: string): PostFragments {
    const rows = new PostFragments(posts, kept, optionsOf(memo, terms))
    for (const ordinal of posts.keys()) {
      if (rows.tagOf(ordinal, 'html') === undefined) rows.noteTag(ordinal, 'html', etag)
    }
    rows.storeTags()
    return rows
  }

  function runsOf(memo: Memo): readonly (number | undefined)[] {
    return ['fragments', 'entity tags'].map((rule) => memo.runs.get(rule))
  }

  it('is found by the same posts, and nothing is stored again', () => {
    const site = sample(600)
    const memo = openMemo()
    build(site, memo)
    const [fragments = 0, tags = 0] = runsOf(memo)
    expect(fragments).toBeGreaterThan(1)
    expect(tags).toBe(fragments)
    const fresh = new PostFragments(site.posts, site.kept, optionsOf(openMemo()))
    const again = build(site, memo)
    expect(runsOf(memo)).toEqual([fragments, tags])
    for (const ordinal of site.posts.keys()) {
      expect(again.tagOf(ordinal, 'html')).toBe(etag)
      expect(again.tagOf(ordinal, 'markdown')).toBeUndefined()
      for (const part of parts) {
        expect(again.size(ordinal, part)).toBe(fresh.size(ordinal, part))
        expect(again.digest(ordinal, part)).toEqual(fresh.digest(ordinal, part))
        expect(again.read(ordinal, part)).toEqual(fresh.read(ordinal, part))
      }
    }
  })

  const changes: Readonly<Record<string, Partial<Post>>> = {
    title: { title: 'Another' },
    'a date': { updatedAt: '2026-02-03T00:00:00.000Z' },
    'a cover': { coverImage: 'https://example.org/a.png' },
    'its tags': { tags: [{ id: 't', slug: 't', name: 'T', description: null }] },
    'its own fields': { fields: { rating: 3 } },
  }

  it.each(Object.entries(changes))('is made again for one chunk by another %s', (_, change) => {
    const { posts, kept } = sample(600)
    const memo = openMemo()
    build({ posts, kept }, memo)
    const [fragments = 0, tags = 0] = runsOf(memo)
    const [first, ...rest] = posts
    if (first === undefined) throw new Error('there are posts')
    const changed = [{ ...first, post: { ...first.post, ...change } }, ...rest]
    const fresh = new PostFragments(changed, kept, optionsOf(openMemo()))
    const rows = build({ posts: changed, kept }, memo)
    expect(runsOf(memo)).toEqual([fragments + 1, tags + 1])
    for (const part of parts) expect(rows.digest(0, part)).toEqual(fresh.digest(0, part))
  })

  it('is no tag of a post with another body', () => {
    const { posts, kept } = sample(600)
    const memo = openMemo()
    build({ posts, kept }, memo)
    const [fragments = 0, tags = 0] = runsOf(memo)
    const [first, second, ...rest] = kept
    if (first === undefined || second === undefined) throw new Error('there are posts')
    const edited = new PostFragments(posts, [second, second, ...rest], optionsOf(memo))
    expect(edited.tagOf(0, 'html')).toBeUndefined()
    expect(edited.tagOf(posts.length - 1, 'html')).toBe(etag)
    edited.noteTag(0, 'html', etag)
    edited.storeTags()
    expect(runsOf(memo)).toEqual([fragments, tags + 1])
  })

  it('is made again where a term has changed, but for the tags of equal fragments', () => {
    const site = sample(5)
    const memo = openMemo()
    build(site, memo)
    build(site, memo, 'other terms')
    expect(runsOf(memo)).toEqual([2, 1])
  })
})

function openMemo(): Memo {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  return new Memo(cache, { version: 'test' })
}

function optionsOf(memo: Memo, terms = 'all terms') {
  return { terms, store: fragmentStore(memo) }
}

interface Sample {
  readonly posts: ConstructorParameters<typeof PostFragments>[0]
  readonly kept: ConstructorParameters<typeof PostFragments>[1]
}

function sample(count = titles.length): Sample {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  const bodies = new RenderedBodies(cache, { renderer: 'r', tool: 't' }, markdownDefaults)
  const names = Array.from({ length: count }, (_, at) => `${titles[at % titles.length]} ${at}`)
  const kept = names.map((title, key) => {
    const { body } = renderJob(
      { key, file: '', body: `*${title}*`, bodyLine: 1 },
      markdownDefaults,
      {},
    )
    if (body === undefined) throw new Error('it was not rendered')
    return bodies.add(hash('sha256', title), body, [])
  })
  const posts = names.map((title) => ({
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
