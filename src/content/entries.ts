// The content folder: its path, and its entries in the same order on every machine, without following links.
import { existsSync, type readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastGlob from 'fast-glob'
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
 * Cost: one system call per folder, and one match per name.
 */
export function listEntries(root: string, listFolder?: ListFolder): Listing {
  return listBelow(root, root, patterns, listFolder)
}

function listBelow(
  root: string,
  folder: string,
  patterns: string | string[],
  listFolder?: ListFolder,
): Listing {
  const fs =
    listFolder === undefined ? {} : { readdirSync: listFolder as unknown as typeof readdirSync }
  try {
    const found = fastGlob.sync(patterns, { ...options, cwd: folder, fs })
    return { entries: found.map(toEntry).sort(byPath), diagnostics: [] }
  } catch (error) {
    const reason = explainSystemError(error)
    const path = error instanceof Error && 'path' in error ? String(error.path) : root
    const file = relative(root, path).split(sep).join('/') || '.'
    return { entries: [], diagnostics: [diagnosticAt(file, fileStart, unreadable(reason))] }
  }
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
  const pattern = ['posts', 'media', 'root'].includes(part) ? '**/*' : '*'
  const { entries, diagnostics } = listBelow(root, join(root, path), pattern)
  const below = entries.map((entry) => ({ ...entry, path: `${path}/${entry.path}` }))
  return { entries: [itself, ...below], diagnostics }
}

// The folders of each kind, and any file below posts and media. The final single star also matches names with a line
// break, which a double star alone skips.
const patterns = ['*', '*/*', '*/{posts,media}/**/*', '*/{authors,categories,tags}/*']

const options = {
  objectMode: true,
  onlyFiles: false,
  followSymbolicLinks: false,
  ignore: ['**/node_modules', '**/node_modules/**'],
} satisfies fastGlob.Options

function toEntry({ path, dirent }: fastGlob.Entry): Entry {
  if (dirent.isSymbolicLink()) return { path, kind: 'link' }
  if (dirent.isFile()) return { path, kind: 'file' }
  return { path, kind: dirent.isDirectory() ? 'folder' : 'other' }
}

// The order of folders differs between runs, and locale order between machines.
function byPath(a: Entry, b: Entry): number {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}
