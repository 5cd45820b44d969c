import { describe, expect, it } from 'vitest'
import { defaultRate, memoryLimiter, parseRateLimit } from '../../src/runtime/rate-limit.ts'
import fc from '../support/fast-check.ts'

/** A limiter whose clock is set by hand, in milliseconds. */
function limiterAt(options: { limit: number; windowSeconds: number; maxBuckets?: number }) {
  const clock = { now: 1_700_000_000_000 }
  const limiter = memoryLimiter(options, options.maxBuckets, () => clock.now)
  const takeMany = (bucket: string, times: number) =>
    Array.from({ length: times }, () => limiter.take(bucket))
  return { clock, limiter, takeMany }
}

describe('memoryLimiter', () => {
  it('counts down, then refuses', () => {
    const { takeMany } = limiterAt({ limit: 3, windowSeconds: 10 })
    expect(takeMany('a', 5)).toEqual([
      { isAllowed: true, limit: 3, remaining: 2, resetSeconds: 10 },
      { isAllowed: true, limit: 3, remaining: 1, resetSeconds: 10 },
      { isAllowed: true, limit: 3, remaining: 0, resetSeconds: 10 },
      { isAllowed: false, limit: 3, remaining: 0, resetSeconds: 10 },
      { isAllowed: false, limit: 3, remaining: 0, resetSeconds: 10 },
    ])
  })

  it('counts several at once: all of them or none', () => {
    const { clock, limiter } = limiterAt({ limit: 10, windowSeconds: 10 })
    expect(limiter.take('a', 4)).toMatchObject({ isAllowed: true, remaining: 6 })
    clock.now += 3000
    expect(limiter.take('a', 4)).toMatchObject({ isAllowed: true, remaining: 2 })
    expect(limiter.take('a', 3)).toMatchObject({ isAllowed: false, remaining: 2, resetSeconds: 7 })
    expect(limiter.take('a', 7)).toMatchObject({ isAllowed: false, remaining: 2, resetSeconds: 10 })
    expect(limiter.take('a', 2)).toMatchObject({ isAllowed: true, remaining: 0 })
    clock.now += 7000
    expect(limiter.take('a', 4)).toMatchObject({ isAllowed: true, remaining: 0 })
  })

  it('never allows more than the limit in any window, however many are counted at once', () => {
    const step = fc.record({ wait: fc.nat(4000), count: fc.integer({ min: 1, max: 7 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, limiter } = limiterAt({ limit: 7, windowSeconds: 5 })
        const allowed: number[] = []
        for (const { wait, count } of steps) {
          clock.now += wait
          const left = 7 - allowed.filter((instant) => clock.now - instant < 5000).length
          const isAllowed = count <= left
          const remaining = isAllowed ? left - count : left
          expect(limiter.take('a', count)).toMatchObject({ isAllowed, remaining })
          if (isAllowed) allowed.push(...new Array<number>(count).fill(clock.now))
        }
      }),
    )
  })

  it('counts buckets apart', () => {
    const { limiter, takeMany } = limiterAt({ limit: 2, windowSeconds: 10 })
    takeMany('a', 3)
    expect(limiter.take('b')).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  it('has no edge at which twice the limit passes', () => {
    const { clock, takeMany } = limiterAt({ limit: 100, windowSeconds: 10 })
    clock.now = 1_700_000_009_999
    const before = takeMany('a', 150).filter(({ isAllowed }) => isAllowed)
    clock.now += 2
    const after = takeMany('a', 150).filter(({ isAllowed }) => isAllowed)
    expect([before.length, after.length]).toEqual([100, 0])
  })

  it('does not count what it refused', () => {
    const { clock, limiter, takeMany } = limiterAt({ limit: 2, windowSeconds: 10 })
    takeMany('a', 2)
    for (let second = 0; second < 9; second++) {
      clock.now += 1000
      takeMany('a', 50)
    }
    clock.now += 1000
    expect(limiter.take('a')).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  it('allows, in any window wherever it begins, the limit and no more', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(30), fc.nat(1500)), { maxLength: 200 })
    const limits = fc.integer({ min: 1, max: 12 })
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 3 }), gaps, (limit, windowSeconds, times) => {
        const { clock, limiter } = limiterAt({ limit, windowSeconds })
        let allowed: number[] = []
        for (const gap of times) {
          clock.now += gap
          allowed = allowed.filter((instant) => clock.now - instant < windowSeconds * 1000)
          const state = limiter.take('a')
          expect(state.isAllowed).toBe(allowed.length < limit)
          if (state.isAllowed) allowed.push(clock.now)
          expect(state.remaining).toBe(limit - allowed.length)
        }
      }),
    )
  })

  it('says to the second when a refused request would be allowed', () => {
    const gaps = fc.array(fc.nat(900), { minLength: 5, maxLength: 60 })
    fc.assert(
      fc.property(gaps, (times) => {
        const { clock, limiter } = limiterAt({ limit: 4, windowSeconds: 3 })
        for (const gap of times) {
          clock.now += gap
          const state = limiter.take('a')
          if (state.isAllowed) continue
          clock.now += (state.resetSeconds - 1) * 1000
          expect(limiter.take('a').isAllowed).toBe(false)
          clock.now += 1000
          expect(limiter.take('a').isAllowed).toBe(true)
        }
      }),
    )
  })

  it('has the whole limit again after the seconds of the last allowed request', () => {
    const { clock, limiter, takeMany } = limiterAt({ limit: 5, windowSeconds: 7 })
    const last = takeMany('a', 5).at(-1)
    clock.now += (last?.resetSeconds ?? 0) * 1000
    expect(limiter.take('a').remaining).toBe(4)
  })

  it('goes on soon when the clock is set back by hours', () => {
    const { clock, limiter, takeMany } = limiterAt({ limit: 2, windowSeconds: 10 })
    takeMany('a', 3)
    clock.now -= 3_600_000
    expect(limiter.take('a').isAllowed).toBe(true)
  })

  it('forgets the oldest of 100,000 buckets', () => {
    const { limiter } = limiterAt({ limit: 10, windowSeconds: 10, maxBuckets: 1000 })
    for (let number = 0; number < 100_000; number++) limiter.take(`address ${number}`)
    expect(limiter.take('address 0').remaining).toBe(9)
    expect(limiter.take('address 99999').remaining).toBe(8)
  })

  it('keeps refusing a bucket through a flood of 100,000 others', () => {
    const { limiter, takeMany } = limiterAt({ limit: 10, windowSeconds: 10, maxBuckets: 1000 })
    takeMany('hot', 11)
    for (let number = 0; number < 100_000; number++) limiter.take(`address ${number}`)
    expect(limiter.take('hot').isAllowed).toBe(false)
  })

  it('keeps refusing a bucket until many others are more than half used', () => {
    const { limiter, takeMany } = limiterAt({ limit: 10, windowSeconds: 10, maxBuckets: 1000 })
    takeMany('hot', 11)
    for (let number = 0; number < 249; number++) takeMany(`busy ${number}`, 6)
    expect(limiter.take('hot').isAllowed).toBe(false)
  })

  it('reads the clock of the machine unless told otherwise', () => {
    const limiter = memoryLimiter({ limit: 1, windowSeconds: 3600 })
    expect([limiter.take('a').isAllowed, limiter.take('a').isAllowed]).toEqual([true, false])
  })
})
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
