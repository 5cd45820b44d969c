import { describe, expect, it } from 'vitest'
import { countHeaders, headerOf } from '../../src/hosts/node/raw-headers.ts'

const sent = ['Host', 'a', 'ACCEPT', 'x', 'Authorization', 'Bearer 1', 'authorization', 'Bearer 2']

describe('raw headers', () => {
  it.each([
    ['host', 'a'],
    ['accept', 'x'],
    ['authorization', 'Bearer 1, Bearer 2'],
    ['etag', null],
    // A value is no name.
    ['bearer 1', null],
    ['a', null],
  ])('reads %s as %s', (name, value) => {
    expect(headerOf(sent, name)).toBe(value)
  })

  it('tells an empty header from none', () => {
    expect([headerOf(['Accept', ''], 'accept'), headerOf([], 'accept')]).toEqual(['', null])
  })

  it('counts a header that was sent twice', () => {
    expect(['host', 'authorization', 'etag'].map((name) => countHeaders(sent, name))).toEqual([
      1, 2, 0,
    ])
  })
})
