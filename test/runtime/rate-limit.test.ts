import { describe, expect, it } from 'vitest'
import { defaultRate, memoryLimiter, parseRateLimit } from '../../src/runtime/rate-limit.ts'
import fc from '../support/fast-check.ts'

/** A limiter whose clock is set by hand, in milliseconds. */
function limiterAt(limit: number, windowSeconds: number, bucketsMax?: number) {
  const clock = { now: 1_700_000_000_000 }
  const limiter = memoryLimiter({ limit, windowSeconds }, bucketsMax, () => clock.now)
  const takeMany = (bucket: string, times: number) =>
    Array.from({ length: times }, () => limiter.take(bucket))
  return { clock, take: limiter.take, takeMany }
}

describe('a limiter in memory', () => {
  it('allows each bucket the limit in a window, however many are counted at once, from its first request on', () => {
    const step = fc.record({ wait: fc.nat(4000), count: fc.integer({ min: 1, max: 7 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, take } = limiterAt(7, 5)
        let [end, left] = [0, 0]
        for (const { wait, count } of steps) {
          clock.now += wait
          take('b', count)
          if (clock.now >= end) [end, left] = [clock.now + 5000, 7]
          const isAllowed = count <= left
          if (isAllowed) left -= count
          const resetSeconds = Math.ceil((end - clock.now) / 1000)
          const state = { isAllowed, limit: 7, remaining: left, resetSeconds }
          expect(take('a', count)).toEqual(state)
        }
      }),
    )
  })

  it('forgets the oldest of many buckets, but none that keeps asking', () => {
    const { take, takeMany } = limiterAt(10, 10, 1000)
    takeMany('idle', 3)
    takeMany('asking', 11)
    for (let other = 0; other < 100_000; other++) {
      take(`other ${other}`)
      if (other % 100 === 0) expect(take('asking').isAllowed).toBe(false)
    }
    expect(take('idle').remaining).toBe(9)
  })
})

describe('QUARRY_RATE_LIMIT', () => {
  it('is 200 requests in 10 seconds when nothing is set, none for off, and a count and seconds', () => {
    expect(parseRateLimit(undefined)).toEqual(defaultRate)
    expect(defaultRate).toEqual({ limit: 200, windowSeconds: 10 })
    expect(parseRateLimit('off')).toBeNull()
    expect(parseRateLimit('1/1')).toEqual({ limit: 1, windowSeconds: 1 })
    expect(parseRateLimit('1000000/86400')).toEqual({ limit: 1e6, windowSeconds: 86_400 })
  })

  it.each(['', '0/10', '10/0', '1e3/10', '12345678/10', '10/123456', '-1/10', '10', 'OFF', ' 1/1'])(
    'refuses %j and says what was expected',
    (text) => {
      expect(() => parseRateLimit(text)).toThrow('It must be "off" or COUNT/SECONDS, such as')
    },
  )
})
