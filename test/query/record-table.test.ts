import { expect, it } from 'vitest'
import {
  digestOfPart,
  emptyRecordTable,
  placeOfPart,
  type RecordTable,
  readRecordTable,
  writeRecordTable,
} from '../../src/query/record-table.ts'
import { SectionWriter } from '../../src/query/sections.ts'
import fc from '../support/fast-check.ts'

/** Records as the sizes of their three parts. */
const records = fc.array(fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 99 })), {
  maxLength: 6,
})

it('tells where each part of each record lies, one behind the other in its block', () => {
  fc.assert(
    fc.property(records, (records) => {
      const table = tableOf(records)
      records.forEach((sizes, record) => {
        sizes.forEach((size, part) => {
          expect(placeOfPart(table, record, part)).toEqual({
            block: record % 2,
            recordOffset: 1000 * record,
            recordSize: sum(sizes),
            recordCheck: 7 * record,
            offset: sum(sizes.slice(0, part)),
            size,
          })
        })
      })
    }),
  )
})

it('keeps 16 bytes of digest for each part', () => {
  const table = tableOf([
    [1, 2, 3],
    [4, 5, 6],
  ])
  table.digests.forEach((_, at) => {
    table.digests[at] = at >> 4
  })
  const digests = [0, 1].flatMap((record) =>
    [0, 1, 2].map((part) => digestOfPart(table, record, part)),
  )
  expect(digests).toEqual([0, 1, 2, 3, 4, 5].map((number) => new Uint8Array(16).fill(number)))
})

it('is read back as it was written', () => {
  fc.assert(
    fc.property(records, (records) => {
      const writer = new SectionWriter()
      const table = tableOf(records)
      const sections = writeRecordTable(table, writer)
      expect(readRecordTable(writer.finish(), sections, 3)).toEqual(table)
    }),
  )
})

function tableOf(records: readonly (readonly number[])[]): RecordTable {
  const table = emptyRecordTable(records.length, 3)
  records.forEach((sizes, record) => {
    table.blocks[record] = record % 2
    table.offsets[record] = 1000 * record
    table.checks[record] = 7 * record
    table.sizes.set(sizes, 3 * record)
  })
  return table
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
