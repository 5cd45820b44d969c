// Lists what is in a content folder, never through a link, in the same order on every machine.
// Knows the depths at which content stands, nothing of what the names mean.
import { type Dirent, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { explainSystemError, unreadable } from './read-file.ts'
import { diagnoseAt, FILE_START } from './source.ts'

/** One name below the content folder. */
export interface Entry {
  /** Path below the content folder, with `/`. */
  readonly path: string
  /** `other` is a FIFO, a socket or a device. */
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** What is in a content folder. */
export interface Listing {
  /** By path in code unit order; empty when a folder could not be listed. */
  readonly entries: readonly Entry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** What stands in a folder, in any order. @throws a system error */
export type ListFolder = (folder: string) => readonly Dirent[]

/**
 * Everything at the depths where content stands, but for dot files, dot folders and `node_modules`.
 *
 * Links are listed, as names only: a content folder never reaches beyond itself.
 *
 * @param root absolute
 *
 * Cost: one call of the system a folder; this stands on the way of a build in which nothing has changed.
 */
export function listEntries(root: string, listFolder: ListFolder = listNames): Listing {
  const entries: Entry[] = []
  const visit = (path: string, depth: number): void => {
    for (const found of listFolder(join(root, path))) {
      if (found.name.startsWith('.') || found.name === 'node_modules') continue
      const entry = {
        path: path === '' ? found.name : `${path}/${found.name}`,
        kind: kindOf(found),
      }
      entries.push(entry)
      if (entry.kind === 'folder' && isEntered(entry.path, depth)) visit(entry.path, depth + 1)
    }
  }
  try {
    visit('', 0)
    return { entries: entries.sort(byPath), diagnostics: [] }
  } catch (error) {
    return { entries: [], diagnostics: [explainFolder(root, error)] }
  }
}

function listNames(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
}

/** A workspace, the folders of each kind in it, and in that of posts whatever there is. */
function isEntered(path: string, depth: number): boolean {
  if (depth === 0) return true
  const [, kind] = path.split('/')
  return depth === 1 ? resourceKinds.includes(kind as ResourceKind) : kind === 'posts'
}

function kindOf(found: Dirent): Entry['kind'] {
  if (found.isSymbolicLink()) return 'link'
  if (found.isFile()) return 'file'
  return found.isDirectory() ? 'folder' : 'other'
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
