// Time as it went by for busy threads.
// Knows nothing of rendering.
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { Pace } from '../../src/markdown/pace.ts'

/** Blocks this thread without using the processor. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('the pace', () => {
  it('stands still while the process sleeps', () => {
    const pace = new Pace()
    sleep(300)
    expect(pace.elapsedMs(1)).toBeLessThan(200)
  })

  it('is never faster than the clock', () => {
    const start = performance.now()
    const pace = new Pace()
    for (let rounds = 0; rounds < 1e7; rounds++) Math.sqrt(rounds)
    expect(pace.elapsedMs(0)).toBeLessThanOrEqual(performance.now() - start)
  })

  it('begins anew with each look', () => {
    const pace = new Pace()
    for (let rounds = 0; rounds < 1e7; rounds++) Math.sqrt(rounds)
    const first = pace.elapsedMs(1)
    expect(first).toBeGreaterThan(0)
    expect(pace.elapsedMs(1)).toBeLessThan(Math.max(first, 1))
  })
})
