// A commit in a bucket: the published build and its source. Runs without Node.
import { hex, utf8 } from '../api/bytes.ts'
import { sha256 } from '../api/sha256.ts'

/** The content of a commit. A garbage collection is a commit that repeats the build of the one before. */
export interface CommitRecord {
  readonly quarry: 1
  /** Counts from 1, without gaps. */
  readonly sequence: number
  readonly build: string
  /** SHA-256 of the manifest, hexadecimal. */
  readonly manifest: string
  readonly manifestBytes: number
  /** SHA-256 of the root, hexadecimal; functions open the build with it. Absent in commits of older versions. */
  readonly root?: string
  /** Git commit of the content; null when unknown. */
  readonly source: string | null
  /** Number of the latest garbage collection, including this commit; 0 for none. */
  readonly collection: number
  /** Random: a writer recognizes its own commit after the response to its creation was lost. */
  readonly writer: string
}

/** The bytes of a commit, with a checksum. */
export function encodeCommit(record: CommitRecord): Uint8Array {
  return utf8(`${JSON.stringify({ ...record, checksum: checksumOf(record) }, null, 2)}\n`)
}

/** @returns null unless `encodeCommit` returned these bytes for a commit of this number */
export function decodeCommit(bytes: Uint8Array, sequence: number): CommitRecord | null {
  const value = parseObject(bytes)
  if (value === null) return null
  const { checksum, ...record } = value
  if (checksum !== checksumOf(record)) return null
  if (record['quarry'] !== 1 || record['sequence'] !== sequence) return null
  // The checksum is right, so a publication wrote it.
  return record as unknown as CommitRecord
}

/** @returns the number of a commit, which may not exist yet; 0 for bytes that are not a hint */
export function decodeHint(bytes: Uint8Array): number {
  const sequence = parseObject(bytes)?.['sequence']
  return Number.isSafeInteger(sequence) ? Math.max(0, Number(sequence)) : 0
}

function checksumOf(record: object): string {
  return hex(sha256(utf8(JSON.stringify(record))))
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}
