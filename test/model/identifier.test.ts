import { describe, expect, it } from 'vitest'
import {
  deriveId,
  foldCase,
  identifierBytesMax,
  identifierProblem,
  slugify,
  splitFileName,
} from '../../src/model/identifier.ts'
import fc from '../support/fast-check.ts'

describe('identifierProblem', () => {
  it.each([
    'hello',
    'a',
    '7',
    'hello-world',
    'v1.2.3',
    'snake_case',
    'Ünïcode',
    '日本語のスラッグ',
    'מימין-לשמאל',
    'हिन्दी',
    '한글',
    '٣',
    'index',
    'a.json',
    'console',
    'nullable',
    'com10',
    'a'.repeat(identifierBytesMax),
  ])('accepts %j', (text) => {
    expect(identifierProblem(text)).toBeNull()
  })

  it.each([
    ['', 'is empty'],
    ['a b', 'U+0020'],
    ['a/b', '"/"'],
    ['..', 'does not begin'],
    ['a..b', 'two dots'],
    ['-a', 'does not begin'],
    ['a-', 'does not end'],
    ['_a', 'does not begin'],
    ['a_', 'does not end'],
    ['.hidden', 'does not begin'],
    ['trailing.', 'does not end'],
    ['a\u0000b', 'U+0000'],
    ['a\u200db', 'U+200D'],
    ['\ud800', 'U+D800'],
    ['\u0301a', 'does not begin'],
    ['e\u0301', 'normal form C'],
    ['½', '"½"'],
    ['😀', '"😀"'],
    ['con', 'device name'],
    ['CON', 'device name'],
    ['aux.txt', 'device name'],
    ['lpt1', 'device name'],
    ['a'.repeat(identifierBytesMax + 1), 'longer than 200 bytes'],
    ['語'.repeat(67), 'longer than 200 bytes'],
  ])('refuses %j: %s', (text, reason) => {
    expect(identifierProblem(text)).toContain(reason)
  })

  it('accepts nothing that could leave its folder or clash with a name of ours', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(identifierProblem(text) === null)
        expect(text).not.toMatch(/[/\\\0]|^\.|^_|_$|^-|\.\./)
      }),
    )
  })

  it('says what its rules say one by one, of any text of ASCII', () => {
    const signs = fc.constantFrom(...'abzAZ019-_. /~\n')
    const near = fc.constantFrom('con', 'NUL', 'com1', 'lpt', 'aux', '.', '-', '_')
    const text = fc.array(fc.oneof(signs, near), { maxLength: 12 }).map((parts) => parts.join(''))
    const long = fc.integer({ min: 198, max: 202 }).map((length) => 'a'.repeat(length))
    fc.assert(
      fc.property(fc.oneof({ arbitrary: text, weight: 20 }, long), (given) => {
        const [first = ''] = given.split('.')
        const isSound =
          [...given].every((sign) => /[A-Za-z0-9._-]/.test(sign)) &&
          [given.at(0), given.at(-1)].every((end) => /[A-Za-z0-9]/.test(end ?? '')) &&
          !given.includes('..') &&
          given.length <= identifierBytesMax &&
          !['con', 'prn', 'aux', 'nul'].includes(first.toLowerCase()) &&
          !/^(com|lpt)[0-9]$/i.test(first)
        expect(identifierProblem(given) === null).toBe(isSound)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('slugify', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ["What's new?", 'whats-new'],
    ['  Déjà vu  ', 'déjà-vu'],
    ['C++ & Rust', 'c-rust'],
    ['日本語 の スラッグ', '日本語-の-スラッグ'],
    ['---', ''],
  ])('makes %j %j', (text, slug) => {
    expect(slugify(text)).toBe(slug)
  })

  it('makes an identifier or nothing of any text, save device names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const slug = slugify(text)
        if (slug !== '') expect(identifierProblem(slug) ?? 'is a device name').toContain('device')
      }),
    )
  })

  it('leaves a slug that it made as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(slugify(slugify(text))).toBe(slugify(text))
      }),
    )
  })
})

describe('splitFileName', () => {
  it.each([
    ['hello', { slug: 'hello' }],
    ['2026-01-02-hello', { slug: 'hello', date: '2026-01-02' }],
    ['2026-01-02', { slug: '2026-01-02' }],
    ['2026-1-2-hello', { slug: '2026-1-2-hello' }],
    ['cafe\u0301', { slug: 'caf\u00e9' }],
  ])('reads %j', (name, expected) => {
    expect(splitFileName(name)).toEqual(expected)
  })
})

describe('deriveId', () => {
  it('is the same on every machine', () => {
    expect(deriveId('acme', 'posts', 'hello')).toBe('metjnzoq5di6hoam')
  })

  it('tells workspace, kind and slug apart', () => {
    const ids = [
      deriveId('acme', 'posts', 'hello'),
      deriveId('acme', 'tags', 'hello'),
      deriveId('other', 'posts', 'hello'),
      deriveId('acme', 'posts', 'hello2'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is an identifier itself', () => {
    expect(identifierProblem(deriveId('acme', 'posts', 'x'))).toBeNull()
  })
})

describe('foldCase', () => {
  it.each([
    ['Hello', 'hello'],
    ['ſ', 's'],
    ['K', 'k'],
    ['ÄÖ', 'äö'],
    ['straße', 'straße'],
  ])('makes %j %j', (text, folded) => {
    expect(foldCase(text)).toBe(folded)
  })
})
