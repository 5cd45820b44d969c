// Reads the content: lists the folder, reads the files that changed, and splits and parses those in Markdown.

import { hash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Settings } from '../config.ts'
import { assembleWorkspaces, type ScannedFile } from '../content/assemble.ts'
import { splitDocument } from '../content/document.ts'
import { type Entry, type ListFolder, listEntries, resolveFolder } from '../content/entries.ts'
import { isPost, planReading } from '../content/layout.ts'
import { hashImage } from '../content/media.ts'
import { type Mount, resolveMounts } from '../content/mounts.ts'
import type {
  PlannedFile,
  RawContent,
  RawDocument,
  Read,
  ReadFile,
  YamlEntry,
  YamlMap,
  YamlValue,
} from '../content/raw.ts'
import {
  decodeText,
  fileChanged,
  readFileBytes,
  readScannedText,
  unread,
} from '../content/read-file.ts'
import { type Diagnostic, diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import { firstHeading } from '../model/post-title.ts'
import type { BuildCache, DocumentRecord, FileRecord } from './cache.ts'

/** The location of content. */
export interface ContentPlace {
  /** Absolute, without links; may be missing when all parts are mounted. */
  readonly root: string
  readonly mounts: readonly Mount[]
}

/**
 * Locates the content of a project.
 *
 * @throws ContentFolderError when there is no content folder, and nothing is mounted
 * @throws UseError for an invalid mount
 */
export async function findContent({
  content,
  workspaces,
  mediaRoots,
  project,
}: Pick<Settings, 'content' | 'workspaces' | 'mediaRoots' | 'project'>): Promise<ContentPlace> {
  const hasParts = Object.keys(workspaces).length > 0
  const root =
    hasParts && !existsSync(content) ? missingFolder(content) : await resolveFolder(content)
  if (!hasParts && mediaRoots.length === 0) return { root, mounts: [] }
  return { root, mounts: resolveMounts(root, { project, workspaces, roots: mediaRoots }) }
}

/** Resolves links in the path of a missing folder. */
function missingFolder(content: string): string {
  const path = resolve(content)
  const parent = dirname(path)
  return join(existsSync(parent) ? realpathSync(parent) : parent, basename(path))
}

/** All folders in which content may change. @param content the content folder as given by the user */
export function watchedFolders(content: string, { root, mounts }: ContentPlace): readonly string[] {
  const paths = mounts.map(({ path, isFolder }) => join(root, isFolder ? path : dirname(path)))
  return [...new Set([content, ...paths])]
}

/** The state of a content folder. */
export interface Content {
  readonly place: ContentPlace
  /** Ids, in code unit order. */
  readonly workspaces: readonly string[]
  /** Absolute paths of all folders. */
  readonly folders: readonly string[]
  /** By path in code unit order. */
  readonly files: readonly ScannedFile[]
  /** Problems of the folder. */
  readonly diagnostics: readonly Diagnostic[]
  /** SHA-256 over all names, all content, and all read errors. */
  readonly fingerprint: string
  /** True if the cache learned something. */
  readonly isNew: boolean
  /** True if everything except perhaps images could be read. */
  readonly isWhole: boolean
}

/**
 * Reads what changed into the cache, and forgets what is gone.
 *
 * As in git's index, a file is unchanged while its times, size and inode are. A program that writes other bytes of the
 * same length and resets `mtime` still changes `ctime`.
 *
 * @param listFolder lists a folder. @default Node's file system
 */
export async function readContent(
  place: ContentPlace,
  cache: BuildCache,
  listFolder?: ListFolder,
): Promise<Content> {
  const { root, mounts } = place
  const { entries, diagnostics } = listEntries(root, mounts, listFolder)
  const layout = planReading(entries, mounts)
  const { files, isNew } = await readFiles(layout.files, place, cache)
  const isEmpty = layout.workspaces.length === 0 && diagnostics.length === 0
  return {
    place,
    workspaces: layout.workspaces,
    folders: entries.flatMap(({ path, kind }) => (kind === 'folder' ? [join(root, path)] : [])),
    files,
    diagnostics: [...diagnostics, ...layout.diagnostics, ...(isEmpty ? [noWorkspace] : [])],
    fingerprint: fingerprintOf(entries, files, diagnostics, mounts),
    isNew,
    isWhole:
      diagnostics.length === 0 &&
      files.every(({ content, role }) => typeof content === 'string' || role.kind === 'image'),
  }
}

async function readFiles(
  planned: readonly PlannedFile[],
  place: ContentPlace,
  cache: BuildCache,
): Promise<Pick<Content, 'files' | 'isNew'>> {
  const files: ScannedFile[] = []
  const gone = new Set(cache.files.keys())
  let isNew = false
  for (const file of planned) {
    const known = cache.files.get(file.path)
    const record = readFile(place, file, known)
    if (!('code' in record)) gone.delete(file.path)
    files.push({ ...file, content: 'code' in record ? record : record.sha256 })
    if (record === known || 'code' in record) continue
    isNew = true
    cache.files.set(file.path, 'bytes' in record ? await parsed(file, record) : record)
  }
  for (const path of gone) cache.files.delete(path)
  return { files, isNew: isNew || gone.size > 0 }
}

/** A Markdown file with new bytes. */
interface NewDocument {
  readonly stats: string
  readonly sha256: string
  readonly bytes: Buffer
}

const noWorkspace = diagnosticAt('.', fileStart, {
  code: 'no-workspace',
  message: 'The content folder has no workspace.',
  hint: 'Create a folder for one, with posts in it: "my-blog/posts/hello.md".',
})

function readFile(
  { root }: ContentPlace,
  file: PlannedFile,
  known: FileRecord | undefined,
): FileRecord | NewDocument | Problem {
  const { path, role } = file
  const stats = statsOf(join(root, path))
  if (stats !== '' && known?.stats === stats) return known
  if (role.kind === 'image') {
    const sha256 = hashImage(root, path)
    if (typeof sha256 !== 'string') return sha256
    return sha256 === known?.sha256 ? { ...known, stats } : { stats, sha256 }
  }
  const bytes = readFileBytes(root, path)
  if (!Buffer.isBuffer(bytes)) return bytes
  const sha256 = hash('sha256', bytes)
  if (sha256 === known?.sha256) return { ...known, stats }
  return role.kind === 'document' ? { stats, sha256, bytes } : { stats, sha256 }
}

/**
 * Times, size and inode of a file. Empty where a later change could have the same: times that are not clearly in the
 * past, and whole seconds, as files in a disk image have, equal in every copy.
 */
function statsOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino, dev } = lstatSync(path)
    const isOld = Math.max(mtimeMs, ctimeMs) < Date.now() - stepMilliseconds
    return isOld && ctimeMs % 1000 !== 0 ? [mtimeMs, ctimeMs, size, ino, dev].join(' ') : ''
  } catch {
    return ''
  }
}

