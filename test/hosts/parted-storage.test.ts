import { describe, expect, it } from 'vitest'
import { createPartedStorage, cutFile, partName } from '../../src/hosts/parted-storage.ts'
import fc from '../support/fast-check.ts'

/** A file cut into parts, and how often each was fetched. */
function cut(bytes: Uint8Array, partBytes: number, cachedBytes = 1000) {
  const parts = new Map(
    cutFile(bytes, partBytes).map((part, number) => [partName('f', number), part] as const),
  )
  const fetched: string[] = []
  const fetchPart = async (name: string) => {
    fetched.push(name)
    const part = parts.get(name)
    if (part === undefined) throw new Error(`no ${name}`)
    return part
  }
  return { fetched, storage: createPartedStorage(fetchPart, { partBytes, cachedBytes }) }
}

describe('a storage over parts', () => {
  it('gives a file and every range of it as the file has it', async () => {
    const file = fc.uint8Array({ maxLength: 40 })
    const size = fc.integer({ min: 1, max: 12 })
    await fc.assert(
      fc.asyncProperty(
        file,
        size,
        fc.nat(40),
        fc.nat(40),
        async (bytes, partBytes, from, count) => {
          const { storage } = cut(bytes, partBytes)
          expect(Array.from(await storage.read('f'))).toEqual(Array.from(bytes))
          const start = Math.min(from, bytes.length)
          const end = Math.min(start + count, bytes.length)
          const range = await storage.read('f', start, end)
          expect(Array.from(range)).toEqual(Array.from(bytes.slice(start, end)))
        },
      ),
    )
  })

  it('fetches neighbours in a part once, and no part that is not asked for', async () => {
    const { fetched, storage } = cut(new Uint8Array(100), 10)
    const reads = [40, 41, 42].map((from) => storage.read('f', from, from + 1))
    await Promise.all(reads)
    for (let from = 43; from < 50; from++) await storage.read('f', from, from + 1)
    expect(fetched).toEqual(['f.4'])
  })

  it('keeps no more than it is told', async () => {
    const { fetched, storage } = cut(new Uint8Array(100), 10, 20)
    for (const from of [0, 10, 20, 0]) await storage.read('f', from, from + 1)
    expect(fetched).toEqual(['f.0', 'f.1', 'f.2', 'f.0'])
  })

  it('refuses what is not there', async () => {
    const { storage } = cut(new Uint8Array(5), 10)
    await expect(storage.read('g')).rejects.toThrow('no g.0')
  })
})
