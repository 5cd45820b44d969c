import { describe, expect, it } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import { matchesIn, openTerms, type TermsSearch } from '../../src/search/search.ts'
import { mergeTerms, partTerms } from '../../src/search/terms.ts'
import { words as manyScripts } from '../support/arbitraries.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

/** With what folding, cutting and UTF-8 have to do something about. */
const fragments = [
  ...[...manyScripts, 'ab', 'ba', 'the', 'of', 'then', 'hereof', 'naïve', '日本', 'น้ำ', '🇩🇪', '❤️'],
  ...'   ,.-/\n\u00a0"(\0\u200b\u00adab1日本かがㅋㅋмирёς\u{10400}👍\u{20000}\u0301\u3099\ufeff',
  ...['\ud800', '\udc00'],
]

function textOf(parts: readonly string[], maxLength: number, between: string): Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...parts), { maxLength, size: 'max' })
    .map((all) => all.join(between))
}

const mixed = textOf(fragments, 14, '')
const words = textOf(['a', 'b', 'ab', 'of', 'the', 'then', 'hereof', 'in'], 20, ' ')
const anything = fc
  .array(
    fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(...[0, 0x20, 0x61, 0x301, 0x94d, 0xd83d])),
    { maxLength: 30 },
  )
  .map((codes) => String.fromCharCode(...codes))
const marks = fc
  .nat({ max: 256 })
  .map((count) => `a${'\u0301'.repeat(count)}${'\u0e34'.repeat(count)}b`)
/** Longer than a token that is indexed as one term. */
const blobs = textOf(['a', 'b', 'é', '\u{10400}'], 400, '').map((blob) => `x ${blob} of`)

/** Folded posts with titles. */
function postsOf(title: Arbitrary<string>, text: Arbitrary<string>, maxLength: number) {
  const post = fc.tuple(title, text).map((both) => both.map(fold).join('\0'))
  return fc.array(post, { maxLength, size: 'max' })
}

/** Cut out of the posts, and some that are like them. */
function queriesFor(texts: readonly string[]): Arbitrary<string> {
  const cut = fc
    .record({ post: fc.nat(), at: fc.nat(), length: fc.integer({ min: 1, max: 130 }) })
    .map(({ post, at, length }) => {
      const characters = [...(texts[post % Math.max(1, texts.length)] ?? '').replace('\0', ' ')]
      const start = at % (characters.length + 1)
      return characters.slice(start, start + (length > 12 ? length : length % 12) + 1).join('')
    })
  const like = fc.oneof(mixed, words, anything)
  return fc.oneof({ weight: 6, arbitrary: cut }, { weight: 1, arbitrary: like }).map(fold)
}

/** @param partPosts number of posts of a part */
function open(texts: readonly string[], partPosts: number): TermsSearch {
  const parts: Uint8Array[] = []
  for (let at = 0; at < texts.length; at += partPosts) {
    // As a cache reads it: not aligned.
    const part = partTerms(texts.slice(at, at + partPosts))
    parts.push(Buffer.concat([Buffer.of(0), part]).subarray(1))
  }
  const merged = mergeTerms(parts)
  expect(merged).toEqual(mergeTerms([partTerms(texts)]))
  return openTerms(JSON.parse(JSON.stringify(merged.dictionary)), {
    pages: async (numbers) =>
      numbers.map((number) => merged.pages[number] ?? expect.unreachable('no such page')),
    containing: async (query, posts) => posts.filter((post) => texts[post]?.includes(query)),
  })
}

function lookAtEach(texts: readonly string[], query: string): readonly number[] {
  return [...texts.keys()].filter((post) =>
    texts[post]?.split('\0').some((text) => text.includes(query)),
  )
}

it.each<[string, Arbitrary<readonly string[]>, number]>([
  ['many scripts', postsOf(mixed, mixed, 8), 400],
  ['words side by side', postsOf(words, words, 40), 400],
  ['any code units and hundreds of marks', postsOf(anything, fc.oneof(anything, marks), 5), 400],
  ['tokens without an end', postsOf(words, blobs, 3), 100],
])(
  'openTerms finds what a look at each text alone finds, whatever the parts: %s',
  async (_, posts, numRuns) => {
    const cases = posts.chain((texts) =>
      fc.record({
        texts: fc.constant(texts),
        queries: fc.array(queriesFor(texts), { minLength: 12, maxLength: 12 }),
        partPosts: fc.integer({ min: 1, max: 9 }),
        first: fc.nat({ max: texts.length }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ({ texts, queries, partPosts, first }) => {
        const terms = open(texts, partPosts)
        for (const query of queries.filter((query) => query !== '')) {
          const found = lookAtEach(texts, query)
          const later = await terms.search(query, (post) => post >= first)
          expect([query, ...(await terms.search(query))]).toEqual([query, ...found])
          expect([query, ...later]).toEqual([query, ...found.filter((post) => post >= first)])
        }
      }),
      { numRuns },
    )
  },
)

describe('matchesIn', () => {
  it.each([
    [200, 79],
    [1, 1],
  ])('has as much before a match as behind it: of %i, %i', (letters, shown) => {
    const [match] = matchesIn(['x'], '', `${'a'.repeat(letters)}X${'b'.repeat(200)}`)
    expect(match?.text).toBe(`${'a'.repeat(shown)}X${'b'.repeat(159 - shown)}`)
    expect(match?.ranges).toEqual([[shown, shown + 1]])
  })

  it('shows the first 160 code points of a longer match, and three parts at most', () => {
    const long = '👩'.repeat(200)
    expect(matchesIn([long], '', `a${long}a`)).toEqual([
      { field: 'content', text: '👩'.repeat(160), ranges: [[0, 320]] },
    ])
    const text = Array.from({ length: 9 }, () => `x${'-'.repeat(200)}`).join('')
    expect(matchesIn(['x'], 'X', text).map(({ field }) => field)).toEqual([
      ...['title', 'content', 'content'],
    ])
  })

  it('shows a match inside a longer one as a part of it', () => {
    const [match] = matchesIn(['research', 'sea'], '', 'Our research.')
    expect(match?.ranges).toEqual([[4, 12]])
  })

  it('shows every match once where one reaches over the end of a part', () => {
    const text = `ab${'-'.repeat(157)}ab${'-'.repeat(300)}ab`
    const parts = matchesIn(['ab'], '', text)
    expect(parts.map(({ text }) => text.length)).toEqual([159, 160, 144])
    expect(parts.map(({ ranges }) => ranges)).toEqual([[[0, 2]], [[0, 2]], [[142, 144]]])
  })
})
