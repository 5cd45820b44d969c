// The manifest: every file of a build, and the period in which the files are valid.
import { hash } from 'node:crypto'
import type { HttpSettings } from '../snapshot/format.ts'

/** Format version of the manifest. */
const manifestSchema = 1

/** Counts of one workspace; scheduled posts are not counted. */
export interface WorkspaceCounts {
  readonly name: string
  readonly posts: number
  readonly scheduled: number
  /** Number of posts that will expire; absent if there are none. */
  readonly expiring?: number | undefined
  /** True if a scheduled post may add a category, a tag or an author. */
  readonly createsTerms: boolean
  /** When its responses last changed with time; `validUntil` is the next change. Null for never. */
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly categories: number
  readonly tags: number
  readonly authors: number
  /** Names of the parameters that filter by custom fields; absent if there are none. */
  readonly fields?: readonly string[] | undefined
  readonly locale?: string | undefined
  /** Counts by collection; absent without collections. */
  readonly collections?: Readonly<Record<string, ItemCounts>> | undefined
}

/** Counts of the items of a collection. */
interface ItemCounts extends Pick<WorkspaceCounts, 'scheduled' | 'expiring'> {
  readonly items: number
  /** Current slugs of items by former slug; absent if there are none. */
  readonly aliases?: Readonly<Record<string, string>> | undefined
}

/** A written file. */
export interface FileEntry {
  readonly bytes: number
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string
  /** The tag of a file, if it has one. For a response or an image it is the ETag, with quotes. */
  readonly etag?: string
}

/** Files by path below the output folder. */
export type FileEntries = ReadonlyMap<string, FileEntry>

/** `manifest.json`. Deterministic for the same content and time. */
export interface Manifest {
  readonly quarry: typeof manifestSchema
  /** Changes with every byte that is served. */
  readonly build: string
  /** SHA-256 over paths and hashes of all files, hexadecimal. */
  readonly contentHash: string
  /** Start of validity: the latest publication date among the posts; null without one. */
  readonly validFrom: string | null
  /** End of validity: when the next scheduled post appears, or a post expires; null without one. */
  readonly validUntil: string | null
  /** Settings of headers; absent if there are none. */
  readonly http?: HttpSettings
  readonly workspaces: Readonly<Record<string, WorkspaceCounts>>
  readonly fileCount: number
  /** Total size of all paths; a hard link counts for each of its paths. */
  readonly byteCount: number
  /** Files by path below the output folder, in the order of writes. No file names a later one. */
  readonly files: FileEntries
}

/**
 * Returns the id of a build: 16 hexadecimal digits.
 *
 * @param files everything that is served except the root, which contains the id
 * @param root changes with the root
 */
export function buildId(files: FileEntries, root: string): string {
  const text = `${manifestSchema}\n${hashOfFiles(files)}\n${root}`
  return hash('sha256', text).slice(0, 16)
}

/** Creates a manifest. */
export function makeManifest({
  build,
  workspaces,
  files,
  ...rest
}: Omit<Manifest, 'quarry' | 'contentHash' | 'fileCount' | 'byteCount'>): Manifest {
  let byteCount = 0
  for (const { bytes } of files.values()) byteCount += bytes
  const head = { quarry: manifestSchema, build, contentHash: hashOfFiles(files) } as const
  return { ...head, ...rest, workspaces, fileCount: files.size, byteCount, files }
}

/** SHA-256 over paths and hashes in the order of the files, hexadecimal. */
function hashOfFiles(files: FileEntries): string {
  const lines = Array.from(files, ([path, { sha256 }]) => `${path}\0${sha256}\n`)
  return hash('sha256', lines.join(''))
}

/** Encodes a manifest as JSON in UTF-8, one file per line, so that two builds can be compared with `diff`. */
export function encodeManifest({ files, ...head }: Manifest): Uint8Array {
  const lines = Array.from(files, ([path, { bytes, sha256, etag }]) => {
    const entry = { bytes, sha256, ...(etag === undefined ? {} : { etag }) }
    return `    ${JSON.stringify(path)}:${JSON.stringify(entry)}`
  })
  const start = JSON.stringify(head, null, 2).slice(0, -2)
  return Buffer.from(`${start},\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`)
}

/** Decodes the output of `encodeManifest`. @returns null unless the file is a whole manifest of this format */
export function decodeManifest(file: Uint8Array): Manifest | null {
  try {
    const { files, ...head } = JSON.parse(Buffer.from(file).toString())
    const manifest: Manifest = { ...head, files: new Map(Object.entries(files)) }
    const isWhole =
      head.quarry === manifestSchema && head.contentHash === hashOfFiles(manifest.files)
    return isWhole ? manifest : null
  } catch {
    return null
  }
}
