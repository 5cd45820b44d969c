import { describe, expect, it } from 'vitest'
import { defaultParameters } from '../../src/api/request.ts'
import type { PostFilter } from '../../src/api/snapshot.ts'
import { addOrdinal, type Bitmap, emptyBitmap } from '../../src/query/bitmaps.ts'
import { identifierTable } from '../../src/query/identifiers.ts'
import { OrdinalSet } from '../../src/query/ordinal-set.ts'
import { packLists } from '../../src/query/packed-lists.ts'
import type { PostIndex, TermIndex, TextSearch } from '../../src/query/post-index.ts'
import { selectPosts } from '../../src/query/select-posts.ts'
import fc from '../support/fast-check.ts'
import {
  indexOf,
  inPostOrder,
  samplePost,
  sampleTerm,
  workspaceOf,
} from '../support/sample-workspace.ts'

const [news, guides] = [sampleTerm('news'), sampleTerm('guides')]
const [css, html] = [sampleTerm('css'), sampleTerm('html')]
const noFilter: PostFilter = defaultParameters

// Posts 0 to 3; equal dates, so that ids are in order from the end.
const posts = inPostOrder([
  samplePost('d', { category: news, tags: [css, html], featured: true }),
  samplePost('c', { category: news, tags: [css] }),
  samplePost('b', { category: guides, tags: [html] }),
  samplePost('a', { category: guides, featured: true }),
])
const index = indexOf(posts, workspaceOf(posts))
const everything = { search: () => Uint32Array.of(0, 1, 2, 3) }

describe('selectPosts', () => {
  it.each<readonly [Partial<PostFilter>, readonly number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ categories: ['news'] }, [0, 1]],
    [{ categories: ['news', 'guides'] }, [0, 1, 2, 3]],
    [{ categories: ['news', 'nothing'] }, [0, 1]],
    [{ categories: ['nothing'] }, []],
    [{ excludeCategories: ['news'] }, [2, 3]],
    [{ excludeCategories: ['nothing'] }, [0, 1, 2, 3]],
    [{ excludeCategories: ['news', 'guides'] }, []],
    [{ tags: ['css'] }, [0, 1]],
    [{ tags: ['css', 'html'] }, [0, 1, 2]],
    [{ excludeTags: ['css'] }, [2, 3]],
    [{ excludeTags: ['css', 'html'] }, [3]],
    [{ featured: true }, [0, 3]],
    [{ featured: false }, [1, 2]],
    [{ tags: ['html'], excludeTags: ['css'] }, [2]],
    [{ tags: ['css'], excludeTags: ['css'] }, []],
    [{ categories: ['news'], tags: ['html'] }, [0]],
    [{ categories: ['news'], excludeCategories: ['news'] }, []],
    [{ categories: ['guides'], featured: true, excludeTags: ['html'] }, [3]],
  ])('keeps of %j what passes all of it', (filter, selected) => {
    expect(selectPosts({ ...noFilter, ...filter }, index, everything)).toEqual(
      Uint32Array.from(selected),
    )
  })

  it.each([
    ['the id of a term', { tags: ['css-id'] }],
    ['another case', { tags: ['CSS'] }],
    ['a slug of another kind', { tags: ['news'] }],
  ])('knows terms by slug alone: not by %s', (_, filter) => {
    expect(selectPosts({ ...noFilter, ...filter }, index, everything)).toHaveLength(0)
  })

  it('folds the text before it is searched', () => {
    const patterns: string[] = []
    const text = { search: (pattern: string) => Uint32Array.of(patterns.push(pattern)) }
    expect(selectPosts({ ...noFilter, query: ' Ünter\u00a0 WEGS ' }, index, text)).toEqual(
      Uint32Array.of(1),
    )
    expect(patterns).toEqual(['unter wegs'])
  })

  it.each(['', '  ', '\u0301', '´'])(
    'does not search for %j, which nothing is left of',
    (query) => {
      const text = { search: () => expect.unreachable() }
      expect(selectPosts({ ...noFilter, query }, index, text)).toEqual(index.all)
    },
  )

  it('gives what the search found as it is where nothing else filters', () => {
    const found = Uint32Array.of(1, 2)
    expect(selectPosts({ ...noFilter, query: 'x' }, index, { search: () => found })).toBe(found)
  })

  it('keeps what both text and terms name, now or later', async () => {
    const filter = { ...noFilter, tags: ['css'], query: 'x' }
    const found = Uint32Array.of(1, 2)
    expect(selectPosts(filter, index, { search: () => found })).toEqual(Uint32Array.of(1))
    const later = selectPosts(filter, index, { search: () => Promise.resolve(found) })
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toEqual(Uint32Array.of(1))
  })
})

