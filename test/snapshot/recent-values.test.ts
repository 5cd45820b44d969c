import { expect, it } from 'vitest'
import { RecentValues } from '../../src/snapshot/recent-values.ts'
import fc from '../support/fast-check.ts'

it('never holds more than its bound, and gives back what was put in last, or used last', () => {
  const step = fc.record({
    key: fc.constantFrom(...'abcdefgh'),
    weight: fc.integer({ min: 1, max: 20 }),
    isRead: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const values = new RecentValues<string>(20)
      // By their last use, the latest last.
      let wanted: readonly {
        readonly key: string
        readonly value: string
        readonly weight: number
      }[] = []
      const weightOf = () => wanted.reduce((sum, { weight }) => sum + weight, 0)
      for (const [at, { key, weight, isRead }] of steps.entries()) {
        const found = wanted.find((each) => each.key === key)
        const set = { key, value: String(at), weight }
        if (isRead) expect(values.get(key)).toBe(found?.value)
        else values.set(key, set.value, weight)
        const last = isRead ? found : set
        wanted = [...wanted.filter((each) => each.key !== key), ...(last ? [last] : [])]
        while (weightOf() > 20) wanted = wanted.slice(1)
      }
      values.set('heavy', '', 21)
      expect(values.get('heavy')).toBeUndefined()
      for (const key of 'abcdefgh')
        expect(values.get(key)).toBe(wanted.find((each) => each.key === key)?.value)
    }),
  )
})
