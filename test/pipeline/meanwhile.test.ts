// Work that is done while something is waited for: as much as there is time for, and no error is lost.
// Knows nothing of what is waited for.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { meanwhile } from '../../src/pipeline/meanwhile.ts'

describe('work meanwhile', () => {
  it('is done step by step until what is waited for is there', async () => {
    let resolve: (value: string) => void = () => {}
    const promise = new Promise<string>((keep) => {
      resolve = keep
    })
    const done: number[] = []
    function* steps() {
      for (let step = 1; ; step++) {
        done.push(step)
        if (step === 3) resolve('kept')
        yield
      }
    }
    expect(await meanwhile(promise, steps())).toBe('kept')
    expect(done).toEqual([1, 2, 3])
  })

  it('ends before, where there is less of it', async () => {
    const waited = (async () => {
      for (let turns = 0; turns < 9; turns++) await turn()
      return 'kept'
    })()
    expect(await meanwhile(waited, ['one step'])).toBe('kept')
  })

  it.each(['what is waited for', 'the work'])('fails as %s does', async (one) => {
    const error = new Error(one)
    let isKept = false
    const waited = (async () => {
      for (let turns = 0; turns < 9; turns++) await turn()
      isKept = true
      if (one !== 'the work') throw error
    })()
    const steps = (function* () {
      yield
      if (one === 'the work') throw error
    })()
    await expect(meanwhile(waited, steps)).rejects.toBe(error)
    expect(isKept).toBe(true)
  })
})
