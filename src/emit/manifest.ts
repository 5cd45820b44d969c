// The manifest: every file of a build, and the period in which they are valid.
import { hash } from 'node:crypto'
import { type FileEntries, hashOfFiles, isInUploadOrder } from './file-entries.ts'
import {
  fileLines,
  isRecord,
  parseJson,
  readFileLines,
  readFileSizes,
  readTrustedLines,
} from './manifest-lines.ts'

/** Format version of the manifest. */
export const manifestSchema = 1

/** Counts of one workspace; scheduled posts are not counted. */
export interface WorkspaceCounts {
  readonly name: string
  readonly posts: number
  readonly scheduled: number
  /** True if a scheduled post may add a category, a tag or an author. */
  readonly createsTerms: boolean
  /** Publication date of its latest published post; null for none. */
  readonly validFrom: string | null
  /** Publication date of its next scheduled post; null for none. */
  readonly validUntil: string | null
  readonly categories: number
  readonly tags: number
  readonly authors: number
  /** Names of the parameters that filter by custom fields; absent if there are none. */
  readonly fields?: readonly string[]
}

/** `manifest.json`. Deterministic for the same content and time. */
export interface Manifest {
  readonly quarry: typeof manifestSchema
  /** Changes with every byte that is served. */
  readonly build: string
  /** SHA-256 over paths and hashes of all files, hexadecimal. */
  readonly contentHash: string
  /** Start of validity: the latest publication date among the posts; null without one. */
  readonly validFrom: string | null
  /** End of validity: the publication date of the next scheduled post; null without one. */
  readonly validUntil: string | null
  readonly workspaces: Readonly<Record<string, WorkspaceCounts>>
  readonly fileCount: number
  /** Total size of all paths; a hard link counts for each of its paths. */
  readonly byteCount: number
  /** By path below the output folder, in upload order, then by path. */
  readonly files: FileEntries
}

/**
 * Returns the id of a build: 16 hexadecimal digits.
 *
 * @param files everything that is served except the index, which contains the id; in the order of `inUploadOrder`
 * @param index changes with the index
 */
export function buildId(files: FileEntries, index: string): string {
  const text = `${manifestSchema}\n${hashOfFiles(files)}\n${index}`
  return hash('sha256', text).slice(0, 16)
}

/** Creates a manifest. @param parts with the files in the order of `inUploadOrder` */
export function makeManifest(
  parts: Pick<Manifest, 'build' | 'validFrom' | 'validUntil' | 'workspaces' | 'files'>,
): Manifest {
  const { files } = parts
  let byteCount = 0
  for (const { bytes } of files.values()) byteCount += bytes
  return {
    quarry: manifestSchema,
    build: parts.build,
    contentHash: hashOfFiles(files),
    validFrom: parts.validFrom,
    validUntil: parts.validUntil,
    workspaces: parts.workspaces,
    fileCount: files.size,
    byteCount,
    files,
  }
}

/** Encodes a manifest as JSON in UTF-8, one file per line, so that two builds can be compared with `diff`. */
export function encodeManifest({ files, ...head }: Manifest): Uint8Array {
  const chunks = [Buffer.from(`${JSON.stringify(head, null, 2).slice(0, -2)},\n${beforeFiles}`)]
  for (const text of fileLines(files)) chunks.push(Buffer.from(text))
  return Buffer.concat([...chunks, Buffer.from(afterFiles)])
}

const beforeFiles = '  "files": {\n'
const afterFiles = '\n  }\n}\n'

/**
 * Decodes the output of `encodeManifest`.
 *
 * @returns null unless the file is a manifest of this format, exactly as a build wrote it: its content decides which
 *   files may be removed
 */
export function decodeManifest(file: Uint8Array): Manifest | null {
  const parts = partsOf(file)
  if (parts === null) return null
  const head = parseJson(parts.head)
  if (!isRecord(head) || head['quarry'] !== manifestSchema) return null
  const files = readFileLines(parts.lines)
  if (files === null || !isInUploadOrder(files)) return null
  // The content hash vouches for the files, and the schema number for the other fields.
  const manifest = { ...(head as unknown as Manifest), files }
  return manifest.contentHash === hashOfFiles(files) ? manifest : null
}

/** Decodes the fields of a manifest except its files. @param file unmodified output of `encodeManifest` */
export function decodeHead(file: Uint8Array): Omit<Manifest, 'files'> {
  return JSON.parse(partsOf(file)?.head ?? '')
}

/** Decodes a manifest without validation. @param file unmodified output of `encodeManifest` */
export function decodeTrusted(file: Uint8Array): Manifest {
  return { ...decodeHead(file), files: readTrustedLines(partsOf(file)?.lines ?? Buffer.alloc(0)) }
}

/** Returns path and size of every file of a manifest, in order. @param file unmodified output of `encodeManifest` */
export function manifestSizes(file: Uint8Array): Iterable<readonly [path: string, bytes: number]> {
  return readFileSizes(partsOf(file)?.lines ?? Buffer.alloc(0))
}

/** Splits a manifest into the JSON of its head and the lines of its files; null if it has none. */
function partsOf(file: Uint8Array): { readonly head: string; readonly lines: Buffer } | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const start = bytes.indexOf(`,\n${beforeFiles}`)
  const end = bytes.lastIndexOf(afterFiles)
  if (start === -1 || end !== bytes.length - afterFiles.length) return null
  const lines = bytes.subarray(start + 2 + beforeFiles.length, end)
  return { head: `${bytes.toString('utf8', 0, start)}}`, lines }
}

/** Reports whether a file is or was a manifest of this format, even if it was modified since. */
export function wasManifest(file: Uint8Array): boolean {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 64)).toString()
  // regex: anchored, and the text has 64 bytes
  return new RegExp(`^\\s*{\\s*"quarry"\\s*:\\s*${manifestSchema}\\b`).test(start)
}

/** Returns the workspaces that have files below a folder of the output folder, such as `public/v1`. */
export function workspacesBelow(
  { files, workspaces }: Pick<Manifest, 'files' | 'workspaces'>,
  folder: string,
): readonly WorkspaceCounts[] {
  const prefix = `${folder}/`
  const ids = new Set<string>()
  for (const path of files.keys()) {
    if (path.startsWith(prefix))
      ids.add(path.slice(prefix.length, path.indexOf('/', prefix.length)))
  }
  return Object.entries(workspaces)
    .filter(([id]) => ids.has(id))
    .map(([, counts]) => counts)
}
