// Where the content stands: the folder's true path.
import { realpath, stat } from 'node:fs/promises'
import { explainSystemError } from './read-file.ts'

/** There is no content folder at the path that was given. */
export class ContentFolderError extends Error {
  override readonly name = 'ContentFolderError'
  /** As it was given. */
  readonly path: string

  constructor(path: string, found: string) {
    super(`Expected a content folder at "${path}", but ${found}.`)
    this.path = path
  }
}

/**
 * A content folder's true path, free of links.
 *
 * @throws ContentFolderError when `root` is no folder
 */
export async function resolveFolder(root: string): Promise<string> {
  const stats = await stat(root).catch((error: unknown) => {
    throw new ContentFolderError(root, explainSystemError(error))
  })
  if (!stats.isDirectory()) throw new ContentFolderError(root, 'it is a file')
  return realpath(root)
}
