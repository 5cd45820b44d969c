import { describe, expect, it } from 'vitest'
import {
  createPartedStorage,
  partCount,
  partName,
  partTable,
  partTableName,
} from '../../src/hosts/parted-storage.ts'
import fc from '../support/fast-check.ts'

/** Files cut into parts, and how often each was fetched. */
function cut(files: Readonly<Record<string, Uint8Array>>, partBytes: number) {
  const parts = new Map<string, Uint8Array>()
  for (const [name, bytes] of Object.entries(files)) {
    for (let part = 0; part < partCount(bytes.length, partBytes); part++) {
      parts.set(partName(name, part), bytes.slice(part * partBytes, (part + 1) * partBytes))
    }
  }
  const entries = Object.entries(files).map(([name, { length }]) => ({
    name,
    entry: { bytes: length },
  }))
  parts.set(partTableName, new TextEncoder().encode(partTable(partBytes, entries)))
  const fetched: string[] = []
  const fetchPart = async (name: string) => {
    fetched.push(name)
    const part = parts.get(name)
    if (part === undefined) throw new Error(`no ${name}`)
    return part
  }
  return { parts, fetched, fetchPart }
}

describe('a storage over parts', () => {
  it('gives every range of a file as the file has it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(40),
        fc.nat(40),
        async (bytes, partBytes, from, count) => {
          const storage = createPartedStorage(cut({ f: bytes }, partBytes).fetchPart)
          expect(Array.from(await storage.read('f'))).toEqual(Array.from(bytes))
          const offset = Math.min(from, bytes.length)
          const length = Math.min(count, bytes.length - offset)
          const range = await storage.read('f', offset, offset + length)
          expect(Array.from(range)).toEqual(Array.from(bytes.slice(offset, offset + length)))
        },
      ),
    )
  })

  it('fetches neighbours in a part once, and no part that is not asked for', async () => {
    const { fetched, fetchPart } = cut({ f: new Uint8Array(100) }, 10)
    const storage = createPartedStorage(fetchPart)
    for (let offset = 40; offset < 50; offset++) await storage.read('f', offset, offset + 1)
    expect(fetched).toEqual([partTableName, 'f.4'])
  })

  it('keeps no more than it is told', async () => {
    const { fetched, fetchPart } = cut({ f: new Uint8Array(100) }, 10)
    const storage = createPartedStorage(fetchPart, 20)
    for (const offset of [0, 10, 20, 0]) await storage.read('f', offset, offset + 1)
    expect(fetched).toEqual([partTableName, 'f.0', 'f.1', 'f.2', 'f.0'])
  })

  it('refuses what is not there', async () => {
    const storage = createPartedStorage(cut({ f: new Uint8Array(5) }, 10).fetchPart)
    await expect(storage.read('f', 3, 6)).rejects.toThrow('ends before byte 6')
    await expect(storage.read('g')).rejects.toThrow('no file g')
  })

  it('takes no size from a table that was changed', async () => {
    const { parts, fetchPart, fetched } = cut({ f: new Uint8Array(5) }, 10)
    const text = new TextDecoder().decode(parts.get(partTableName))
    for (const [part, other] of [
      ['"f":5', '"f":5e12'],
      ['"partBytes":10', '"partBytes":0'],
      ['"table"', '"tuble"'],
      ['{', '['],
    ] as const) {
      expect(text).toContain(part)
      parts.set(partTableName, new TextEncoder().encode(text.replace(part, other)))
      await expect(createPartedStorage(fetchPart).read('f')).rejects.toThrow(Error)
    }
    expect(new Set(fetched)).toEqual(new Set([partTableName]))
  })

  it('reads the table again when it could not be read', async () => {
    const { parts, fetchPart } = cut({ f: new Uint8Array(5) }, 10)
    const table = parts.get(partTableName)
    parts.delete(partTableName)
    const storage = createPartedStorage(fetchPart)
    await expect(storage.read('f')).rejects.toThrow(partTableName)
    parts.set(partTableName, table ?? new Uint8Array(0))
    expect(await storage.read('f')).toHaveLength(5)
  })
})
