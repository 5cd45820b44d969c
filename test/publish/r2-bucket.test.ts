import { describe, expect, it } from 'vitest'
import { type R2Binding, r2Bucket } from '../../src/publish/functions/r2-bucket.ts'

const stored = new TextEncoder().encode('0123456789')

/** A binding whose first responses are faulty. */
function bindingWith(
  faults: readonly ('throws' | 'short' | 'other')[],
): R2Binding & { calls: string[] } {
  const calls: string[] = []
  return {
    calls,
    get: async (key, { range: { offset, length } }) => {
      const fault = faults[calls.length]
      calls.push(key)
      if (fault === 'throws') throw new Error('connection lost')
      if (key !== 'site/object') return null
      const bytes = stored.slice(offset, offset + length)
      if (fault === 'other') bytes[0] = 0
      const sent = fault === 'short' ? bytes.slice(1) : bytes
      return { size: stored.length, arrayBuffer: async () => sent.buffer }
    },
  }
}

const isDigits = (bytes: Uint8Array) =>
  /^\d+$/.test(new TextDecoder().decode(bytes)) ? null : 'the bytes are no digits'

describe('a bucket of R2', () => {
  it('reads a part, up to the end of the object', async () => {
    const bucket = r2Bucket(bindingWith([]), '/site/')
    const part = await bucket.read('object', { offset: 7, length: 100 })
    expect([new TextDecoder().decode(part?.bytes), part?.size]).toEqual(['789', 10])
    expect(await bucket.read('nothing', { offset: 0, length: 1 })).toBeNull()
  })

  it('repeats a read that failed, was short or had other bytes', async () => {
    const binding = bindingWith(['short', 'other'])
    const part = await r2Bucket(binding, 'site').read('object', { offset: 0, length: 4 }, isDigits)
    expect(new TextDecoder().decode(part?.bytes)).toBe('0123')
    expect(binding.calls).toHaveLength(3)
  })

  it('gives up after three attempts', async () => {
    const binding = bindingWith(['throws', 'throws', 'throws'])
    const read = r2Bucket(binding, 'site').read('object', { offset: 0, length: 4 })
    await expect(read).rejects.toThrow('site/object of the bucket cannot be read: connection lost.')
    expect(binding.calls).toHaveLength(3)
  })
})
