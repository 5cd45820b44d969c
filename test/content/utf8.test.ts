// Strict UTF-8, and where bytes stop being it.

import { describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../src/content/read-file.ts'
import fc from '../support/fast-check.ts'

describe('decodeUtf8', () => {
  it('gives back any text, a byte order mark with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8(Buffer.from(`\uFEFF${text}`))).toEqual({
          kind: 'text',
          text: `\uFEFF${text}`,
        })
      }),
    )
  })

  it.each([
    ['a byte that begins nothing', [0x61, 0xff, 0x62], 'a', 0xff],
    ['a character cut off at the end', [0x61, 0xe2, 0x82], 'a', 0xe2],
    ['a character cut off by another', [0xc3, 0x28], '', 0xc3],
    ['a surrogate half (CESU-8)', [0x61, 0xed, 0xa0, 0x80], 'a', 0xed],
    ['an overlong slash', [0xc0, 0xaf], '', 0xc0],
    ['a code point over U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '', 0xf4],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x61, 0x00], '', 0xff],
    ['Latin-1 behind real U+FFFD', [0xef, 0xbf, 0xbd, 0xe9, 0x20], '\uFFFD', 0xe9],
  ])('stops at %s', (_name, bytes, before, byte) => {
    expect(decodeUtf8(Buffer.from(bytes))).toEqual({ kind: 'invalid', before, byte })
  })

  it('finds the bad byte behind any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xfe]), Buffer.from(after)])
        expect(decodeUtf8(bytes)).toEqual({ kind: 'invalid', before, byte: 0xfe })
      }),
    )
  })
})
