import { describe, expect, it } from 'vitest'
import { defaultRate, parseRateLimit } from '../../src/runtime/rate-limit-setting.ts'
import fc from '../support/fast-check.ts'

describe('parseRateLimit', () => {
  it('allows 200 requests in 10 seconds when nothing is set', () => {
    expect(parseRateLimit(undefined)).toEqual({ limit: 200, windowSeconds: 10 })
    expect(parseRateLimit(undefined)).toBe(defaultRate)
  })

  it('sets no limit for off', () => {
    expect(parseRateLimit('off')).toBeNull()
  })

  it('reads a count and seconds', () => {
    const rates = fc.record({
      limit: fc.integer({ min: 1, max: 1_000_000 }),
      windowSeconds: fc.integer({ min: 1, max: 86_400 }),
    })
    fc.assert(
      fc.property(rates, (rate) => {
        expect(parseRateLimit(`${rate.limit}/${rate.windowSeconds}`)).toEqual(rate)
      }),
    )
  })

  it.each([
    ...['', ' ', 'OFF', 'on', 'none', '0', '200', '200/', '/10', '200/10/1', '200:10', '200 / 10'],
    ...['0/10', '10/0', '-1/10', '+1/10', '1.5/10', '1e3/10', '0x10/10', '007/10', '10/010'],
    ...['200/10s', ' 200/10', '200/10\n', '٢٠٠/١٠', '1000001/1', '1/86401', '9999999/99999'],
  ])('refuses %j and says what was expected', (text) => {
    expect(() => parseRateLimit(text)).toThrow(RangeError)
    expect(() => parseRateLimit(text)).toThrow(/"off" or COUNT\/SECONDS, such as 200\/10/)
  })
})
