// The index as one file: a header with a checksum, a table of contents as JSON, and sections of typed arrays.
// Knows nothing of what the sections hold.
import { utf8 } from '../api/bytes.ts'
import { align } from './sections.ts'

/** The layout of the file; another number means another layout of header, contents or sections. */
export const indexSchema = 7

/** The index cannot be used, and why. */
export class IndexFileError extends Error {
  override readonly name = 'IndexFileError'
}

/** An index file taken apart. */
export interface IndexFile {
  /** What `encodeIndexFile` was given; its shape is a matter of the schema number. */
  readonly contents: unknown
  /** What the sections' offsets count from; at an address that is a multiple of 8. */
  readonly sections: Uint8Array
}

/**
 * ```
 *  0        8        12            44             48                align(48 + n)
 *  QUARRYIX schema   SHA-256 of    length n of    contents (JSON,   sections
 *           (u32)    what follows  contents (u32) n bytes, padded)
 * ```
 * Numbers are little-endian.
 */
export async function encodeIndexFile(contents: object, sections: Uint8Array): Promise<Uint8Array> {
  const json = utf8(JSON.stringify(contents))
  const start = align(headerBytes + json.length)
  const file = new Uint8Array(start + sections.length)
  file.set(magic)
  file.set(json, headerBytes)
  file.set(sections, start)
  const view = new DataView(file.buffer)
  view.setUint32(8, indexSchema, true)
  view.setUint32(lengthAt, json.length, true)
  file.set(await checksum(file), checksumAt)
  return file
}

/**
 * Takes an index file apart, without a copy where its address allows it.
 *
 * @throws IndexFileError when the file is none, is of another schema, was cut or was changed
 */
export async function decodeIndexFile(bytes: Uint8Array): Promise<IndexFile> {
  // No `slice`: that of a Node Buffer copies nothing.
  const file = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  if (file.length < headerBytes || magic.some((byte, at) => file[at] !== byte)) {
    throw new IndexFileError('The index is no index file of quarry.')
  }
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const schema = view.getUint32(8, true)
  if (schema !== indexSchema) {
    throw new IndexFileError(
      `The index has schema ${schema}, but this version reads schema ${indexSchema}. Build again.`,
    )
  }
  const expected = await checksum(file)
  if (expected.some((byte, at) => file[checksumAt + at] !== byte)) {
    throw new IndexFileError('The index was cut short or changed after it was built. Build again.')
  }
  const length = view.getUint32(lengthAt, true)
  const json = new TextDecoder().decode(file.subarray(headerBytes, headerBytes + length))
  return { contents: JSON.parse(json), sections: file.subarray(align(headerBytes + length)) }
}

const magic = utf8('QUARRYIX')
const checksumAt = 12
const lengthAt = 44
const headerBytes = 48

async function checksum(file: Uint8Array): Promise<Uint8Array> {
  // A view on an ArrayBuffer always: shared memory is never read here.
  const covered = file.subarray(lengthAt) as Uint8Array<ArrayBuffer>
  return new Uint8Array(await crypto.subtle.digest('SHA-256', covered))
}
