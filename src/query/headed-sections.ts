// Named typed arrays, and something said of them before, in one buffer: the form in which a build caches them.
// Knows nothing of what the arrays hold.
import { utf8 } from '../api/bytes.ts'
import { type SectionReader, sectionReader } from './section-reader.ts'
import { align, type SectionArray, type SectionTable, SectionWriter } from './sections.ts'

/**
 * Arrays and their head as bytes.
 *
 * ```
 *  n (u32)  JSON, n bytes: sections, head   padding   sections
 * ```
 */
export function storeHeaded(
  arrays: Readonly<Record<string, SectionArray>>,
  head: object,
): Uint8Array<ArrayBuffer> {
  const writer = new SectionWriter()
  const table = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, writer.add(array)]),
  )
  const json = utf8(JSON.stringify({ table, head }))
  const sections = writer.finish()
  const start = align(4 + json.length)
  const stored = new Uint8Array(start + sections.length)
  new DataView(stored.buffer).setUint32(0, json.length, true)
  stored.set(json, 4)
  stored.set(sections, start)
  return stored
}

/**
 * Reads what `storeHeaded` gave.
 *
 * @param stored at an address that is a multiple of 8
 * @returns what gives views of the arrays; and the head, as JSON keeps it
 */
export function readHeaded<Head>(stored: Uint8Array): {
  readonly read: SectionReader
  readonly head: Head
} {
  const length = new DataView(stored.buffer, stored.byteOffset).getUint32(0, true)
  const { table, head }: { readonly table: SectionTable; readonly head: Head } = JSON.parse(
    new TextDecoder().decode(stored.subarray(4, 4 + length)),
  )
  return { read: sectionReader(stored.subarray(align(4 + length)), table), head }
}
