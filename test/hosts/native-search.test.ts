import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import wabt from 'wabt'
import { nativeSearch, program } from '../../src/hosts/native-search.ts'
import { type MakeSearchable, searchableBytes } from '../../src/query/byte-search.ts'
import { checksum } from '../../src/query/checksum.ts'
import fc from '../support/fast-check.ts'

const source = new URL('../../src/hosts/find-bytes.wat', import.meta.url)

/** Few letters, so that needles are found, and nearly found, often. */
const fewLetters = (maxLength: number) =>
  fc.array(fc.constantFrom(0, 97, 98, 255), { minLength: 1, maxLength, size: 'max' })

const everyMaker: readonly (readonly [string, MakeSearchable])[] = [
  ['any host', searchableBytes],
  ['Node', nativeSearch()],
]

describe.each(everyMaker)('bytes that %s looks through', (_, make) => {
  it('are found where they first lie as a whole between two places', () => {
    const cases = fc.record({
      text: fewLetters(200),
      pattern: fewLetters(6),
      start: fc.nat({ max: 200 }),
      end: fc.nat({ max: 200 }),
    })
    fc.assert(
      fc.property(cases, ({ text, pattern, start, end }) => {
        const searched = make(text.length)
        searched.bytes.set(text)
        const [from, to] = [Math.min(start, text.length), Math.min(end, text.length)]
        const within = Buffer.from(text.slice(0, to))
        const found = searched.finder(Uint8Array.from(pattern))(from, to)
        expect(found).toBe(within.indexOf(Buffer.from(pattern), from))
      }),
      { numRuns: 1000 },
    )
  })

  it.each([1, 15, 16, 17, 300, 5000])('are found at the very end, with %d bytes', (size) => {
    const searched = make(70_000)
    const pattern = new Uint8Array(size).fill(7)
    searched.bytes.set(pattern, 70_000 - size)
    const find = searched.finder(pattern)
    expect(find(0, 70_000)).toBe(70_000 - size)
    expect(find(0, 69_999)).toBe(-1)
  })

  it.each([2, 15, 16, 17, 33])('are told from those that differ in one of %d bytes', (size) => {
    const pattern = Uint8Array.from({ length: size }, (_, at) => 97 + at)
    const searched = make((size + 1) * size)
    for (let differing = 0; differing < size; differing++) {
      searched.bytes.set(pattern, differing * size)
      searched.bytes[differing * size + differing] = 1
    }
    const find = searched.finder(pattern)
    expect(find(0, searched.bytes.length)).toBe(-1)
    searched.bytes.set(pattern, size * size)
    expect(find(0, searched.bytes.length)).toBe(size * size)
  })

  it('have the checksum that they would have alone', () => {
    const cases = fc.record({ text: fc.uint8Array({ maxLength: 80 }), word: fc.nat({ max: 5 }) })
    fc.assert(
      fc.property(cases, ({ text, word }) => {
        const searched = make(100)
        searched.bytes.fill(7).set(text, word * 4)
        expect(searched.checksum(word * 4, word * 4 + text.length)).toBe(checksum(text))
      }),
    )
  })

  it('are found at each place of what is longer than a few steps, and never behind its end', () => {
    const pattern = Uint8Array.of(5, 6, 7)
    const searched = make(400)
    for (let place = 0; place < 300; place++) {
      // Before it both bytes that are looked for first, but not the needle.
      searched.bytes.fill(1).set([5, 6, 1, 6, 7], Math.max(0, place - 70))
      searched.bytes.set(pattern, place)
      const find = searched.finder(pattern)
      expect([place, find(0, 400)]).toEqual([place, place])
      expect([place, find(0, place + 3)]).toEqual([place, place])
      expect([place, find(0, place + 2)]).toEqual([place, -1])
      expect([place, find(place, 400)]).toEqual([place, place])
      expect([place, find(place + 1, 400)]).toEqual([place, -1])
    }
  })

  it('are found in a text that repeats itself as they do', () => {
    const size = 400_000
    const searched = make(size)
    searched.bytes.fill(97)
    const pattern = new Uint8Array(20_000).fill(97)
    pattern[100] = 98
    expect(searched.finder(pattern)(0, size)).toBe(-1)
    searched.bytes[size - 19_900] = 98
    expect(searched.finder(pattern)(0, size)).toBe(size - 20_000)
  })

  it('are another needle with the next finder, however long', () => {
    const searched = make(200_000)
    searched.bytes.fill(1, 50_000, 150_000)
    expect(searched.finder(new Uint8Array(90_000).fill(1))(0, 200_000)).toBe(50_000)
    expect(searched.finder(Uint8Array.of(1, 0))(0, 200_000)).toBe(149_999)
  })
})

describe('the instructions of the native search', () => {
  it('are those of their source', async () => {
    const { parseWat } = await wabt()
    const { buffer } = parseWat('find-bytes.wat', readFileSync(source, 'utf8')).toBinary({})
    expect(Buffer.from(buffer).toString('base64')).toBe(program)
  })
})
