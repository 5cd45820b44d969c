import { describe, expect, it } from 'vitest'
import type { Awaitable } from '../../src/api/snapshot.ts'
import { nativeSearch } from '../../src/hosts/native-search.ts'
import { searchableBytes } from '../../src/query/byte-search.ts'
import { fold } from '../../src/query/fold.ts'
import type { PostText } from '../../src/query/text-scan.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'
import { findTexts, indexTexts, type TestedSettings } from '../support/text-index.ts'

/** With everything made ready that can be, with some of it, with nothing, and as a build has it. */
const everySetting: readonly TestedSettings[] = [
  { hasGrams: true, unionCost: 1 },
  { hasGrams: true, unionCost: 70 },
  { hasGrams: true },
  { unionCost: 1 },
  {},
]

/** Of many scripts, with what folding, cutting and UTF-8 have to do something about. */
const fragments: readonly string[] = [
  ...['a', 'b', 'ab', 'ba', 'aa', 'the', 'of', 'then', 'hereof', 'x', '1', '42', 'über', 'naïve'],
  ...[' ', ' ', ' ', ' ', ', ', '. ', '-', '/', '\n', '\u00a0', '"', '(', '\0', '\u200b', '\u00ad'],
  ...[
    '日',
    '本',
    '日本語',
    'か',
    'が',
    'ガス',
    '한국',
    '글',
    'ㅋㅋ',
    'हिन्दी',
    'न्',
    'ภาษา',
    'น้ำ',
    'ไทย',
  ],
  ...['שָׁלוֹם', 'של', 'مُحَمَّد', 'мир', 'ё', 'ΟΔΟΣ', 'ς', 'ß', 'ı', 'İ', 'ﬁ', 'ｶﾞ', 'Æ', '\u{10400}'],
  ...[
    '👩‍💻',
    '👍🏽',
    '👍',
    '❤️',
    '🇩🇪',
    '\u{20000}',
    '\ud800',
    '\udc00',
    '\u0301',
    '\u3099',
    '\ufeff',
  ],
]

const native = nativeSearch()

/** What a look at each text alone finds. */
function lookAtEach(posts: readonly PostText[], pattern: string): readonly number[] {
  return [...posts.keys()].filter((post) =>
    [posts[post]?.title, posts[post]?.text].some((text = '') => fold(text).includes(pattern)),
  )
}

function textOf(parts: readonly string[], maxLength: number, between: string): Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...parts), { maxLength, size: 'max' })
    .map((all) => all.join(between))
}

const mixed = textOf(fragments, 14, '')
const words = textOf(['a', 'b', 'ab', 'of', 'the', 'then', 'hereof', 'in'], 20, ' ')
const someCodeUnits = fc.oneof(
  fc.nat({ max: 0xffff }),
  fc.constantFrom(0, 0x20, 0x61, 0x301, 0x94d, 0x3099, 0xd83d, 0xdc4d, 0xfeff, 0xff9e),
)
const anything = fc
  .array(someCodeUnits, { maxLength: 30 })
  .map((codes) => String.fromCharCode(...codes))
const marks = fc
  .nat({ max: 256 })
  .map((count) => `a${'\u0301'.repeat(count)}${'\u0e34'.repeat(count)}b`)
/** Longer than a token that is indexed as one term. */
const blobs = fc
  .array(fc.constantFrom('a', 'b', 'é', '\u{10400}'), {
    minLength: 100,
    maxLength: 400,
    size: 'max',
  })
  .map((all) => `x ${all.join('')} of`)

/** Texts of one kind each. */
const everyPosts: readonly Arbitrary<readonly PostText[]>[] = [
  fc.array(fc.record({ title: mixed, text: mixed }), { maxLength: 8, size: 'max' }),
  fc.array(fc.record({ title: words, text: words }), { maxLength: 40, size: 'max' }),
  fc.array(fc.record({ title: anything, text: fc.oneof(anything, marks) }), { maxLength: 5 }),
  fc.array(fc.record({ title: words, text: blobs }), { maxLength: 3 }),
]

/** Cut out of the posts, and some that are like them. */
function queriesFor(posts: readonly PostText[]): Arbitrary<string> {
  const cut = fc
    .record({
      post: fc.nat(),
      isTitle: fc.boolean(),
      at: fc.nat(),
      length: fc.integer({ min: 1, max: 130 }),
    })
    .map(({ post, isTitle, at, length }) => {
      const { title = '', text = '' } = posts[post % Math.max(1, posts.length)] ?? {}
      const characters = [...(isTitle ? title : text)]
      const start = at % (characters.length + 1)
      return characters.slice(start, start + (length > 12 ? length : length % 12) + 1).join('')
    })
  return fc.oneof(
    { weight: 6, arbitrary: cut },
    { weight: 1, arbitrary: fc.oneof(mixed, words, anything) },
  )
}

