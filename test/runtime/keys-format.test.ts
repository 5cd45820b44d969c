import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { encodeKey, hashKey, isKey } from '../../src/runtime/key-format.ts'
import fc from '../support/fast-check.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const random = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('a key', () => {
  it('is 52 characters of a fixed form that holds its bytes and a checksum', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const key = encodeKey(bytes)
        expect(key).toMatch(/^qk_[0-9A-Za-z]{49}$/)
        expect(numberOf(key.slice(3, 46))).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
        expect(numberOf(key.slice(46))).toBe(BigInt(crc32(key.slice(0, 46))))
        expect(isKey(key)).toBe(true)
      }),
    )
  })

  it.each([
    [0x00, 0n],
    [0xff, 2n ** 256n - 1n],
  ])('has one width for the lowest and the highest bytes: %i', (byte, number) => {
    const key = encodeKey(new Uint8Array(32).fill(byte))
    expect([key.length, numberOf(key.slice(3, 46))]).toEqual([52, number])
  })

  it('is refused with any one character changed', () => {
    const change = fc.record({ bytes: random, at: fc.nat(51), to: fc.constantFrom(...digits, '_') })
    fc.assert(
      fc.property(change, ({ bytes, at, to }) => {
        const key = encodeKey(bytes)
        const changed = key.slice(0, at) + to + key.slice(at + 1)
        expect(isKey(changed)).toBe(changed === key)
      }),
      { numRuns: 1000 },
    )
  })

  it('is refused with two neighbours swapped', () => {
    fc.assert(
      fc.property(random, fc.nat(50), (bytes, at) => {
        const key = encodeKey(bytes)
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
        expect(isKey(swapped)).toBe(swapped === key)
      }),
    )
  })

  it.each([0, 31, 33])('is not made of %i bytes', (length) => {
    expect(() => encodeKey(new Uint8Array(length))).toThrow(RangeError)
  })

  it('is hashed as the text that it is', () => {
    const key = encodeKey(new Uint8Array(32).fill(1))
    expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
  })
})

function numberOf(text: string): bigint {
  return Array.from(text).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
}