describe('selectPosts among thousands', () => {
  const count = 5000
  // Every how many posts have it: from half of all, which are long lists, to a few.
  const every = { a: 2, b: 3, c: 4, d: 40, e: 2500 }
  const names = Object.keys(every) as (keyof typeof every)[]
  const has = (name: keyof typeof every, post: number) => (post * 7 + 1) % every[name] === 0
  const listOf = (name: keyof typeof every) =>
    Array.from({ length: count }, (_, post) => post).filter((post) => has(name, post))
  const table = identifierTable(new Map(names.map((name, term) => [name, term])))
  const terms: TermIndex = {
    identifiers: table,
    slugs: table,
    postings: packLists(names.map(listOf)),
    created: new Uint32Array(0),
  }
  const updatedAt = new Float64Array(count).map((_, post) => (post * 7) % 1000)
  const updated = (post: number) => updatedAt[post] ?? 0
  const large: PostIndex = {
    publishedAt: new Float64Array(count).map((_, post) => count - post),
    updatedAt: updatedAt.slice(),
    orders: {
      updatedAt: Uint32Array.from(updatedAt.keys()).sort((a, b) => updated(b) - updated(a)),
      title: new Uint32Array(0),
    },
    names: { identifiers: table, slugs: new Uint32Array(0), ids: new Uint32Array(0) },
    all: new Uint32Array(count).map((_, post) => post),
    drafts: new Uint32Array(0),
    featured: Uint32Array.from(listOf('b')),
    terms: { categories: terms, tags: terms, authors: terms },
  }
  const some = fc.subarray([...names, 'unknown'])
  const filters = fc
    .record({
      categories: some,
      excludeCategories: some,
      tags: some,
      excludeTags: some,
      featured: fc.constantFrom(null, true, false),
      authors: fc.subarray([...names, 'unknown'], { maxLength: 1 }),
      publishedAfter: fc.option(fc.integer({ min: -1, max: count + 1 })),
      publishedBefore: fc.option(fc.integer({ min: -1, max: count + 1 })),
      updatedAfter: fc.option(fc.integer({ min: -1, max: 1001 })),
      updatedBefore: fc.option(fc.integer({ min: -1, max: 1001 })),
      query: fc.constantFrom('', 'x'),
    })
    .map((filter) => ({ ...noFilter, ...filter }))
  const found = Uint32Array.from(listOf('c').slice(3))
  const bits = emptyBitmap(count)
  for (const post of found) addOrdinal(bits, count - 1 - post)
  const texts = [found, new OrdinalSet(bits, count - 1)].map((posts) => ({ search: () => posts }))
  const text: TextSearch = { search: () => found }

  it('keeps what passes all of a filter, whether lists are long or short, known or not', () => {
    const known = knownBitmaps()
    const any = (slugs: readonly string[], post: number) =>
      names.some((name) => slugs.includes(name) && has(name, post))
    fc.assert(
      fc.property(filters, fc.boolean(), fc.constantFrom(...texts), (filter, isKnown, text) => {
        const expected = large.all.filter(
          (post) =>
            (filter.categories.length === 0 || any(filter.categories, post)) &&
            (filter.tags.length === 0 || any(filter.tags, post)) &&
            !any(filter.excludeCategories, post) &&
            !any(filter.excludeTags, post) &&
            (filter.featured ?? has('b', post)) === has('b', post) &&
            (filter.authors.length === 0 || any(filter.authors, post)) &&
            count - post >= (filter.publishedAfter ?? -1) &&
            count - post < (filter.publishedBefore ?? Infinity) &&
            updated(post) >= (filter.updatedAfter ?? -1) &&
            updated(post) < (filter.updatedBefore ?? Infinity) &&
            (filter.query === '' || found.includes(post)),
        )
        const selected = selectPosts(filter, large, text, isKnown ? { known } : {})
        expect(selected).not.toBeInstanceOf(Promise)
        if (selected instanceof Promise) return
        expect(selected.length).toBe(expected.length)
        expect(selected.slice(0, count)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('makes a bitmap of a long list once, and none of a short one', () => {
    const known = knownBitmaps()
    for (const tags of [['a'], ['b'], ['a', 'd'], ['a', 'b']]) {
      selectPosts({ ...noFilter, categories: ['a'], tags }, large, text, { known })
      selectPosts({ ...noFilter, categories: ['d'], tags }, large, text, { known })
    }
    expect(known.names).toEqual(['categories 0', 'tags 0', 'tags 1'])
  })
})

function knownBitmaps() {
  const all = new Map<string, Bitmap>()
  const names: string[] = []
  return {
    names,
    get: (name: string) => all.get(name),
    set: (name: string, bits: Bitmap) => {
      names.push(name)
      all.set(name, bits)
    },
  }
}