describe('searchText', () => {
  it.each([
    ['many scripts', 0],
    ['words side by side', 1],
    ['any code units and hundreds of marks', 2],
    ['tokens without an end', 3],
  ])('finds what a look at each text alone finds: %s', async (_, kind) => {
    const cases = (everyPosts[kind] ?? fc.constant([])).chain((posts) =>
      fc.record({
        posts: fc.constant(posts),
        queries: fc.array(queriesFor(posts), { minLength: 12, maxLength: 12 }),
        // Every part of a token without an end is ready only where it costs something.
        settings: fc.constantFrom(...everySetting.slice(kind === 3 ? 4 : 0)),
        isLater: fc.boolean(),
        make: fc.constantFrom(searchableBytes, native),
        first: fc.nat({ max: posts.length }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ({ posts, queries, settings, isLater, make, first }) => {
        const later = <T>(value: T): Awaitable<T> => (isLater ? Promise.resolve(value) : value)
        const index = indexTexts(posts, settings, later, make)
        for (const pattern of queries.map(fold).filter((pattern) => pattern !== '')) {
          const found = lookAtEach(posts, pattern)
          const expected = { pattern, found, later: found.filter((post) => post >= first) }
          expect({
            pattern,
            found: await findTexts(index, pattern),
            later: await findTexts(index, pattern, first),
          }).toEqual(expected)
        }
      }),
      { numRuns: kind === 3 ? 100 : 400 },
    )
  })

  it('finds the same over a thousand posts, with common grams and materialized unions', async () => {
    const letters = ['of', 'the', 'to', 'in', 'then', 'hereof', 'lit', 'into', 'on', 'x', 'tin']
    const posts = Array.from({ length: 2000 }, (_, number) => ({
      title: `post ${number}`,
      text: Array.from(
        { length: 30 },
        (_, at) => letters[Math.imul(number * 31 + at, 0x9e3779b1) >>> 28],
      ).join(number % 5 === 0 ? ', ' : ' '),
    }))
    const index = indexTexts(posts, { hasGrams: true, unionCost: 1000 })
    expect(index.index.commonWords.length).toBeGreaterThan(5)
    expect(index.index.gramRefs.length).toBeGreaterThan(20)
    expect(index.index.unionRefs.length).toBeGreaterThan(5)
    for (const pattern of [
      'of the',
      'f t',
      'n in',
      'of the to',
      'the, to',
      'x tin',
      '1',
      't 1',
      'post 9',
      'zz',
      'of zz',
    ]) {
      expect([pattern, await findTexts(index, pattern)]).toEqual([
        pattern,
        lookAtEach(posts, pattern),
      ])
    }
  })

  it.each([
    ['a letter', 'e'],
    ['the same letter 256 times', 'a'.repeat(256)],
    ['as many words of one letter', Array.from({ length: 128 }, () => 'a').join(' ')],
    ['nothing but signs', '-'.repeat(256)],
    ['a text that repeats itself, and an end that never comes', `${'-a'.repeat(127)}b`],
  ])('is exact for %s', async (_, pattern) => {
    const posts = [
      { title: 'a', text: 'a '.repeat(300) },
      { title: 'aa', text: 'a'.repeat(300) },
      { title: '-', text: '-'.repeat(300) },
      { title: '-a', text: `${'-a'.repeat(5000)}${'-a'.repeat(127)}c` },
      { title: '', text: '' },
    ]
    for (const settings of everySetting) {
      expect(await findTexts(indexTexts(posts, settings), pattern)).toEqual(
        lookAtEach(posts, pattern),
      )
    }
  })

  it('reads no text for a part of a word, nor for one or two characters', async () => {
    const posts = [{ title: 'Weg', text: 'Straße, 日本 (C++)' }]
    const { index, reader } = indexTexts(posts)
    const closed = {
      index,
      reader: { ...reader, text: () => expect.unreachable('a text was read') },
      listBytes: 0,
    }
    for (const pattern of ['e', 'raß', 'straße', '日', '日本', '+', '++', ', ', 'e,', '(']) {
      expect(await findTexts(closed, pattern.trim())).toEqual([0])
    }
  })

  it('finds nothing where there are no posts', async () => {
    expect(await findTexts(indexTexts([]), 'a')).toEqual([])
    expect(await findTexts(indexTexts([]), 'a b')).toEqual([])
  })
})
