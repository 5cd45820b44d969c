// Where records of parts lie in blocks: block, offset and checksum, the size and digest of each part.
import { digestBytes } from '../api/fragment.ts'
import { sectionReader } from './section-reader.ts'
import type { SectionTable, SectionWriter } from './sections.ts'

/** Records with the same number of parts, one behind the other in their block. */
export interface RecordTable {
  /** Number of the block, by record. */
  readonly blocks: Uint32Array
  /** Where the record begins in its block, in bytes. */
  readonly offsets: Uint32Array
  /** `checksum` of the record's bytes. */
  readonly checks: Uint32Array
  /** Size of each part in bytes; the parts of a record stand together. */
  readonly sizes: Uint32Array
  /** Digest of each part. */
  readonly digests: Uint8Array
  readonly partCount: number
}

/** A part's place. */
export interface PartPlace {
  readonly block: number
  /** Where the record begins. */
  readonly recordOffset: number
  readonly recordSize: number
  readonly recordCheck: number
  /** From the record's beginning. */
  readonly offset: number
  readonly size: number
}

/** An empty table for so many records. */
export function emptyRecordTable(records: number, partCount: number): RecordTable {
  return {
    blocks: new Uint32Array(records),
    offsets: new Uint32Array(records),
    checks: new Uint32Array(records),
    sizes: new Uint32Array(records * partCount),
    digests: new Uint8Array(records * partCount * digestBytes),
    partCount,
  }
}

/** Where one part of a record lies. */
export function placeOfPart(table: RecordTable, record: number, part: number): PartPlace {
  const first = record * table.partCount
  let offset = 0
  let recordSize = 0
  for (let index = 0; index < table.partCount; index++) {
    if (index === part) offset = recordSize
    recordSize += table.sizes[first + index] ?? 0
  }
  return {
    block: table.blocks[record] ?? 0,
    recordOffset: table.offsets[record] ?? 0,
    recordSize,
    recordCheck: table.checks[record] ?? 0,
    offset,
    size: table.sizes[first + part] ?? 0,
  }
}

/** A part's digest, a view. */
export function digestOfPart(table: RecordTable, record: number, part: number): Uint8Array {
  const start = (record * table.partCount + part) * digestBytes
  return table.digests.subarray(start, start + digestBytes)
}

/** Lays a table out; what comes back finds it again. */
export function writeRecordTable(table: RecordTable, writer: SectionWriter): SectionTable {
  const { blocks, offsets, checks, sizes, digests } = table
  return {
    blocks: writer.add(blocks),
    offsets: writer.add(offsets),
    checks: writer.add(checks),
    sizes: writer.add(sizes),
    digests: writer.add(digests),
  }
}

/** A table read back, as views. */
export function readRecordTable(
  sections: Uint8Array,
  table: SectionTable,
  partCount: number,
): RecordTable {
  const reader = sectionReader(sections, table)
  return {
    blocks: reader('blocks', 'u32'),
    offsets: reader('offsets', 'u32'),
    checks: reader('checks', 'u32'),
    sizes: reader('sizes', 'u32'),
    digests: reader('digests', 'u8'),
    partCount,
  }
}
