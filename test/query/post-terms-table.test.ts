import { describe, expect, it } from 'vitest'
import { addOrdinal, type Bitmap, emptyBitmap } from '../../src/query/bitmaps.ts'
import { identifierTable } from '../../src/query/identifiers.ts'
import { OrdinalSet } from '../../src/query/ordinal-set.ts'
import { listAt, packLists } from '../../src/query/packed-lists.ts'
import type { PostIndex, TermIndex } from '../../src/query/post-index.ts'
import { PostTermsTable } from '../../src/query/post-terms-table.ts'
import fc from '../support/fast-check.ts'

const count = 5000

describe('the posts of each term', () => {
  const few = [2, 3, 40, 5001].map((every) => postsWith((post) => (post * 7) % every === 0))
  const many = Array.from({ length: 700 }, (_, term) => postsWith((post) => post % 700 === term))
  const index = indexOf({ categories: few, tags: many, authors: [...few, ...many] })
  const selections = fc.record({
    first: fc.constantFrom(0, 1, 33, 2000),
    every: fc.constantFrom(1, 2, 7, 300, 6000),
    from: fc.nat({ max: count }),
    to: fc.nat({ max: count }),
    form: fc.constantFrom('list', 'set', 'counted back'),
  })

  it('are counted among any posts, many or few, known or not', () => {
    const known = new Map<string, Bitmap>()
    const tables = [new PostTermsTable(index), new PostTermsTable(index, known)]
    fc.assert(
      fc.property(selections, ({ first, every, from, to, form }) => {
        const selected = Uint32Array.from(
          postsWith((post) => post >= Math.max(from, first) && post < to && post % every === 0),
        )
        const posts = form === 'list' ? selected : setOf(selected, first, form === 'counted back')
        const chosen = new Set(selected)
        for (const kind of ['categories', 'tags', 'authors'] as const) {
          const { postings } = index.terms[kind]
          const expected = Array.from({ length: postings.offsets.length - 1 }, (_, term) =>
            listAt(postings, term).reduce((sum, post) => sum + Number(chosen.has(post)), 0),
          )
          for (const table of tables) {
            expect([...table.countsOf(kind, posts, first)]).toEqual(expected)
          }
        }
      }),
      { numRuns: 150 },
    )
    expect([...known.keys()]).toEqual(expect.arrayContaining(['categories 0', 'authors 1']))
  })
})

/** The posts as a set that also has the scheduled ones, which are left out. */
function setOf(posts: Uint32Array, first: number, isCountedBack: boolean): OrdinalSet {
  const bits = emptyBitmap(count)
  const add = (post: number) => addOrdinal(bits, isCountedBack ? count - 1 - post : post)
  for (const post of posts) add(post)
  if (isCountedBack) return new OrdinalSet(bits, count - 1)
  for (let post = 0; post < first; post++) add(post)
  return new OrdinalSet(bits).subarray(first)
}

function postsWith(isIn: (post: number) => boolean): number[] {
  return Array.from({ length: count }, (_, post) => post).filter(isIn)
}

function indexOf(lists: Readonly<Record<keyof PostIndex['terms'], number[][]>>): PostIndex {
  const none = identifierTable(new Map())
  const terms = (of: number[][]): TermIndex => ({
    identifiers: none,
    slugs: none,
    postings: packLists(of),
    created: new Uint32Array(0),
  })
  return {
    publishedAt: new Float64Array(count),
    updatedAt: new Float64Array(count),
    orders: { updatedAt: new Uint32Array(0), title: new Uint32Array(0) },
    names: { identifiers: none, slugs: new Uint32Array(0), ids: new Uint32Array(0) },
    all: new Uint32Array(count).map((_, post) => post),
    drafts: new Uint32Array(0),
    featured: new Uint32Array(0),
    terms: {
      categories: terms(lists.categories),
      tags: terms(lists.tags),
      authors: terms(lists.authors),
    },
  }
}
