// The manifest: every file of a build, and the period in which they are valid.
import { createHash, hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { OutputError } from './disk.ts'

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

/**
 * The order in which files are written, in which no file names a missing one: data of the function, single resources,
 * lists that name them, the index. The manifest comes last.
 */
export const stages = ['data', 'resource', 'list', 'index'] as const

export type Stage = (typeof stages)[number]

/** A written file. */
export interface FileEntry {
  readonly stage: Stage
  readonly bytes: number
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string
  /** The tag of a response or image, with quotes, which is its ETag; that of other files, if they have one. */
  readonly etag?: string
}

/** By path below the output folder. */
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
  /** End of validity: the publication date of the next scheduled post; null without one. */
  readonly validUntil: string | null
  readonly workspaces: Readonly<Record<string, WorkspaceCounts>>
  readonly fileCount: number
  /** Total size of all paths; a hard link counts for each of its paths. */
  readonly byteCount: number
  /** By path below the output folder, in the order of writes, then by path. */
  readonly files: FileEntries
}

/**
 * Returns the id of a build: 16 hexadecimal digits.
 *
 * @param files everything that is served except the index, which contains the id; in the order of `inOrder`
 * @param index changes with the index
 */
export function buildId(files: FileEntries, index: string): string {
  const text = `${manifestSchema}\n${hashOfFiles(files)}\n${index}`
  return hash('sha256', text).slice(0, 16)
}

/** Creates a manifest. */
export function makeManifest(
  parts: Pick<Manifest, 'build' | 'validFrom' | 'validUntil' | 'workspaces' | 'files'>,
): Manifest {
  const files = inOrder(parts.files)
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

/** Sorts files in the order of writes, then by path in code units. */
export function inOrder(files: FileEntries): Map<string, FileEntry> {
  const paths: Record<Stage, string[]> = { data: [], resource: [], list: [], index: [] }
  for (const [path, { stage }] of files) paths[stage].push(path)
  const sorted = new Map<string, FileEntry>()
  for (const path of stages.flatMap((stage) => paths[stage].sort())) {
    const entry = files.get(path)
    if (entry !== undefined) sorted.set(path, entry)
  }
  return sorted
}

/** SHA-256 over paths and hashes in the order of the files, hexadecimal. */
function hashOfFiles(files: FileEntries): string {
  const sum = createHash('sha256')
  let text = ''
  for (const [path, { sha256 }] of files) {
    text += `${path}\0${sha256}\n`
    // A call costs as much as hashing several entries.
    if (text.length < partLength) continue
    sum.update(text)
    text = ''
  }
  return sum.update(text).digest('hex')
}

/** UTF-16 code units. */
const partLength = 64 * 1024

/** Encodes a manifest as JSON in UTF-8, one file per line, so that two builds can be compared with `diff`. */
export function encodeManifest({ files, ...head }: Manifest): Uint8Array {
  const parts = [Buffer.from(`${JSON.stringify(head, null, 2).slice(0, -2)},\n${beforeFiles}`)]
  let text = ''
  let end = ''
  for (const [path, { stage, bytes, sha256, etag }] of files) {
    const entry = { stage, bytes, sha256, ...(etag === undefined ? {} : { etag }) }
    text += `${end}    ${JSON.stringify(path)}:${JSON.stringify(entry)}`
    end = ',\n'
    if (text.length < partLength) continue
    parts.push(Buffer.from(text))
    text = ''
  }
  return Buffer.concat([...parts, Buffer.from(`${text}${afterFiles}`)])
}

const beforeFiles = '  "files": {\n'
const afterFiles = '\n  }\n}\n'

/**
 * Decodes the output of `encodeManifest`, line by line: one object with half a million members takes ten times as long.
 *
 * @returns null unless the file is a manifest of this format, as a build wrote it
 */
export function decodeManifest(file: Uint8Array): Manifest | null {
  try {
    const { head, lines } = partsOf(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
    const files = new Map<string, FileEntry>()
    // Both versions of a response have one entry.
    const known = new Map<string, FileEntry>()
    for (const line of lines) {
      const at = line.indexOf('":{') + 1
      const text = line.slice(at + 1)
      const entry: FileEntry = known.get(text) ?? JSON.parse(text)
      known.set(text, entry)
      files.set(JSON.parse(line.slice(0, at)), entry)
    }
    const manifest = { ...head, files }
    const isWhole = head.quarry === manifestSchema && head.contentHash === hashOfFiles(files)
    return isWhole ? manifest : null
  } catch {
    return null
  }
}

function partsOf(file: Buffer): {
  readonly head: Omit<Manifest, 'files'>
  readonly lines: Iterable<string>
} {
  const start = file.indexOf(`,\n${beforeFiles}`)
  const end = file.length - afterFiles.length
  if (start === -1 || file.toString('utf8', end) !== afterFiles) throw new SyntaxError('cut')
  const head = JSON.parse(`${file.toString('utf8', 0, start)}}`)
  return { head, lines: linesOf(file.subarray(start + 2 + beforeFiles.length, end)) }
}

function* linesOf(lines: Buffer): Generator<string> {
  for (let start = 0; start < lines.length; ) {
    const found = lines.indexOf(',\n', start + partLength)
    const end = found === -1 ? lines.length : found
    yield* lines.toString('utf8', start, end).split(',\n')
    start = end + 2
  }
}

/** Reports whether a file is or was a manifest of this format, even if it was modified since. */
export function wasManifest(file: Uint8Array): boolean {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 64)).toString()
  // regex: anchored, and the text has 64 bytes
  return new RegExp(`^\\s*{\\s*"quarry"\\s*:\\s*${manifestSchema}\\b`).test(start)
}

/** Returns the workspaces of a manifest, even if its files are not as a build wrote them. */
export function workspacesIn(file: Uint8Array): Manifest['workspaces'] | undefined {
  try {
    return partsOf(Buffer.from(file)).head.workspaces
  } catch {
    return undefined
  }
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

/**
 * Returns the id of the build that a manifest describes.
 *
 * @param file path of the manifest
 * @throws OutputError if the file does not begin like a manifest of this version; system errors
 *
 * Cost: one read of 256 bytes, independent of the number of files.
 */
export function readBuildId(file: string): string {
  const head = Buffer.alloc(256)
  const descriptor = openSync(file, 'r')
  try {
    const length = readSync(descriptor, head)
    const [, build] = buildIdPattern.exec(head.toString('latin1', 0, length)) ?? []
    if (build !== undefined) return build
  } finally {
    closeSync(descriptor)
  }
  throw new OutputError(`${file} does not begin as a manifest of this version does. Build again.`)
}

// regex: anchored, and a sign follows each run of white space
const buildIdPattern = new RegExp(
  `^\\s*{\\s*"quarry"\\s*:\\s*${manifestSchema}\\s*,\\s*"build"\\s*:\\s*"([0-9a-f]{16})"`,
)
