import { describe, expect, it } from 'vitest'
import type { PostFilter } from '../../src/api/snapshot.ts'
import { selectPosts } from '../../src/query/post-index.ts'
import {
  indexOf,
  inPostOrder,
  samplePost,
  sampleTerm,
  workspaceOf,
} from '../support/sample-workspace.ts'

const [news, guides] = [sampleTerm('news'), sampleTerm('guides')]
const [css, html] = [sampleTerm('css'), sampleTerm('html')]
const noFilter: PostFilter = {
  categories: [],
  excludeCategories: [],
  tags: [],
  excludeTags: [],
  featured: null,
  query: '',
}

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
    const needles: string[] = []
    const text = { search: (needle: string) => Uint32Array.of(needles.push(needle)) }
    expect(selectPosts({ ...noFilter, query: ' Ünter\u00a0 WEGS ' }, index, text)).toEqual(
      Uint32Array.of(1),
    )
    expect(needles).toEqual(['unter wegs'])
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
