// The manifest: what a build wrote, file by file, and until when it is true.
// Pure: knows neither the disk nor the clock.
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

/** The manifest's format; another number means another layout of this file. */
export const manifestSchema = 1

/** The counts of one workspace; scheduled posts are not counted as posts. */
export interface WorkspaceCounts {
  readonly name: string
  readonly posts: number
  readonly scheduled: number
  /** True where a scheduled post may bring a category, a tag or an author. */
  readonly createsTerms: boolean
  /** Publication of its latest post that is not scheduled; null for none. */
  readonly validFrom: string | null
  /** When its next scheduled post appears; null for never. */
  readonly validUntil: string | null
  readonly categories: number
  readonly tags: number
  readonly authors: number
  /** Names of the parameters that filter by custom fields; absent where there are none. */
  readonly fields?: readonly string[]
}

/** `manifest.json`. The same content and the same moment give the same manifest. */
export interface Manifest {
  readonly quarry: typeof manifestSchema
  /** Changes with every byte that is served. */
  readonly build: string
  /** SHA-256 over paths and hashes of all files, hexadecimal. */
  readonly contentHash: string
  /** From when the files are true: the latest publication among the posts in them; null for always. */
  readonly validFrom: string | null
  /** Until when they are: the next scheduled post; null for ever. */
  readonly validUntil: string | null
  readonly workspaces: Readonly<Record<string, WorkspaceCounts>>
  readonly fileCount: number
  /** Sum of all files' sizes, each counted wherever it stands. */
  readonly byteCount: number
  /** By path below the output folder; in the order in which they are to be uploaded, then by path. */
  readonly files: FileEntries
}

/**
 * The id of a build: 16 hexadecimal digits.
 *
 * @param files all that is served but the index, which holds the id itself; in the order of `inUploadOrder`
 * @param index changes with the index
 */
export function buildId(files: FileEntries, index: string): string {
  const text = `${manifestSchema}\n${hashOfFiles(files)}\n${index}`
  return hash('sha256', text).slice(0, 16)
}

/** Makes a manifest. @param parts with the files in the order of `inUploadOrder` */
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

/** The manifest as JSON in UTF-8, a file a line, so that two builds can be compared by eye. */
export function encodeManifest({ files, ...head }: Manifest): Uint8Array {
  const chunks = [Buffer.from(`${JSON.stringify(head, null, 2).slice(0, -2)},\n${beforeFiles}`)]
  for (const text of fileLines(files)) chunks.push(Buffer.from(text))
  return Buffer.concat([...chunks, Buffer.from(afterFiles)])
}

const beforeFiles = '  "files": {\n'
const afterFiles = '\n  }\n}\n'

/**
 * The result of `encodeManifest`.
 *
 * @returns null when the file is no manifest of this format, or not as a build wrote it: what is read of it says what
 *   may be removed
 */
export function decodeManifest(file: Uint8Array): Manifest | null {
  const parts = partsOf(file)
  if (parts === null) return null
  const head = parseJson(parts.head)
  if (!isRecord(head) || head['quarry'] !== manifestSchema) return null
  const files = readFileLines(parts.lines)
  if (files === null || !isInUploadOrder(files)) return null
  // Its other fields were written by this module with this schema number.
  const manifest = { ...(head as unknown as Manifest), files }
  return manifest.contentHash === hashOfFiles(files) ? manifest : null
}

/** The fields of a manifest next to its files. @param file what `encodeManifest` gave, for certain */
export function decodeHead(file: Uint8Array): Omit<Manifest, 'files'> {
  return JSON.parse(partsOf(file)?.head ?? '')
}

/** The same as `decodeManifest`. @param file what `encodeManifest` gave, for certain */
export function decodeTrusted(file: Uint8Array): Manifest {
  return { ...decodeHead(file), files: readTrustedLines(partsOf(file)?.lines ?? Buffer.alloc(0)) }
}

/** Path and bytes of every file of a manifest, in its order. @param file what `encodeManifest` gave, for certain */
export function manifestSizes(file: Uint8Array): Iterable<readonly [path: string, bytes: number]> {
  return readFileSizes(partsOf(file)?.lines ?? Buffer.alloc(0))
}

/** The fields before the files, as JSON, and the files' lines; null where there are none. */
function partsOf(file: Uint8Array): { readonly head: string; readonly lines: Buffer } | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const start = bytes.indexOf(`,\n${beforeFiles}`)
  const end = bytes.lastIndexOf(afterFiles)
  if (start === -1 || end !== bytes.length - afterFiles.length) return null
  const lines = bytes.subarray(start + 2 + beforeFiles.length, end)
  return { head: `${bytes.toString('utf8', 0, start)}}`, lines }
}

/** True for a file that was a manifest of this format, whatever has become of it. */
export function wasManifest(file: Uint8Array): boolean {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 64)).toString()
  return new RegExp(`^\\s*{\\s*"quarry"\\s*:\\s*${manifestSchema}\\b`).test(start)
}

/** The workspaces that have files below a folder of the output folder: `public/v1`. */
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
