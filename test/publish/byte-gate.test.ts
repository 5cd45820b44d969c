import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ByteGate } from '../../src/publish/byte-gate.ts'

/** Work that ends when it is told to. */
function heldWork() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, work: () => ended }
}

describe('a gate of bytes', () => {
  it('admits as much as fits, and larger work alone', async () => {
    const gate = new ByteGate(10)
    let used = 0
    let most = 0
    const sizes = [4, 4, 4, 25, 1, 10, 3]
    const done = sizes.map((bytes) =>
      gate.run(bytes, async () => {
        used += Math.min(bytes, 10)
        most = Math.max(most, used)
        await Promise.resolve()
        used -= Math.min(bytes, 10)
        return bytes
      }),
    )
    expect(await Promise.all(done)).toEqual(sizes)
    expect(most).toBe(10)
  })

  it('frees the bytes of work that fails', async () => {
    const gate = new ByteGate(1)
    await expect(gate.run(1, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    expect(await gate.run(1, async () => 'next')).toBe('next')
  })
})

describe('a gate with leases', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('admits the next work after the time of one that never ends', async () => {
    const gate = new ByteGate(10, 1000)
    void gate.run(10, () => new Promise(() => {}))
    const order: string[] = []
    void gate.run(10, async () => order.push('waited'))
    await vi.advanceTimersByTimeAsync(999)
    expect(order).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(order).toEqual(['waited'])
    void gate.run(10, async () => order.push('at once'))
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['waited', 'at once'])
  })

  it('leaves no timer behind when work ends', async () => {
    const gate = new ByteGate(10, 1000)
    const first = heldWork()
    const done = [gate.run(10, first.work), gate.run(10, async () => {})]
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(1)
    first.end()
    await Promise.all(done)
    expect(vi.getTimerCount()).toBe(0)
  })
})
