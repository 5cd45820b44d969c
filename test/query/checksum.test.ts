import { describe, expect, it } from 'vitest'
import { checksum } from '../../src/query/checksum.ts'
import fc from '../support/fast-check.ts'

const someBytes = fc.uint8Array({ minLength: 1, maxLength: 70 })

describe('checksum', () => {
  it('finds every change of one byte', () => {
    fc.assert(
      fc.property(someBytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
        const changed = bytes.slice()
        changed[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change
        expect(checksum(changed)).not.toBe(checksum(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  it('tells apart what is longer by zeros, and words that changed places', () => {
    expect(checksum(new Uint8Array(8))).not.toBe(checksum(new Uint8Array(9)))
    const words = Uint32Array.from({ length: 8 }, (_, at) => at)
    const swapped = words.with(0, 4).with(4, 0)
    const sums = [words, swapped].map(({ buffer }) => checksum(new Uint8Array(buffer)))
    expect(new Set(sums).size).toBe(2)
  })

  it('is the same wherever the bytes lie', () => {
    fc.assert(
      fc.property(someBytes, fc.nat({ max: 7 }), (bytes, offset) => {
        const room = new Uint8Array(bytes.length + 8)
        room.set(bytes, offset)
        expect(checksum(room.subarray(offset, offset + bytes.length))).toBe(checksum(bytes))
      }),
    )
  })
})
