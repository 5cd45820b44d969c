import { describe, expect, it } from 'vitest'
import { ByteGate } from '../../src/publish/byte-gate.ts'

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