/** Some file systems have a time resolution of two seconds. */
const stepMilliseconds = 2500

async function parsed(
  file: PlannedFile,
  { stats, sha256, bytes }: NewDocument,
): Promise<FileRecord> {
  const { path } = file
  const text = decodeText(path, bytes)
  const split = text.value === undefined ? text : splitDocument(path, text.value)
  if (typeof split.value !== 'object') {
    return { stats, sha256, document: { diagnostics: split.diagnostics } }
  }
  const { head, body, bodyHash, bodyLine, source } = split.value
  // Its packages are loaded with the first file that needs them.
  const { readFrontMatter } = await import('../content/front-matter.ts')
  const { value, diagnostics } = readFrontMatter(path, head)
  const all = [...split.diagnostics, ...diagnostics]
  if (value === undefined) return { stats, sha256, document: { diagnostics: all } }
  const own = isPost(file) ? { heading: firstHeading(body) ?? null } : { heading: null, body }
  const front = { source, map: encodeValue(value), bodyHash, bodyLine, ...own }
  return { stats, sha256, document: { front, diagnostics: all } }
}

function fingerprintOf(
  entries: readonly Entry[],
  files: readonly ScannedFile[],
  diagnostics: readonly Diagnostic[],
  mounts: ContentPlace['mounts'],
): string {
  const lines = entries.map(({ path, kind }) => `${kind} ${path}`)
  for (const { path, content } of files) {
    lines.push(`${typeof content === 'string' ? content : content.message} ${path}`)
  }
  for (const { file, message } of diagnostics) lines.push(`${message} ${file}`)
  if (mounts.length > 0) lines.push(JSON.stringify(mounts))
  // A name may contain a line break, but not NUL.
  return hash('sha256', lines.join('\0'))
}

