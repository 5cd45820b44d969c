// The content folder: its path, and its entries in the same order on every machine, without following links.
import { existsSync, type readdirSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastGlob from 'fast-glob'
import { type Diagnostic, diagnosticAt, fileStart } from '../diagnostics.ts'
import type { Mount } from './mounts.ts'
import type { PlacedSource } from './own-sources.ts'
import { explainSystemError, unreadable } from './read-file.ts'

/** There is no content folder at the given path. */
export class ContentFolderError extends Error {
  override readonly name = 'ContentFolderError'
  /** As given. */
  readonly path: string

  constructor(path: string, found: string) {
    super(`Expected a content folder at "${path}", but ${found}.`)
    this.path = path
  }
}

/**
 * Returns the path of a content folder, with links resolved.
 *
 * @throws ContentFolderError if `root` is not a folder
 */
export async function resolveFolder(root: string): Promise<string> {
  const stats = await stat(root).catch((error: unknown) => {
    throw new ContentFolderError(root, explainSystemError(error))
  })
  if (!stats.isDirectory()) throw new ContentFolderError(root, 'it is a file')
  return realpath(root)
}

/**
 * Returns the ids of all workspaces in code unit order: folders, without links, hidden folders and `node_modules`.
 *
 * @param root the content folder: absolute, with links resolved
 */
export async function listWorkspaces(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort()
}

/** An entry below the content folder, or in a mount. */
export interface Entry {
  /** Path below the content folder, with `/`. */
  readonly path: string
  /** `other` is a FIFO, a socket or a device. */
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** The entries of a content folder. */
interface Listing {
  /** By path in code unit order; none of a folder or mount that could not be listed whole. */
  readonly entries: readonly Entry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A name in a folder, like Node's `Dirent`. Declared here so that the public types do not need Node's. */
export interface FolderEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Returns the entries of a folder, in any order. @throws a system error */
export type ListFolder = (folder: string) => readonly FolderEntry[]

// The folders of each kind, and any file below posts and media. The final single star also matches names with a line
// break, which a double star alone skips.
const patterns = ['*', '*/*', '*/{posts,media}/**/*', '*/{authors,categories,tags}/*']

/**
 * Lists the content folder, which may be missing where there are mounts, and all mounts: everything at the depths of
 * content, except dot files, dot folders and `node_modules`.
 *
 * Links are listed but not followed: a content folder never reaches outside itself.
 *
 * @param root absolute
 * @param sources of collections and singletons
 *
 * Cost: one system call per folder, and one match per name.
 */
export function listEntries(
  root: string,
  mounts: readonly Mount[],
  listFolder?: ListFolder,
  sources: readonly PlacedSource[] = [],
): Listing {
  // Mounts may contain each other.
  const entries = new Map<string, Entry>()
  const diagnostics: Diagnostic[] = []
  const list = (folder: string, below: string | string[]) => {
    const fs = listFolder && { readdirSync: listFolder as unknown as typeof readdirSync }
    const cwd = join(root, folder)
    try {
      for (const { path, dirent } of fastGlob.sync(below, { ...options, cwd, ...(fs && { fs }) }))
        add({ path: folder === '' ? path : `${folder}/${path}`, kind: kindOf(dirent) })
    } catch (error) {
      const path = error instanceof Error && 'path' in error ? String(error.path) : root
      const file = relative(root, path).split(sep).join('/') || '.'
      const problem = unreadable(explainSystemError(error))
      diagnostics.push(diagnosticAt(file, fileStart, problem))
    }
  }
  const add = (entry: Entry) => entries.set(entry.path, entry)
  for (const { path, part, isFolder } of mounts) {
    add({ path, kind: isFolder ? 'folder' : 'file' })
    if (isFolder) list(path, ['posts', 'media', 'root'].includes(part) ? '**/*' : '*')
  }
  const own = sources.flatMap(({ workspace, path }) => {
    const escaped = fastGlob.escapePath(`${workspace}/${path}`)
    return [escaped, `${escaped}/**/*`]
  })
  if (mounts.length === 0 || existsSync(root)) list('', [...patterns, ...own])
  // The order of folders differs between runs, and locale order between machines.
  const sorted = [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { entries: sorted, diagnostics }
}

const options = {
  objectMode: true,
  onlyFiles: false,
  followSymbolicLinks: false,
  ignore: ['**/node_modules', '**/node_modules/**'],
} satisfies fastGlob.Options

function kindOf(entry: FolderEntry): Entry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'folder' : 'other'
}
