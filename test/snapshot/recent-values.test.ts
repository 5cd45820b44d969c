import { describe, expect, it } from 'vitest'
import { RecentValues } from '../../src/snapshot/recent-values.ts'
import fc from '../support/fast-check.ts'

describe('recent values', () => {
  it('gives back what was kept', () => {
    const values = new RecentValues<string>(10)
    values.set('a', 'one', 1)
    expect([values.get('a'), values.get('b')]).toEqual(['one', undefined])
  })

  it('puts a value in the place of an earlier one', () => {
    const values = new RecentValues<string>(10)
    values.set('a', 'one', 5)
    values.set('a', 'two', 5)
    values.set('b', 'three', 5)
    expect([values.get('a'), values.get('b')]).toEqual(['two', 'three'])
  })

  it('forgets what nobody asks for, and not what is asked for again and again', () => {
    const values = new RecentValues<number>(10)
    values.set('used', -1, 1)
    values.set('unused', -1, 1)
    for (let at = 0; at < 100; at++) {
      values.set(`other ${at}`, at, 1)
      expect(values.get('used')).toBe(-1)
    }
    expect(values.get('unused')).toBeUndefined()
  })

  it('refuses what weighs more than the bound, and everything when nothing may be kept', () => {
    const values = new RecentValues<string>(10)
    values.set('heavy', 'x', 11)
    expect(values.get('heavy')).toBeUndefined()
    const none = new RecentValues<string>(0)
    none.set('a', 'x', 1)
    expect(none.get('a')).toBeUndefined()
  })

  it('forgets everything when it is cleared', () => {
    const values = new RecentValues<string>(10)
    values.set('a', 'one', 5)
    values.set('b', 'two', 5)
    values.clear()
    expect([values.get('a'), values.get('b')]).toEqual([undefined, undefined])
  })

  it('never holds more than its bound, and gives back nothing but what was put in last', () => {
    const step = fc.record({
      key: fc.constantFrom(...'abcdefgh'),
      weight: fc.integer({ min: 1, max: 10 }),
      isRead: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const values = new RecentValues<{ readonly weight: number }>(20)
        const last = new Map<string, { readonly weight: number }>()
        for (const { key, weight, isRead } of steps) {
          if (isRead) {
            expect([undefined, last.get(key)]).toContain(values.get(key))
          } else {
            const value = { weight }
            values.set(key, value, weight)
            last.set(key, value)
          }
        }
        // Looking moves values about: every one that is still there was there before any look.
        const held = [...last.keys()].map((key) => values.get(key)?.weight ?? 0)
        expect(held.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(20)
      }),
    )
  })
})
