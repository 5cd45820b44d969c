// Resolves the path of the content folder.

import { readdir, realpath, stat } from 'node:fs/promises'
import { explainSystemError } from './read-file.ts'

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
