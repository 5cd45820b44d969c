import { describe, expect, it } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import { openTerms } from '../../src/search/search.ts'
import { mergeTerms, partTerms } from '../../src/search/terms.ts'
import { words } from '../support/arbitraries.ts'
import fc from '../support/fast-check.ts'

const text = fc
  .array(fc.constantFrom(...words, 'a', 'b', '日本', '\u{10400}', 'x'.repeat(150)), {
    maxLength: 6,
  })
  .map((all) => fold(all.join(' ')))
const posts = fc.array(text, { maxLength: 30 })

/** Terms of parts that end where `isEnd` says. */
function mergeParts(
  texts: readonly string[],
  isEnd: (post: number) => boolean,
): ReturnType<typeof mergeTerms> {
  const parts: Uint8Array[] = []
  for (let from = 0, post = 0; post < texts.length; post++) {
    if (!isEnd(post) && post < texts.length - 1) continue
    // As a cache reads it: not aligned.
    parts.push(Buffer.concat([Buffer.of(0), partTerms(texts.slice(from, post + 1))]).subarray(1))
    from = post + 1
  }
  return mergeTerms(parts)
}

const manyTexts = Array.from({ length: 400 }, (_, post) =>
  Array.from({ length: 60 }, (_, at) =>
    (Math.imul(post * 60 + at, 0x9e3779b1) >>> 19).toString(36),
  ).join(' '),
)

describe('mergeTerms', () => {
  it('gives the terms of all posts at once, whatever the parts', () => {
    fc.assert(
      fc.property(posts, fc.array(fc.boolean(), { maxLength: 30 }), (texts, ends) => {
        expect(mergeParts(texts, (post) => ends[post] ?? false)).toEqual(
          mergeTerms([partTerms(texts)]),
        )
      }),
    )
  })

  it('makes pages of some 16 KiB', () => {
    const { pages } = mergeParts(manyTexts, (post) => post % 64 === 63)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(page.length).toBeLessThan(16_384 + 50)
  })
})

describe('a damaged terms file', () => {
  const file = mergeParts(manyTexts.slice(0, 40), (post) => post % 8 === 0)
  const queries = ['a', 'b1', '1a', '7', 'a b', '3 1', 'zz']

  it.each([
    ['a dictionary', 2000, (at: number) => ({ ...file, dictionary: flip(file.dictionary, at) })],
    ['a page', 300, (at: number) => ({ ...file, pages: file.pages.map((page) => flip(page, at)) })],
    [
      'a dictionary that ends early',
      300,
      (at: number) => ({
        ...file,
        dictionary: file.dictionary.subarray(0, at % file.dictionary.length),
      }),
    ],
  ])('is an error or a search that ends: %s', (_, numRuns, damage) => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 24 }), (at) => {
        const { dictionary, pages } = damage(at)
        const result = outcomeOf(() => {
          const terms = openTerms(dictionary, {
            page: (number) => pages[number] ?? new Uint8Array(0),
            texts: (posts) => Array.from(posts, (post) => manyTexts[post] ?? ''),
          })
          for (const query of queries) {
            const found = terms.search(query) as Uint32Array
            expect(
              found.every((post, index) => index === 0 || post > (found[index - 1] ?? 0)),
            ).toBe(true)
          }
        })
        expect(result === 'ended' || result instanceof RangeError).toBe(true)
      }),
      { numRuns },
    )
  })

  it('is an error where a page has another size, or a dictionary more bytes', () => {
    const page = (number: number) => file.pages[number]?.subarray(1) ?? new Uint8Array(0)
    const { dictionary } = file
    expect(() => openTerms(dictionary, { page, texts: () => [] }).search('1a b')).toThrow(
      RangeError,
    )
    expect(() => openTerms(Uint8Array.of(...dictionary, 0), { page, texts: () => [] })).toThrow(
      RangeError,
    )
    expect(() => openTerms(new Uint8Array(0), { page, texts: () => [] })).toThrow(RangeError)
  })
})

/** One bit of the bytes changed, chosen by a number. */
function flip(bytes: Uint8Array, at: number): Uint8Array {
  const flipped = bytes.slice()
  const place = (at >> 3) % bytes.length
  flipped[place] = (flipped[place] ?? 0) ^ (1 << (at & 7))
  return flipped
}

function outcomeOf(run: () => void): unknown {
  try {
    run()
    return 'ended'
  } catch (error) {
    return error
  }
}
