import { describe, expect, it } from 'vitest'
import { Generations } from '../../src/runtime/rate-limit-generations.ts'

const ageMs = 1000

describe('Generations', () => {
  it('gives a value out once', () => {
    const values = new Generations<string>({ sizeMax: 10, ageMs })
    values.add('a', 'A')
    expect(values.remove('a')).toBe('A')
    expect(values.remove('a')).toBeUndefined()
    expect(values.size).toBe(0)
  })

  it('never holds more than its size, however many come', () => {
    const sizeMax = 1000
    const values = new Generations<number>({ sizeMax, ageMs })
    let most = 0
    for (let number = 0; number < 100_000; number++) {
      values.age(number / 1000)
      values.add(`key ${number}`, number)
      most = Math.max(most, values.size)
    }
    expect(most).toBe(sizeMax)
  })

  it('keeps a value until half its size has come after it, whatever came before', () => {
    for (let before = 0; before < 12; before++) {
      const values = new Generations<string>({ sizeMax: 20, ageMs })
      for (let number = 0; number < before; number++) values.add(`before ${number}`, '')
      values.add('kept', 'here')
      for (let number = 0; number < 9; number++) values.add(`after ${number}`, '')
      expect(values.remove('kept'), `after ${before} others`).toBe('here')
    }
  })

  it('keeps a value for its age, whenever it was added', () => {
    for (let addedAt = 0; addedAt < 3 * ageMs; addedAt += 250) {
      const values = new Generations<string>({ sizeMax: 10, ageMs })
      for (let now = 0; now <= addedAt; now += 125) values.age(now)
      values.add('kept', 'here')
      for (let now = addedAt; now < addedAt + ageMs; now += 125) values.age(now)
      expect(values.remove('kept'), `added at ${addedAt}`).toBe('here')
    }
  })

  it('keeps a value for its age when room was made just before', () => {
    const values = new Generations<string>({ sizeMax: 4, ageMs })
    values.age(0)
    values.age(ageMs - 1)
    values.add('kept', 'here')
    values.add('second', '')
    values.add('third, which needs room', '')
    values.age(ageMs)
    expect(values.remove('kept')).toBe('here')
  })

  it('drops a value that is twice as old', () => {
    const values = new Generations<string>({ sizeMax: 10, ageMs })
    values.age(0)
    values.add('old', '')
    values.age(ageMs)
    values.age(2 * ageMs)
    expect(values.size).toBe(0)
  })

  it('goes on dropping when the clock is set back', () => {
    const values = new Generations<string>({ sizeMax: 10, ageMs })
    values.age(1_000_000)
    values.add('old', '')
    values.age(0)
    values.age(ageMs)
    expect(values.size).toBe(0)
  })
})
