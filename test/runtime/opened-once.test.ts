import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openedOnce } from '../../src/runtime/opened-once.ts'

/** Openings that end when they are told to. */
function heldOpenings() {
  const openings: { end(value: string): void; fail(error: Error): void }[] = []
  const open = openedOnce(
    () => new Promise<string>((resolve, reject) => openings.push({ end: resolve, fail: reject })),
  )
  return { open, openings }
}

describe('what is opened once', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is there at once where it opens at once', () => {
    let opened = 0
    const open = openedOnce(() => ++opened)
    expect([open(), open()]).toEqual([1, 1])
  })

  it('is opened by one call, waited for by the others, and then there at once', async () => {
    const { open, openings } = heldOpenings()
    const calls = [open(), open(), open()]
    openings[0]?.end('it')
    await vi.advanceTimersByTimeAsync(10)
    expect(await Promise.all(calls)).toEqual(['it', 'it', 'it'])
    expect(openings).toHaveLength(1)
    expect(open()).toBe('it')
  })

  it('shares no promise between calls', () => {
    const { open } = heldOpenings()
    const calls = [open(), open(), open()]
    expect(new Set(calls).size).toBe(3)
    expect(vi.getTimerCount()).toBe(2)
  })

  it('gives a failure to those who wait, and opens again for the next call', async () => {
    const { open, openings } = heldOpenings()
    const calls = [open(), open()].map(async (call) => call)
    const failures = Promise.all(calls.map((call) => expect(call).rejects.toThrow('gone')))
    openings[0]?.fail(new Error('gone'))
    await vi.advanceTimersByTimeAsync(10)
    await failures
    const next = open()
    openings[1]?.end('it')
    expect(await next).toBe('it')
  })

  it('throws what is thrown at once, and opens again for the next call', () => {
    let calls = 0
    const open = openedOnce(() => {
      if (++calls === 1) throw new Error('gone')
      return calls
    })
    expect(open).toThrow('gone')
    expect(open()).toBe(2)
  })

  it('is opened again where the first opening was stopped', async () => {
    const { open, openings } = heldOpenings()
    void open()
    const second = open()
    const third = open()
    await vi.advanceTimersByTimeAsync(9900)
    expect(openings).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(openings).toHaveLength(2)
    openings[1]?.end('it')
    await vi.advanceTimersByTimeAsync(10)
    expect(await Promise.all([second, third])).toEqual(['it', 'it'])
  })

  it('takes what a slow opening gives at last, whatever a later one does', async () => {
    const { open, openings } = heldOpenings()
    const calls = [open(), open(), open()]
    await vi.advanceTimersByTimeAsync(10_100)
    expect(openings).toHaveLength(2)
    openings[0]?.end('it')
    await vi.advanceTimersByTimeAsync(10)
    expect(await calls[2]).toBe('it')
    openings[1]?.fail(new Error('gone'))
    await expect(calls[1]).rejects.toThrow('gone')
    expect(open()).toBe('it')
  })
})