/** Returns the content for the model, with the problems of every file. */
export async function rawContent(content: Content, cache: BuildCache): Promise<RawContent> {
  const { readDataFile } = await import('../content/assemble.ts')
  const { workspaces, files, place } = content
  const read = files.map((file): ReadFile => {
    if (file.role.kind !== 'document') return readDataFile(place.root, file)
    if (typeof file.content !== 'string') return { ...file, ...unread(file.path, file.content) }
    const { front, diagnostics = [] } = cache.files.get(file.path)?.document ?? {}
    return front === undefined
      ? { ...file, diagnostics }
      : { ...file, document: new ReadDocument(file.path, front), diagnostics }
  })
  return {
    workspaces: assembleWorkspaces(workspaces, read, place.mounts),
    diagnostics: [...content.diagnostics, ...read.flatMap(({ diagnostics }) => diagnostics)],
  }
}

/** A document whose front matter is decoded for each use: decoded, it takes ten times the memory. */
class ReadDocument implements RawDocument {
  readonly file: string
  readonly source: string
  readonly body: string
  readonly bodyHash: string
  readonly bodyLine: number
  readonly heading: string | null
  readonly #map: unknown

  constructor(file: string, front: NonNullable<DocumentRecord['front']>) {
    this.file = file
    this.source = front.source
    this.body = front.body ?? ''
    this.bodyHash = front.bodyHash
    this.bodyLine = front.bodyLine
    this.heading = front.heading
    this.#map = front.map
  }

  get frontMatter(): YamlMap {
    return decodeValue(this.#map as EncodedValue) as YamlMap
  }
}

/**
 * Reads the body of a post again.
 *
 * @returns a problem when the file has changed since it was read
 */
export function readBody(
  place: ContentPlace,
  cache: BuildCache,
  { file: path, bodyHash }: { readonly file: string; readonly bodyHash: string },
): Read<string> {
  const content = cache.files.get(path)?.sha256 ?? ''
  const text = readScannedText(place.root, path, content)
  if (text.value === undefined) return text
  const split = splitDocument(path, text.value).value
  return split?.bodyHash === bodyHash
    ? { value: split.body, diagnostics: [] }
    : unread(path, fileChanged)
}

/**
 * A value as compact JSON: line, column and kind, followed by its content. Kinds 0 and 1 are text, 1 if plain; 2 is a
 * list of items; 3 is a map of entries, each a key, its line and column, and a value.
 */
type EncodedValue = readonly [line: number, column: number, kind: number, ...rest: unknown[]]

type EncodedEntry = readonly [key: string, line: number, column: number, value: EncodedValue]

function encodeValue(value: YamlValue): EncodedValue {
  const { line, column } = value.at
  if (value.kind === 'text') return [line, column, value.isPlain ? 1 : 0, value.value]
  if (value.kind === 'list') return [line, column, 2, ...value.items.map(encodeValue)]
  const entries = Array.from(value.entries, ([key, { keyAt, value: inner }]) => [
    key,
    keyAt.line,
    keyAt.column,
    encodeValue(inner),
  ])
  return [line, column, 3, ...entries]
}

function decodeValue([line, column, kind, ...rest]: EncodedValue): YamlValue {
  const at = { line, column }
  if (kind === 2) return { kind: 'list', items: (rest as EncodedValue[]).map(decodeValue), at }
  if (kind !== 3) return { kind: 'text', value: String(rest[0]), isPlain: kind === 1, at }
  const entries = new Map<string, YamlEntry>()
  for (const [key, keyLine, keyColumn, value] of rest as EncodedEntry[]) {
    const keyAt = { line: keyLine, column: keyColumn }
    entries.set(key, { keyAt, value: decodeValue(value) })
  }
  return { kind: 'map', entries, at }
}
