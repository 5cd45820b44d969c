// Lists what is in a content folder, never through a link, in the same order on every machine.
// Knows the depths at which content stands, nothing of what the names mean.
import { existsSync, type readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastGlob from 'fast-glob'
import type { Diagnostic } from '../diagnostics.ts'
import type { Mount } from './mounts.ts'
import { explainSystemError, unreadable } from './read-file.ts'
import { diagnoseAt, FILE_START } from './source.ts'

/** One name below the content folder. */
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

/** A name in a folder, as Node's `Dirent` has it: declared here, so that who uses our types needs none of Node's. */
export interface FolderEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** The entries of a folder, in any order. @throws a system error */
export type ListFolder = (folder: string) => readonly FolderEntry[]

/**
 * Everything at the depths where content stands, but for dot files, dot folders and `node_modules`.
 *
 * Links are listed, as names only: a content folder never reaches beyond itself.
 *
 * @param root absolute
 * @param workspace the one that is listed. @default all
 *
 * Cost: one call of the system a folder, and matching every name.
 */
export function listEntries(root: string, listFolder?: ListFolder, workspace?: string): Listing {
  const fs =
    listFolder === undefined ? {} : { readdirSync: listFolder as unknown as typeof readdirSync }
  // As a pattern: fast-glob groups plain folders by name in an object, where `constructor` is something else.
  const first = workspace === undefined ? '*' : `@(${fastGlob.escapePath(workspace)})`
  const patterns = ['', ...below].map((rest) => `${first}${rest}`)
  try {
    const found = fastGlob.sync(patterns, { ...options, cwd: root, fs })
    return { entries: found.map(toEntry).sort(byPath), diagnostics: [] }
  } catch (error) {
    return { entries: [], diagnostics: [explainFolder(root, error)] }
  }
}

/** `listEntries`, with everything in mounts; the folder need not be there. */
export function listWithMounts(
  root: string,
  mounts: readonly Mount[],
  listFolder?: ListFolder,
  workspace?: string,
): Listing {
  const own = existsSync(root) ? [listEntries(root, listFolder, workspace)] : []
  const all = [...mounts.map((mount) => listMount(root, mount)), ...own]
  // Mounts may hold each other.
  const entries = new Map(all.flatMap(({ entries }) => entries.map((each) => [each.path, each])))
  return {
    entries: [...entries.values()].sort(byPath),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Everything in a mount: the folder itself, and what is in it; or the one file. */
function listMount(root: string, { path, part, isFolder }: Mount): Listing {
  const itself: Entry = { path, kind: isFolder ? 'folder' : 'file' }
  if (!isFolder) return { entries: [itself], diagnostics: [] }
  const folder = join(root, path)
  try {
    const pattern = ['posts', 'media', 'root'].includes(part) ? '**/*' : '*'
    const found = fastGlob.sync(pattern, { ...options, cwd: folder }).map(toEntry)
    const below = found.map((entry) => ({ ...entry, path: `${path}/${entry.path}` }))
    return { entries: [itself, ...below], diagnostics: [] }
  } catch (error) {
    return { entries: [], diagnostics: [explainFolder(root, error)] }
  }
}

// A workspace has the folders of each kind, and in those of posts and media any files. The last star of all
// takes names with a line break too, which two stars alone pass over.
const below = ['/*', '/{posts,media}/**/*', '/{authors,categories,tags}/*']

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

// The order of folders differs from run to run, and that of locales from machine to machine.
function byPath(a: Entry, b: Entry): number {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}

function explainFolder(root: string, error: unknown): Diagnostic {
  const reason = explainSystemError(error)
  const path = error instanceof Error && 'path' in error ? String(error.path) : root
  const file = relative(root, path).split(sep).join('/') || '.'
  return diagnoseAt(file, FILE_START, unreadable(reason))
}
