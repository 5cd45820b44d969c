// The root of a function's files as a single file: a header with a checksum, a JSON table of contents, and sections.
import { utf8 } from '../api/bytes.ts'
import { type HeadedSections, joinHeaded, splitHeaded } from './headed-sections.ts'

/** The version of the layout of this file and of a workspace's index. */
export const indexSchema = 9

/** The index is unusable, for the reason in the message. */
export class IndexFileError extends Error {
  override readonly name = 'IndexFileError'
}

/**
 * Encodes the root.
 *
 * ```
 *  0        8        12            44       48
 *  QUARRYIX schema   SHA-256 of    zeros    contents and sections, as of `joinHeaded`
 *           (u32)    what follows
 * ```
 * Numbers are little-endian.
 */
export async function encodeIndexFile(contents: object, sections: Uint8Array): Promise<Uint8Array> {
  const joined = joinHeaded(contents, sections)
  const file = new Uint8Array(headerBytes + joined.length)
  file.set(magic)
  file.set(joined, headerBytes)
  new DataView(file.buffer).setUint32(8, indexSchema, true)
  file.set(await checksum(file), checksumAt)
  return file
}

/**
 * Decodes an index file, without a copy where its address allows it. The schema number determines the type of the
 * contents.
 *
 * @throws IndexFileError when the file is no index, has another schema, or is truncated or changed
 */
export async function decodeIndexFile<Contents>(
  file: Uint8Array,
): Promise<HeadedSections<Contents>> {
  if (file.length < headerBytes || magic.some((byte, at) => file[at] !== byte)) {
    throw new IndexFileError('The index is no index file of quarry.')
  }
  const schema = new DataView(file.buffer, file.byteOffset).getUint32(8, true)
  if (schema !== indexSchema) {
    throw new IndexFileError(
      `The index has schema ${schema}, but this version reads schema ${indexSchema}. Build again.`,
    )
  }
  const expected = await checksum(file)
  if (expected.some((byte, at) => file[checksumAt + at] !== byte)) {
    throw new IndexFileError('The index was cut short or changed after it was built. Build again.')
  }
  return splitHeaded(file.subarray(headerBytes))
}

const magic = utf8('QUARRYIX')
const checksumAt = 12
const coveredFrom = 44
const headerBytes = 48

async function checksum(file: Uint8Array): Promise<Uint8Array> {
  // Always a view of an ArrayBuffer: shared memory is never read here.
  const covered = file.subarray(coveredFrom) as Uint8Array<ArrayBuffer>
  return new Uint8Array(await crypto.subtle.digest('SHA-256', covered))
}
