import { describe, expect, it } from 'vitest'
import { type SectionArray, SectionWriter, viewSection } from '../../src/query/sections.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

const arrays: Arbitrary<SectionArray> = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.uint32Array({ maxLength: 9 }),
  fc.float64Array({ maxLength: 9 }),
)

describe('a section', () => {
  it('is viewed as it was added', () => {
    fc.assert(
      fc.property(fc.array(arrays, { maxLength: 8 }), (all) => {
        const { bytes, entries } = write(all)
        expect(entries.map((entry) => viewSection(bytes, entry))).toEqual(all)
      }),
    )
  })

  it('is viewed inside a larger buffer, and never copied', () => {
    const { bytes, entries } = write([Uint8Array.of(1), Float64Array.of(0.5, Number.NaN)])
    const larger = new Uint8Array(bytes.length + 16)
    larger.set(bytes, 8)
    const views = entries.map((entry) => viewSection(larger.subarray(8, -8), entry))
    expect(views).toEqual([Uint8Array.of(1), Float64Array.of(0.5, Number.NaN)])
    expect(views.every((view) => view.buffer === larger.buffer)).toBe(true)
  })

  it('that is part of a larger array is written alone', () => {
    const { bytes, entries } = write([Uint32Array.of(1, 2, 3, 4).subarray(1, 3)])
    expect(entries.map((entry) => viewSection(bytes, entry))).toEqual([Uint32Array.of(2, 3)])
  })

  it('is laid out the same every time', () => {
    fc.assert(
      fc.property(fc.array(arrays, { maxLength: 8 }), (all) => {
        expect(write(all)).toEqual(write(all))
      }),
    )
  })

  it('of a buffer that was cut off is refused', () => {
    fc.assert(
      fc.property(arrays, arrays, fc.nat(), (first, last, cut) => {
        fc.pre(last.length > 0)
        const { bytes, entries } = write([first, last])
        const [, entry] = entries
        if (entry === undefined) throw new Error('two were added')
        const kept = cut % (entry.offset + last.byteLength)
        expect(() => viewSection(bytes.slice(0, kept), entry)).toThrow(RangeError)
      }),
    )
  })
})

function write(arrays: readonly SectionArray[]) {
  const writer = new SectionWriter()
  const entries = arrays.map((array) => writer.add(array))
  return { bytes: writer.finish(), entries }
}
