// Sections preceded by a JSON description, in one buffer: the layout of a workspace's index and of cached build data.
import { utf8 } from '../api/bytes.ts'
import { type SectionReader, sectionReader } from './section-reader.ts'
import { align, type SectionArray, type SectionTable, SectionWriter } from './sections.ts'

/** Sections and their description. */
export interface HeadedSections<Head> {
  readonly head: Head
  /** At an address that is a multiple of 8. */
  readonly sections: Uint8Array
}

/**
 * Encodes a description and sections.
 *
 * ```
 *  n (u32)  description (JSON, n bytes)  padding  sections
 * ```
 */
export function joinHeaded(head: object, sections: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = utf8(JSON.stringify(head))
  const start = align(4 + json.length)
  const joined = new Uint8Array(start + sections.length)
  new DataView(joined.buffer).setUint32(0, json.length, true)
  joined.set(json, 4)
  joined.set(sections, start)
  return joined
}

/** Decodes the result of `joinHeaded`, without a copy when its address is a multiple of 8. */
export function splitHeaded<Head>(joined: Uint8Array): HeadedSections<Head> {
  // Not `slice`: a Node Buffer's `slice` does not copy.
  const bytes = joined.byteOffset % 8 === 0 ? joined : new Uint8Array(joined)
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const head: Head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)))
  return { head, sections: bytes.subarray(align(4 + length)) }
}

/** Encodes named typed arrays and their description. */
export function storeHeaded(
  arrays: Readonly<Record<string, SectionArray>>,
  head: object,
): Uint8Array<ArrayBuffer> {
  const writer = new SectionWriter()
  const table = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, writer.add(array)]),
  )
  return joinHeaded({ table, head }, writer.finish())
}

/**
 * Decodes the result of `storeHeaded`.
 *
 * @returns a reader of views of the arrays, and the description as restored from JSON
 */
export function readHeaded<Head>(stored: Uint8Array): {
  readonly read: SectionReader
  readonly head: Head
} {
  const { head: described, sections } = splitHeaded<{ table: SectionTable; head: Head }>(stored)
  return { read: sectionReader(sections, described.table), head: described.head }
}
