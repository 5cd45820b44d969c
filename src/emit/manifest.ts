// The manifest: what a build wrote, file by file, and until when it is true.
// Pure: knows neither the disk nor the clock.
import { createHash } from 'node:crypto'

/** The manifest's format; another number means another layout of this file. */
export const manifestSchema = 1

/**
 * What is published one after the other, so that nothing names what is not there: what the function reads, single
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
  /** Of the answer or the image that the file holds, with its quotes; all other files have none. */
  readonly etag?: string
}

/** What one workspace holds; scheduled posts are not counted as posts. */
export interface WorkspaceCounts {
  readonly name: string
  readonly posts: number
  readonly scheduled: number
  /** When its next scheduled post appears; null for never. */
  readonly validUntil: string | null
  readonly categories: number
  readonly tags: number
  readonly authors: number
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
  readonly files: ReadonlyMap<string, FileEntry>
}

/**
 * The id of a build: 16 hexadecimal digits.
 *
 * @param files all that is served but the index, which holds the id itself
 * @param index changes with the index
 */
export function buildId(files: Manifest['files'], index: string): string {
  const text = `${manifestSchema}\n${hashFiles(sortFiles(files))}\n${index}`
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Makes a manifest; the files need not be sorted. */
export function makeManifest(
  parts: Pick<Manifest, 'build' | 'validFrom' | 'validUntil' | 'workspaces' | 'files'>,
): Manifest {
  const files = sortFiles(parts.files)
  let byteCount = 0
  for (const { bytes } of files.values()) byteCount += bytes
  return {
    quarry: manifestSchema,
    build: parts.build,
    contentHash: hashFiles(files),
    validFrom: parts.validFrom,
    validUntil: parts.validUntil,
    workspaces: parts.workspaces,
    fileCount: files.size,
    byteCount,
    files,
  }
}

/** The manifest as JSON in UTF-8, a file a line, so that two builds can be compared by eye. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const { files, ...head } = manifest
  // As bytes by and by: there may be half a million lines.
  const chunks: Uint8Array[] = []
  let text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": {\n`
  let end = ''
  for (const [path, entry] of files) {
    text += `${end}    ${JSON.stringify(path)}:${JSON.stringify(entry)}`
    end = ',\n'
    if (text.length < chunkLength) continue
    chunks.push(Buffer.from(text))
    text = ''
  }
  return Buffer.concat([...chunks, Buffer.from(`${text}\n  }\n}\n`)])
}

/** In UTF-16 code units. */
const chunkLength = 256 * 1024

/** True when two manifests say the same; their files are compared by the hash of all. */
export function isSameManifest(one: Manifest | null, other: Manifest): boolean {
  if (one === null) return false
  const headOf = ({ files, ...head }: Manifest) => JSON.stringify(head)
  return headOf(one) === headOf(other)
}

/** @returns null when the text is no manifest of this format */
export function decodeManifest(text: string): Manifest | null {
  const value = parseJson(text)
  if (!isRecord(value) || value['quarry'] !== manifestSchema || !isRecord(value['files']))
    return null
  const files = new Map<string, FileEntry>()
  for (const [path, entry] of Object.entries(value['files'])) {
    const decoded = decodeEntry(entry)
    if (decoded === null) return null
    files.set(path, decoded)
  }
  // Its other fields were written by this module with this schema number.
  return { ...(value as unknown as Manifest), files }
}

const stageNames: ReadonlyMap<unknown, Stage> = new Map(stages.map((stage) => [stage, stage]))

function decodeEntry(value: unknown): FileEntry | null {
  if (!isRecord(value)) return null
  const { bytes, sha256, etag } = value
  if (typeof bytes !== 'number' || typeof sha256 !== 'string') return null
  // An older manifest says nothing of stages.
  const stage = stageNames.get(value['stage']) ?? 'list'
  return typeof etag === 'string' ? { stage, bytes, sha256, etag } : { stage, bytes, sha256 }
}

function sortFiles(files: Manifest['files']): Manifest['files'] {
  const paths = new Map<Stage, string[]>(stages.map((stage) => [stage, []]))
  for (const [path, { stage }] of files) paths.get(stage)?.push(path)
  const sorted = new Map<string, FileEntry>()
  for (const path of [...paths.values()].flatMap((ofStage) => ofStage.sort())) {
    const entry = files.get(path)
    if (entry !== undefined) sorted.set(path, entry)
  }
  return sorted
}

function hashFiles(files: Manifest['files']): string {
  const hash = createHash('sha256')
  for (const [path, { sha256 }] of files) hash.update(`${path}\0${sha256}\n`)
  return hash.digest('hex')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
