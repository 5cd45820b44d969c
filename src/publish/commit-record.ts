// A commit in a bucket: which build is published, and from which source it was built.
import { hash } from 'node:crypto'
import { isRecord, parseJson } from '../emit/manifest-lines.ts'

/** The content of a commit. A collection of garbage is a commit too: it says the same as the one before. */
export interface CommitRecord {
  readonly quarry: 1
  /** From 1, without gaps. */
  readonly sequence: number
  readonly build: string
  /** SHA-256 of the manifest, hexadecimal. */
  readonly manifest: string
  readonly manifestBytes: number
  /** Commit of git that the content is from; null where it is not known. */
  readonly source: string | null
  /** Number of the last collection of garbage, this one included; 0 for none. */
  readonly collection: number
  /** Random, to know the own commit again when the response to its creation was lost. */
  readonly writer: string
}

/** The bytes of a commit, with a checksum. */
export function encodeCommit(record: CommitRecord): Uint8Array {
  const checksum = hash('sha256', JSON.stringify(record))
  return Buffer.from(`${JSON.stringify({ ...record, checksum }, null, 2)}\n`)
}

/** @returns null for bytes that are not what `encodeCommit` returned for a commit of this number */
export function decodeCommit(bytes: Uint8Array, sequence: number): CommitRecord | null {
  const value = parseJson(Buffer.from(bytes).toString('utf8'))
  if (!isRecord(value)) return null
  const { checksum, ...record } = value
  if (checksum !== hash('sha256', JSON.stringify(record))) return null
  if (record['quarry'] !== 1 || record['sequence'] !== sequence) return null
  // Its checksum holds: a publication wrote it.
  return record as unknown as CommitRecord
}
