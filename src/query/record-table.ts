// Locates records and their parts in blocks: block, offset, checksum, and the size and digest of each part.
import { digestBytes } from '../api/fragment.ts'
import { sectionReader } from './section-reader.ts'
import type { SectionTable, SectionWriter } from './sections.ts'

/** Records with the same number of parts, concatenated in their blocks. */
export interface RecordTable {
  /** Block number, by record. */
  readonly blocks: Uint32Array
  /** Offset of the record in its block, in bytes. */
  readonly offsets: Uint32Array
  /** `checksum` of the record's bytes. */
  readonly checks: Uint32Array
  /** Size of each part in bytes; the parts of a record are adjacent. */
  readonly sizes: Uint32Array
  /** Digest of each part. */
  readonly digests: Uint8Array
  readonly partCount: number
}

/** The location of a part. */
export interface PartPlace {
  readonly block: number
  /** Offset of the record in its block. */
  readonly recordOffset: number
  readonly recordSize: number
  readonly recordCheck: number
  /** Offset of the part in its record. */
  readonly offset: number
  readonly size: number
}

/** Returns a zeroed table. */
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

/** Locates a part of a record. */
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

/** The digest of a part, as a view. */
export function digestOfPart(table: RecordTable, record: number, part: number): Uint8Array {
  const start = (record * table.partCount + part) * digestBytes
  return table.digests.subarray(start, start + digestBytes)
}

/** Writes a table. @returns the entries to read it back */
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

/** Reads a table, as views. */
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
