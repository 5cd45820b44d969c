// Reads the content: lists the folder, reads changed files, and splits and parses the Markdown files.
import { hash } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '../config.ts'
import { hasBody, listEntries, planFiles, resolveFolder } from '../content/layout.ts'
import { listSources, type Mount, resolveMounts } from '../content/mounts.ts'
import type {
  CustomSource,
  ParsedFile,
  PlannedFile,
  RawContent,
  ScannedFile,
  YamlValue,
} from '../content/raw.ts'
import {
  dataBytesMax,
  decodeText,
  hashImage,
  readError,
  readFileBytes,
} from '../content/read-file.ts'
import { type Diagnostic, diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import type { GitDates } from '../model/posts.ts'
import type { BuildCache, FileRecord } from './cache.ts'
import { realPath } from './disk.ts'
import { gitDates, headCommit } from './git-dates.ts'

/** The state of a content folder. */
export interface Content {
  /** Absolute path without links. The folder may be missing if all parts are mounted. */
  readonly root: string
  readonly mounts: readonly Mount[]
  /** Folders and files of collections and singletons. */
  readonly sources: readonly CustomSource[]
  /** Ids of workspaces, in code unit order. */
  readonly workspaces: readonly string[]
  /** Absolute paths of all folders. */
  readonly folders: readonly string[]
  /** Sorted by path in code unit order. */
  readonly files: readonly ScannedFile[]
  /** Problems of the folder. */
  readonly diagnostics: readonly Diagnostic[]
  /** SHA-256 over all names, all content, and all read errors. */
  readonly fingerprint: string
  /** Asks Git once for the checked-out commit; null outside a repository. */
  readonly commit: () => string | null
  readonly gitDates: () => GitDates | null
}

/** Returns all folders in which content may change. @param content the configured content folder */
export function watchedFolders(
  content: string,
  { root, mounts, folders }: Content,
): readonly string[] {
  const paths = mounts.map(({ path, isFolder }) => join(root, isFolder ? path : dirname(path)))
  return [content, ...paths, ...folders]
}

/**
 * Reads changed files into the cache, and removes deleted files from it.
 *
 * As in git's index, a file is unchanged if its times, size and inode are unchanged. A program that writes other bytes
 * of the same length and resets `mtime` still changes `ctime`.
 *
 * @throws UseError if there is neither a content folder nor a mount, and for an invalid mount
 */
export async function readContent(settings: Settings, cache: BuildCache): Promise<Content> {
  const { content, workspaces, mediaRoots, project, downloads, frontMatterBytes } = settings
  const hasParts = Object.keys(workspaces).length > 0
  const isMissing = hasParts && !existsSync(content)
  const root = isMissing ? realPath(resolve(content)) : await resolveFolder(content)
  const isPlain = !hasParts && mediaRoots.length === 0
  const mounts = isPlain ? [] : resolveMounts(root, { project, workspaces, roots: mediaRoots })
  const { entries, diagnostics } = listEntries(root, mounts)
  const sources = await ownSources(root, planFiles(entries, mounts).files)
  const layout = planFiles(entries, mounts, sources, downloads)
  const files: ScannedFile[] = []
  const gone = new Set(cache.files.keys())
  for (const file of layout.files) {
    const record = await readFile(root, file, cache.files.get(file.path), frontMatterBytes)
    files.push({ ...file, content: 'code' in record ? record : record.sha256 })
    if ('code' in record) continue
    cache.files.set(file.path, record)
    gone.delete(file.path)
  }
  for (const path of gone) cache.files.delete(path)
  const isEmpty = layout.workspaces.length === 0 && diagnostics.length === 0
  const contents = files.map(({ path, content }) => [path, content])
  const names = entries.map(({ path, kind }) => `${kind} ${path}`)
  let known: string | null | undefined
  const commit = () => (known ??= headCommit(root))
  return {
    root,
    mounts,
    sources,
    workspaces: layout.workspaces,
    folders: entries.flatMap(({ path, kind }) => (kind === 'folder' ? [join(root, path)] : [])),
    files,
    diagnostics: [...diagnostics, ...layout.diagnostics, ...(isEmpty ? [noWorkspace] : [])],
    fingerprint: hash('sha256', JSON.stringify([names, contents, diagnostics, mounts])),
    commit,
    gitDates: () => gitDates(root, commit(), cache),
  }
}

/** Returns the collections and singletons that the settings of workspaces name. */
async function ownSources(
  root: string,
  files: readonly PlannedFile[],
): Promise<readonly CustomSource[]> {
  const found: CustomSource[] = []
  for (const { path, workspace, role } of files) {
    if (role.kind !== 'settings') continue
    const bytes = readFileBytes(root, path)
    const text = Buffer.isBuffer(bytes) ? bytes.toString() : ''
    if (!/\b(?:collections|singletons)\b/.test(text)) continue
    // A site without collections and singletons does not load the parser.
    const { readYaml } = await import('../content/yaml.ts')
    const value = readYaml(path, text).value?.value
    if (value !== undefined) found.push(...listSources(workspace, value))
  }
  // A nested folder belongs to its own collection.
  return found.sort((a, b) => b.path.length - a.path.length)
}

const noWorkspace = diagnosticAt('.', fileStart, {
  code: 'no-workspace',
  message: 'The content folder has no workspace.',
  hint: 'Create a folder for one, with posts in it: "my-blog/posts/hello.md".',
})

/** Reads a file, unless it is unchanged in the cache. */
async function readFile(
  root: string,
  file: PlannedFile,
  known: FileRecord | undefined,
  frontMatterBytes: number | undefined,
): Promise<FileRecord | Problem> {
  const { path, role } = file
  const stats = statsOf(join(root, path))
  if (stats !== '' && known?.stats === stats) return known
  const limit = role.kind === 'list' && 'name' in role ? dataBytesMax : undefined
  const bytes = role.kind === 'image' ? hashImage(root, path) : readFileBytes(root, path, limit)
  if (typeof bytes === 'object' && 'code' in bytes) return bytes
  const sha256 = typeof bytes === 'string' ? bytes : hash('sha256', bytes)
  if (sha256 === known?.sha256) return { ...known, stats }
  if (role.kind !== 'document' || typeof bytes === 'string') return { stats, sha256 }
  return { stats, sha256, ...(await parseFile(file, bytes, frontMatterBytes)) }
}

/**
 * Returns times, size and inode of a file. Empty if a later change could leave them equal: for recent times, and for
 * times in whole seconds, which files of a disk image have in every copy.
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

/** Age of reliable times, in milliseconds: some file systems have a resolution of two seconds. */
const stepMilliseconds = 2500

async function parseFile(
  file: PlannedFile,
  bytes: Buffer,
  frontMatterBytes: number | undefined,
): Promise<Pick<FileRecord, 'document' | 'diagnostics'>> {
  const { path } = file
  // The packages are loaded with the first changed file.
  const { readDocument } = await import('../content/document.ts')
  const { firstHeading } = await import('../model/posts.ts')
  const text = decodeText(path, bytes)
  if (text.value === undefined) return { diagnostics: text.diagnostics }
  const { value, diagnostics } = readDocument(path, text.value, frontMatterBytes)
  if (value === undefined) return { diagnostics }
  const { file: _, frontMatter: front, body, ...rest } = value
  const own = hasBody(file) ? { heading: firstHeading(body) ?? null, body: '' } : { body }
  const frontMatter = JSON.stringify(front, (_, part) => (part instanceof Map ? [...part] : part))
  return { document: { ...rest, ...own, frontMatter }, diagnostics }
}

/** Returns the content for the model, with the problems of every file. */
export async function rawContent(content: Content, cache: BuildCache): Promise<RawContent> {
  const { assembleWorkspaces, readDataFile } = await import('../content/assemble.ts')
  const { workspaces, files, root, mounts, sources } = content
  const read = files.map((file): ParsedFile => {
    if (file.role.kind !== 'document') return readDataFile(root, file)
    const { path } = file
    if (typeof file.content !== 'string') return { ...file, ...readError(path, file.content) }
    const { document: known, diagnostics = [] } = cache.files.get(path) ?? {}
    if (known === undefined) return { ...file, diagnostics }
    // The front matter is decoded for each use, because it takes ten times the memory when decoded.
    const document = {
      ...known,
      file: path,
      get frontMatter() {
        return restoreMaps(JSON.parse(known.frontMatter))
      },
    }
    return { ...file, document, diagnostics }
  })
  return {
    workspaces: assembleWorkspaces(workspaces, read, mounts, sources),
    diagnostics: [...content.diagnostics, ...read.flatMap(({ diagnostics }) => diagnostics)],
  }
}

/** Restores maps from lists of entries. A reviver of `JSON.parse` takes five times as long. */
function restoreMaps<T extends YamlValue>(value: T): T {
  if (value.kind === 'list') return { ...value, items: value.items.map(restoreMaps) }
  if (value.kind !== 'map') return value
  const entries = Array.from(value.entries, ([name, { keyAt, value: own }]) => {
    return [name, { keyAt, value: restoreMaps(own) }] as const
  })
  return { ...value, entries: new Map(entries) }
}
