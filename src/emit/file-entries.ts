// The files of a build as its manifest names them: what is said of each, their order, the hash of all.
// Pure: knows neither the disk nor the text of a manifest.
import { createHash } from 'node:crypto'

/**
 * The order of publication, in which no file names a missing one: what the function reads, single
 * resources, the lists that name them, the index that finds everything. The manifest itself comes last.
 */
export const stages = ['data', 'resource', 'list', 'index'] as const

export type Stage = (typeof stages)[number]

/** A written file. */
export interface FileEntry {
  /** When it is to be uploaded, in the order of `stages`. */
  readonly stage: Stage
  readonly bytes: number
  /** Hexadecimal, of the file's bytes. */
  readonly sha256: string
  /** The ETag of the response or the image in the file, with its quotes; other files have none. */
  readonly etag?: string
}

/** By path below the output folder. */
export type FileEntries = ReadonlyMap<string, FileEntry>

/**
 * Files in the order in which they are to be uploaded, then by path.
 *
 * @param like other files in that order: what is among both need not be sorted
 *
 * Cost: O(n), and a sort of those that are not among the others.
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
  // Files that are in order but for the end take one pass.
  return new Map(entries.sort(compareUploads))
}

/** Whether files are in the order that `inUploadOrder` gives. */
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

/** SHA-256 over paths and hashes in the order of the files, hexadecimal. */
export function hashOfFiles(files: FileEntries): string {
  const hash = createHash('sha256')
  let text = ''
  for (const [path, { sha256 }] of files) {
    text += `${path}\0${sha256}\n`
    // Many at once: a call takes as long as hashing some of them.
    if (text.length < partLength) continue
    hash.update(text)
    text = ''
  }
  return hash.update(text).digest('hex')
}

/** In UTF-16 code units. */
const partLength = 64 * 1024
