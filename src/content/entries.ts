// The content folder: its path, and its entries in the same order on every machine, without following links.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Diagnostic, diagnosticAt, fileStart } from '../diagnostics.ts'
import type { Mount } from './mounts.ts'
import { explainSystemError, unreadable } from './read-file.ts'

/** An entry below the content folder. */
export interface Entry {
  /** Path below the content folder, with `/`. */
  readonly path: string
  /** `other` is a FIFO, a socket or a device. */
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** The entries of a content folder. */
export interface Listing {
  /** By path in code unit order; empty when a folder could not be listed. */
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

/**
 * Lists everything at the depths of content, except dot files, dot folders and `node_modules`.
 *
 * Links are listed but not followed: a content folder never reaches outside itself.
 *
 * @param root absolute
 *
 * Cost: one system call per folder.
 */
export function listEntries(root: string, listFolder?: ListFolder): Listing {
  return listBelow(root, '', isOfContent, listFolder)
}

/** Lists the content folder, which may be missing, and all mounts. */
export function listWithMounts(
  root: string,
  mounts: readonly Mount[],
  listFolder?: ListFolder,
): Listing {
  const own = existsSync(root) ? [listEntries(root, listFolder)] : []
  const all = [...mounts.map((mount) => listMount(root, mount)), ...own]
  // Mounts may contain each other.
  const entries = new Map(all.flatMap(({ entries }) => entries.map((each) => [each.path, each])))
  return {
    entries: [...entries.values()].sort(byPath),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Lists a mount: the folder and everything in it, or the single file. */
function listMount(root: string, { path, part, isFolder }: Mount): Listing {
  const itself: Entry = { path, kind: isFolder ? 'folder' : 'file' }
  if (!isFolder) return { entries: [itself], diagnostics: [] }
  const isDeep = ['posts', 'media', 'root'].includes(part)
  const { entries, diagnostics } = listBelow(root, path, () => isDeep)
  return { entries: diagnostics.length === 0 ? [itself, ...entries] : [], diagnostics }
}

/** The folders that may hold content: those of each kind, and any below posts and media. */
function isOfContent(path: string): boolean {
  const [, kind, ...rest] = path.split('/')
  if (kind === undefined || kind === 'posts' || kind === 'media') return true
  return rest.length === 0 && ['authors', 'categories', 'tags'].includes(kind)
}

/**
 * Lists a folder.
 *
 * @param folder below the root; empty for the root
 * @param isListed reports whether a folder in it is listed too
 */
function listBelow(
  root: string,
  folder: string,
  isListed: (path: string) => boolean,
  listFolder: ListFolder = (path) => readdirSync(path, { withFileTypes: true }),
): Listing {
  const entriesOf = (parent: string): Entry[] => {
    const own = namesIn(join(root, parent), listFolder).map((dirent): Entry => {
      const path = parent === '' ? dirent.name : `${parent}/${dirent.name}`
      return { path, kind: kindOf(dirent) }
    })
    const folders = own.filter(({ path, kind }) => kind === 'folder' && isListed(path))
    return own.concat(folders.flatMap(({ path }) => entriesOf(path)))
  }
  try {
    return { entries: entriesOf(folder).sort(byPath), diagnostics: [] }
  } catch (error) {
    const reason = explainSystemError(error)
    const path = error instanceof Error && 'path' in error ? String(error.path) : root
    const file = relative(root, path).split(sep).join('/') || '.'
    return { entries: [], diagnostics: [diagnosticAt(file, fileStart, unreadable(reason))] }
  }
}

/** Empty for a folder that was removed in the meantime. */
function namesIn(folder: string, listFolder: ListFolder): readonly FolderEntry[] {
  try {
    return listFolder(folder).filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function kindOf(dirent: FolderEntry): Entry['kind'] {
  if (dirent.isSymbolicLink()) return 'link'
  if (dirent.isFile()) return 'file'
  return dirent.isDirectory() ? 'folder' : 'other'
}

// The order of folders differs between runs, and locale order between machines.
function byPath(a: Entry, b: Entry): number {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}
