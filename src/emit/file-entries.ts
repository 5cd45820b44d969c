// Entries of a build's files in its manifest: content, order, and the hash of all.
import { createHash } from 'node:crypto'

/**
 * Stages of publication, in an order in which no file names a missing one: data of the function, single resources,
 * lists that name them, the index. The manifest comes last.
 */
export const stages = ['data', 'resource', 'list', 'index'] as const

export type Stage = (typeof stages)[number]

/** A written file. */
export interface FileEntry {
  /** Upload stage, in the order of `stages`. */
  readonly stage: Stage
  readonly bytes: number
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string
  /** ETag of the response or image, with quotes; absent for other files. */
  readonly etag?: string
}

/** By path below the output folder. */
export type FileEntries = ReadonlyMap<string, FileEntry>

/**
 * Sorts files in upload order: by stage, then by path.
 *
 * @param like other files in upload order, which give the order of shared paths
 *
 * Cost: O(n), plus a sort of the paths that are not in `like`.
 */
export function inUploadOrder(
  files: FileEntries,
  like: FileEntries = new Map(),
): Map<string, FileEntry> {
  const entries: NamedEntry[] = []
  for (const path of like.keys()) {
    const entry = files.get(path)
    if (entry !== undefined) entries.push([path, entry])
  }
  for (const [path, entry] of files) if (!like.has(path)) entries.push([path, entry])
  // A nearly sorted array takes one pass.
  return new Map(entries.sort(compareUploads))
}

/** Reports whether files are in upload order. */
export function isInUploadOrder(files: FileEntries): boolean {
  let before: NamedEntry | undefined
  for (const named of files) {
    if (before !== undefined && compareUploads(before, named) >= 0) return false
    before = named
  }
  return true
}

type NamedEntry = readonly [path: string, entry: FileEntry]

/** By stage, then by path in code units. */
function compareUploads([a, one]: NamedEntry, [b, other]: NamedEntry): number {
  if (one.stage !== other.stage) return stages.indexOf(one.stage) - stages.indexOf(other.stage)
  return a < b ? -1 : Number(a > b)
}

/** Returns the SHA-256 over paths and hashes in file order, hexadecimal. */
export function hashOfFiles(files: FileEntries): string {
  const hash = createHash('sha256')
  let text = ''
  for (const [path, { sha256 }] of files) {
    text += `${path}\0${sha256}\n`
    // Batched: a call costs as much as hashing several entries.
    if (text.length < partLength) continue
    hash.update(text)
    text = ''
  }
  return hash.update(text).digest('hex')
}

/** UTF-16 code units. */
const partLength = 64 * 1024
