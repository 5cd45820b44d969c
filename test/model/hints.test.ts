// Hints for names that nothing has: how many names are compared for them, however many there are.
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { NameIndex } from '../../src/content/nearest.ts'
import { createdTerm } from '../../src/model/created-terms.ts'
import { Destinations } from '../../src/model/destinations.ts'
import { resolveLinks } from '../../src/model/link-settings.ts'
import { PathIndex } from '../../src/model/path-index.ts'
import { Hints, Problems } from '../../src/model/problems.ts'
import { TermSet } from '../../src/model/terms.ts'

let candidates: MockInstance<NameIndex['candidates']>
beforeEach(() => {
  candidates = vi.spyOn(NameIndex.prototype, 'candidates')
  return () => candidates.mockRestore()
})

/** The names that were compared. */
function comparisons(): number {
  return candidates.mock.results.reduce((sum, { value }) => sum + value.length, 0)
}

/** Names of one length and with the same letters: no filter rules one of them out. */
function alike(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const digits = [...index.toString(2).padStart(14, '0')]
    return digits.map((digit) => (digit === '0' ? 'ab' : 'ba')).join('')
  })
}

function linked(names: readonly string[]): Destinations {
  const destinations = new Destinations(
    {
      id: 'acme',
      folders: { posts: ['acme/posts'], media: [], authors: [], roots: [] },
      images: new Map(),
    },
    false,
    resolveLinks({}),
  )
  for (const slug of names) {
    const post = { slug, id: slug, publishedAt: '2026-01-02T00:00:00.000Z' }
    destinations.addPost(`acme/posts/${slug}.md`, post)
  }
  return destinations
}

function stated(names: readonly string[]): TermSet {
  return new TermSet(names.map((slug) => ({ ...createdTerm('acme', 'tags', slug, slug) })))
}

describe.each([100, 10_000])('among %i names a hint', (count) => {
  const known = alike(count)
  const right = known.slice(0, 100)
  const wrong = right.map((name) => `c${name.slice(1)}`)

  it('for a broken link is made of at most 64 comparisons', () => {
    const destinations = linked(known)
    const found = wrong.map((name) => {
      return destinations.resolve('acme/posts/a.md', 'link', `./${name}.md`).problem?.().near?.()
    })
    expect(found).toEqual(right.map((name) => `./${name}.md`))
    expect(comparisons()).toBeGreaterThanOrEqual(wrong.length)
    expect(comparisons()).toBeLessThanOrEqual(wrong.length * 64)
  })

  it('for an unknown reference is made of at most 64 comparisons', () => {
    const terms = stated(known)
    expect(wrong.map((name) => terms.nearestSlug(name))).toEqual(right)
    expect(comparisons()).toBeGreaterThanOrEqual(wrong.length)
    expect(comparisons()).toBeLessThanOrEqual(wrong.length * 64)
  })

  it('is not made for a problem that is not reported', () => {
    const destinations = linked(known)
    for (const name of wrong) destinations.resolve('acme/posts/a.md', 'link', `./${name}.md`)
    expect(comparisons()).toBe(0)
  })
})

describe('for many problems of one code', () => {
  it('names are looked for in the first thousand', () => {
    const problems = new Problems()
    const destinations = linked(alike(2_000))
    const source = { file: 'acme/posts/a.md', text: '' }
    for (const name of alike(2_000)) {
      const { problem } = destinations.resolve(source.file, 'link', `./c${name.slice(1)}.md`)
      if (problem !== undefined) problems.report(source, { line: 1, column: 1 }, problem())
    }
    const hints = problems.diagnostics.map(({ hint }) => hint)
    expect(hints.filter((hint) => hint?.startsWith('Did you mean'))).toHaveLength(1_000)
    expect(new Set(hints.slice(1_000))).toEqual(new Set(['Use a path relative to this file.']))
    expect(comparisons()).toBeLessThanOrEqual(1_000 * 64)
  })

  it('those of another code are looked for as well', () => {
    const hints = new Hints()
    const problem = { message: '', hint: 'Add it.', near: () => 'tea' }
    for (let count = 0; count < 1_000; count++) hints.of({ ...problem, code: 'broken-link' })
    expect(hints.of({ ...problem, code: 'broken-link' })).toBe('Add it.')
    expect(hints.of({ ...problem, code: 'unknown-tag' })).toBe('Did you mean "tea"?')
  })
})

describe('the path that was meant', () => {
  const paths = new PathIndex([
    'b/posts/Same.md',
    'a/posts/same.md',
    'a/posts/x/one.md',
    'a/posts/amber/index.md',
    'a/posts/basin/index.mdx',
    'a/posts/x/fjord/index.md',
  ])

  it.each([
    ['a near name in the same folder', 'a/posts/x/oen.md', 'a/posts/x/one.md'],
    ['the same name in another folder', 'a/posts/one.md', 'a/posts/x/one.md'],
    ['the first of several, without regard to case', 'a/posts/y/SAME.md', 'a/posts/same.md'],
    ['none', 'a/posts/y/zebra.md', undefined],
    ['the folder of a near name', 'a/posts/bassin/index.mdx', 'a/posts/basin/index.mdx'],
    ['the folder of a post without an index', 'a/posts/amber.md', 'a/posts/amber/index.md'],
    ['the same folder elsewhere', 'a/posts/fjord/index.md', 'a/posts/x/fjord/index.md'],
    ['none of many folders', 'a/posts/zebra/index.md', undefined],
  ])('is %s', (_, path, expected) => {
    expect(paths.nearest(path)).toBe(expected)
  })
})
