// The known name that somebody most likely meant.
import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/content/nearest.ts'

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
})
