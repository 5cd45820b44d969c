// The known name that somebody most likely meant.

import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/content/nearest.ts'
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
