import { describe, expect, it } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import { type Awaitable, openTerms, type TermsSearch } from '../../src/search/search.ts'
import { mergeTerms, partTerms } from '../../src/search/terms.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

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

/** Folded posts with titles. */
const everyPosts: readonly Arbitrary<readonly string[]>[] = [
  postsOf(mixed, mixed, 8),
  postsOf(words, words, 40),
  postsOf(anything, fc.oneof(anything, marks), 5),
  postsOf(words, blobs, 3),
]

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
  return fc
    .oneof(
      { weight: 6, arbitrary: cut },
      { weight: 1, arbitrary: fc.oneof(mixed, words, anything) },
    )
    .map(fold)
}

interface OpenSettings {
  /** Posts of a part. */
  readonly partPosts?: number
  /** Pages and texts are promised. */
  readonly isLater?: boolean
  readonly batches?: Uint32Array[]
}

function open(texts: readonly string[], settings: OpenSettings = {}): TermsSearch {
  const { partPosts = 3, isLater = false, batches = [] } = settings
  const later = <T>(value: T): Awaitable<T> => (isLater ? Promise.resolve(value) : value)
  const parts: Uint8Array[] = []
  for (let at = 0; at < texts.length; at += partPosts)
    parts.push(partTerms(texts.slice(at, at + partPosts)))
  const { dictionary, pages } = mergeTerms(parts)
  return openTerms(dictionary, {
    page: (number) => later(pages[number] ?? expect.unreachable('no such page')),
    texts(posts) {
      batches.push(posts.slice())
      return later(Array.from(posts, (post) => texts[post] ?? expect.unreachable('no such post')))
    },
  })
}

function lookAtEach(texts: readonly string[], query: string): readonly number[] {
  return [...texts.keys()].filter((post) =>
    texts[post]?.split('\0').some((text) => text.includes(query)),
  )
}

describe('openTerms', () => {
  it.each([
    ['many scripts', 0, 400],
    ['words side by side', 1, 400],
    ['any code units and hundreds of marks', 2, 400],
    ['tokens without an end', 3, 100],
  ])('finds what a look at each text alone finds: %s', async (_, kind, numRuns) => {
    const cases = (everyPosts[kind] ?? fc.constant([])).chain((texts) =>
      fc.record({
        texts: fc.constant(texts),
        queries: fc.array(queriesFor(texts), { minLength: 12, maxLength: 12 }),
        partPosts: fc.integer({ min: 1, max: 9 }),
        isLater: fc.boolean(),
        first: fc.nat({ max: texts.length }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ({ texts, queries, partPosts, isLater, first }) => {
        const terms = open(texts, { partPosts, isLater })
        for (const query of queries.filter((query) => query !== '')) {
          const found = lookAtEach(texts, query)
          const later = found.filter((post) => post >= first)
          expect({
            query,
            found: [...(await terms.search(query))],
            later: [...(await terms.search(query, (post) => post >= first))],
          }).toEqual({ query, found, later })
        }
      }),
      { numRuns },
    )
  })

  it.each([
    ['a letter', 'e'],
    ['the same letter 256 times', 'a'.repeat(256)],
    ['as many words of one letter', Array.from({ length: 128 }, () => 'a').join(' ')],
    ['nothing but signs', '-'.repeat(256)],
    ['a text that repeats itself, and an end that never comes', `${'-a'.repeat(127)}b`],
    ['nothing', ''],
  ])('is exact for %s', async (_, query) => {
    const texts = [
      `a\0${'a '.repeat(299)}a`,
      `aa\0${'a'.repeat(300)}`,
      `-\0${'-'.repeat(300)}`,
      `-a\0${'-a'.repeat(5000)}${'-a'.repeat(127)}c`,
      '\0',
    ]
    expect([...(await open(texts).search(query))]).toEqual(lookAtEach(texts, query))
  })

  it('reads no text for a part of a token, nor for one or two characters', async () => {
    const texts = [`${fold('Weg')}\0${fold('Straße, 日本 (C++)')}`]
    const batches: Uint32Array[] = []
    const terms = open(texts, { batches })
    for (const query of ['e', 'raß', 'straße', '日', '日本', '+', '++', 'e,', '(', 'c+']) {
      expect([...(await terms.search(query))]).toEqual([0])
    }
    expect(batches).toEqual([])
  })

  it('reads texts in ascending batches of 256, and none of a post that does not count', async () => {
    const texts = Array.from(
      { length: 1500 },
      (_, post) => `\0of the ${post % 3 === 0 ? 'x' : 'y'}`,
    )
    const batches: Uint32Array[] = []
    const terms = open(texts, { partPosts: 64, batches })
    const found = await terms.search('e x', (post) => post >= 100)
    expect([...found]).toEqual(lookAtEach(texts, 'e x').filter((post) => post >= 100))
    expect(batches.map(({ length }) => length)).toEqual([256, 210])
    expect(batches.flatMap((batch) => [...batch])).toEqual([...found])
  })

  it('finds nothing where there are no posts', () => {
    for (const query of ['a', 'a b', '']) expect(open([]).search(query)).toEqual(new Uint32Array(0))
  })

  it('fails with the failure of a page or of the texts', async () => {
    const { dictionary, pages } = mergeTerms([partTerms(['\0of the', '\0of then'])])
    const fail = () => Promise.reject(new Error('no such file'))
    const page = (number: number) => pages[number] ?? new Uint8Array(0)
    await expect(openTerms(dictionary, { page: fail, texts: fail }).search('of')).rejects.toThrow(
      'no such',
    )
    await expect(openTerms(dictionary, { page, texts: fail }).search('of the')).rejects.toThrow(
      'no such',
    )
    const fewer = { page, texts: () => [] }
    expect(() => openTerms(dictionary, fewer).search('of the')).toThrow(RangeError)
  })
})
