// Time as it went by for busy threads.
// Knows nothing of rendering.
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { Pace, shareMs } from '../../src/markdown/pace.ts'

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

  it.each([
    ['one thread alone', { wallMs: 250, processorMs: 200, threads: 1, utilization: 0 }, 200],
    [
      'a main thread that is half busy',
      { wallMs: 250, processorMs: 300, threads: 1, utilization: 0.5 },
      200,
    ],
    ['three threads', { wallMs: 250, processorMs: 300, threads: 3, utilization: 0 }, 100],
    [
      'more processor time than the clock has',
      { wallMs: 50, processorMs: 200, threads: 1, utilization: 0 },
      50,
    ],
  ])('gives each thread its share: %s', (_, elapsed, share) => {
    expect(shareMs(elapsed)).toBe(share)
  })
})
