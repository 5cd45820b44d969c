import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ByteBudget } from '../../src/publish/functions/byte-budget.ts'

describe('a budget of bytes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('admits as much as fits, and a larger read alone', async () => {
    const budget = new ByteBudget(10)
    let used = 0
    let most = 0
    const sizes = [4, 4, 4, 25, 1, 10, 3]
    const read = sizes.map((bytes) =>
      budget.run(bytes, async () => {
        used += Math.min(bytes, 10)
        most = Math.max(most, used)
        await new Promise((resolve) => setTimeout(resolve, 20))
        used -= Math.min(bytes, 10)
        return bytes
      }),
    )
    await vi.advanceTimersByTimeAsync(500)
    expect(await Promise.all(read)).toEqual(sizes)
    expect(most).toBe(10)
  })

  it('frees the bytes of a read that fails', async () => {
    const budget = new ByteBudget(1)
    await expect(budget.run(1, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    expect(await budget.run(1, async () => 'next')).toBe('next')
  })

  it('no longer counts a read that never ends', async () => {
    const budget = new ByteBudget(10)
    void budget.run(10, () => new Promise(() => {}))
    let isRead = false
    void budget.run(10, async () => {
      isRead = true
    })
    await vi.advanceTimersByTimeAsync(4900)
    expect(isRead).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(isRead).toBe(true)
  })

  it('admits reads in their order, so that small ones never keep a large one waiting', async () => {
    const budget = new ByteBudget(10)
    const order: string[] = []
    const read = (name: string, bytes: number) =>
      budget.run(bytes, async () => {
        order.push(name)
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
    void read('small 1', 4)
    void read('large', 10)
    const smaller = setInterval(() => void read('small', 4), 20)
    await vi.advanceTimersByTimeAsync(1000)
    clearInterval(smaller)
    await vi.advanceTimersByTimeAsync(5000)
    expect(order.slice(0, 3)).toEqual(['small 1', 'large', 'small'])
  })

  it('passes over a request that was stopped while it waited', async () => {
    const budget = new ByteBudget(10)
    void budget.run(10, () => new Promise(() => {}))
    void budget.run(10, async () => {})
    await vi.advanceTimersByTimeAsync(1)
    vi.clearAllTimers()
    let isRead = false
    void budget.run(10, async () => {
      isRead = true
    })
    await vi.advanceTimersByTimeAsync(5100)
    expect(isRead).toBe(true)
  })
})
