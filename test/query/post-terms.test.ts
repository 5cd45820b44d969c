import { describe, expect, it } from 'vitest'
import { fold } from '../../src/query/fold.ts'
import { sumOf } from '../../src/query/inverted-terms.ts'
import { postTerms, readPostTerms, termsVersion } from '../../src/query/post-terms.ts'
import { partMax } from '../../src/query/words.ts'
import fc from '../support/fast-check.ts'

/** The terms of a text, as texts. */
function termsOf(text: string): {
  readonly tokens: readonly string[]
  readonly alone: readonly string[]
} {
  const { counts, texts } = readPostTerms(postTerms('', text))
  const terms = decode(texts).split('\0').slice(0, -1)
  expect(terms).toHaveLength(sumOf(counts))
  const [ascii = 0, other = 0] = counts
  return { tokens: terms.slice(0, ascii + other), alone: terms.slice(ascii + other) }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

describe('postTerms', () => {
  it.each([
    ['Straße der Straße', ['der', 'straße'], []],
    ['a-b', ['a', 'b'], ['-', 'a-', '-b']],
    ['a, b', ['a', 'b'], [',', 'a,']],
    ['日本 語', [], ['日', '日本', '本', '語']],
    ['を x', ['x'], ['を']],
    ['aを', ['a'], ['を', 'aを']],
    ['👍🏽', [], ['👍', '👍🏽', '🏽']],
    ['हिन्दी', ['हिन्दी'], []],
    ['ก็', [], ['ก', 'ก็', '็']],
    ['', [], []],
  ])('cuts %j', (text, tokens, alone) => {
    const terms = termsOf(text)
    expect(terms.tokens).toEqual(tokens)
    expect([...terms.alone].sort()).toEqual([...alone].sort())
  })

  it('has every part of a token without an end in one of its windows', () => {
    const token = fc.array(fc.constantFrom('a', 'b', 'é', '\u{10400}'), {
      minLength: 1,
      maxLength: 500,
      size: 'max',
    })
    fc.assert(
      fc.property(token, fc.nat(), (letters, from) => {
        const folded = [...fold(letters.join(''))]
        const start = from % folded.length
        const part = folded.slice(start, start + partMax).join('')
        const { tokens } = termsOf(letters.join(''))
        expect(tokens.some((term) => term.includes(part))).toBe(true)
        expect(tokens.every((term) => [...term].length <= partMax * 2)).toBe(true)
      }),
    )
  })

  it('keeps the folded texts, well formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, text) => {
        const { text: folded } = readPostTerms(postTerms(title, text))
        expect(decode(folded)).toBe(`${fold(title)}\0${fold(text)}\0`)
      }),
    )
  })

  it('is the same for the same post, and another one for another', () => {
    expect(postTerms('a', 'b c')).toEqual(postTerms('a', 'b c'))
    expect(postTerms('a', 'b c')).not.toEqual(postTerms('a b', 'c'))
  })
})

describe('termsVersion', () => {
  it('is the same each time, and short', () => {
    expect(termsVersion()).toMatch(/^\d+-[0-9a-f]{8}$/)
    expect(termsVersion()).toBe(termsVersion())
  })
})
