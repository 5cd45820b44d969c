import { describe, expect, it } from 'vitest'
import { decodeIndexFile, encodeIndexFile, IndexFileError } from '../../src/query/index-file.ts'
import fc from '../support/fast-check.ts'

const sections = fc.uint8Array({ maxLength: 40 })
const contents = fc.dictionary(fc.string({ unit: 'binary' }), fc.string(), {
  noNullPrototype: true,
})

describe('an index file', () => {
  it('gives back what it was made of', async () => {
    await fc.assert(
      fc.asyncProperty(contents, sections, async (contents, sections) => {
        const file = await decodeIndexFile(await encodeIndexFile(contents, sections))
        expect(file).toEqual({ head: contents, sections })
        expect(file.sections.byteOffset % 8).toBe(0)
      }),
    )
  })

  it('is the same every time', async () => {
    const sections = Uint8Array.of(1, 2, 3)
    expect(await encodeIndexFile({ a: 1 }, sections)).toEqual(
      await encodeIndexFile({ a: 1 }, sections),
    )
  })

  it.each([
    ['Uint8Array', (size: number) => new Uint8Array(size)],
    ['Buffer', (size: number) => Buffer.alloc(size)],
  ])('is read from any place in memory, in a %s', async (_, allocate) => {
    const file = await encodeIndexFile({ a: 1 }, Uint8Array.of(1, 2, 3))
    for (let place = 0; place < 9; place++) {
      const memory = allocate(file.length + place)
      memory.set(file, place)
      const { head, sections } = await decodeIndexFile(memory.subarray(place))
      expect([head, [...sections]]).toEqual([{ a: 1 }, [1, 2, 3]])
      expect(sections.byteOffset % 8).toBe(0)
    }
  })

  it('is refused with any byte changed, wherever it stands', async () => {
    const file = await encodeIndexFile({ a: 'text' }, Uint8Array.of(1, 2, 3))
    for (const at of file.keys()) {
      for (const change of [1, 4, 0x80, 0xff]) {
        const changed = file.slice()
        changed[at] = (changed[at] ?? 0) ^ change
        await expect(decodeIndexFile(changed), `byte ${at}`).rejects.toThrow(IndexFileError)
      }
    }
  })

  it('is refused at any shorter length, and with more behind it', async () => {
    const file = await encodeIndexFile({ a: 'text' }, Uint8Array.of(1, 2, 3))
    for (const length of file.keys())
      await expect(decodeIndexFile(file.slice(0, length))).rejects.toThrow(IndexFileError)
    await expect(decodeIndexFile(Uint8Array.of(...file, 0))).rejects.toThrow(IndexFileError)
  })

  it('of another schema says so', async () => {
    const file = await encodeIndexFile({}, new Uint8Array(0))
    file[8] = 99
    await expect(decodeIndexFile(file)).rejects.toThrow('schema 99')
  })
})
