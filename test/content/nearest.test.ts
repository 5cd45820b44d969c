// The known name that somebody most likely meant.

import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { NameIndex, nearest } from '../../src/content/nearest.ts'
import fc from '../support/fast-check.ts'

describe('nearest', () => {
  it.each([
    ['enginering', ['engineering', 'design'], 'engineering'],
    ['posts', ['posts'], 'posts'],
    ['post', ['posts', 'pest'], 'pest'],
    ['ab', ['xy'], undefined],
    ['ab', ['abc', 'aba'], 'aba'],
    ['abcdef', ['abxxef'], 'abxxef'],
    ['abcdef', ['axxxef'], undefined],
    ['', ['a'], 'a'],
    ['', ['ab'], undefined],
    ['tag', [], undefined],
    ['étude', ['etude'], 'etude'],
  ])('for %j among %j finds %j', (name, known, expected) => {
    expect(nearest(name, known)).toBe(expected)
  })

  it('prefers the nearer name to the earlier one', () => {
    expect(nearest('catalogue', ['catalog', 'catalogues'])).toBe('catalogues')
  })

  it('breaks ties by code unit order, whatever the order of the known names', () => {
    expect(nearest('bat', ['rat', 'cat', 'Bat'])).toBe('Bat')
    expect(nearest('bat', ['cat', 'Bat', 'rat'])).toBe('Bat')
  })

  it('passes over no name that is near enough', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', '日', '-'), maxLength: 9 })
    fc.assert(
      fc.property(name, fc.array(name), (wanted, known) => {
        const limit = Math.max(1, Math.floor(wanted.length / 3))
        const near = known.filter((other) => distance(wanted, other) <= limit)
        const found = nearest(wanted, known)
        if (near.length > 0) expect(found).toBeDefined()
        const best = Math.min(...near.map((other) => distance(wanted, other)))
        if (found !== undefined && near.includes(found)) {
          // Letters that changed places count as one edit less.
          expect(distance(wanted, found)).toBeLessThanOrEqual(best + 1)
        }
      }),
    )
  })
})

describe('an index of names', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', '😀', '-'), maxLength: 9 })
  const words = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven', 'inlet']

  function titles(count: number): readonly string[] {
    return Array.from({ length: count }, (_, index) => {
      const [a, b, c] = [index, index / 9, index / 81].map((place) => words[Math.floor(place) % 9])
      return `2026-01-${10 + (index % 19)}-${a}-${b}-${c}-${index}.md`
    })
  }

  it('finds among a few names what a comparison with all finds', () => {
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 16 }), (wanted, known) => {
        expect(new NameIndex(known).nearest(wanted)).toBe(nearest(wanted, known))
      }),
    )
  })

  it('is the same whatever the order of the names', () => {
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 40, maxLength: 200 }), (wanted, known) => {
        const reversed = new NameIndex(known.toReversed())
        expect(reversed.nearest(wanted)).toBe(new NameIndex(known).nearest(wanted))
      }),
    )
  })

  it('finds the right one of many where one letter is wrong, missing or too much', () => {
    const known = titles(5_000)
    const index = new NameIndex(known)
    const place = fc.nat({ max: known.length - 1 })
    const edit = fc.constantFrom<readonly [removed: number, added: string]>(
      [1, 'x'],
      [1, ''],
      [0, 'x'],
    )
    fc.assert(
      fc.property(place, fc.nat({ max: 25 }), edit, (which, at, [removed, added]) => {
        const right = known[which] ?? ''
        const wrong = right.slice(0, at) + added + right.slice(at + removed)
        fc.pre(!known.includes(wrong))
        expect(distance(index.nearest(wrong) ?? '', wrong)).toBe(1)
      }),
    )
  })

  it('compares a name with as many of many names as of few', () => {
    const compared = [100, 1_000, 10_000].map((count) => {
      const index = new NameIndex(titles(count))
      return Math.max(...titles(500).map((title) => index.candidates(`${title}x`).length))
    })
    for (const count of compared) expect(count).toBeLessThanOrEqual(64)
  })
})
