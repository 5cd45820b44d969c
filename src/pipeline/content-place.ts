// Where the content of a project is: its folder, and the parts of workspaces next to it.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Settings, UseError } from '../config.ts'
import { type Mount, MountError, resolveMounts } from '../content/mounts.ts'
import { resolveFolder } from '../content/tree.ts'

/** Where content is. */
export interface ContentPlace {
  /** Absolute, free of links; it need not be there where all parts are next to it. */
  readonly root: string
  readonly mounts: readonly Mount[]
}

/**
 * Finds the content of a project.
 *
 * @throws ContentFolderError when there is no content folder, and nothing is mapped
 * @throws UseError for a mapped path that cannot be had
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
  try {
    return { root, mounts: resolveMounts(root, { project, workspaces, roots: mediaRoots }) }
  } catch (error) {
    throw error instanceof MountError ? new UseError(error.message) : error
  }
}

/** The folder in which it would be is free of links. */
function missingFolder(content: string): string {
  const path = resolve(content)
  const parent = dirname(path)
  return join(existsSync(parent) ? realpathSync(parent) : parent, basename(path))
}

/** Every folder in which content may change. @param content the content folder, as it was given */
export function watchedFolders(content: string, { root, mounts }: ContentPlace): readonly string[] {
  const paths = mounts.map(({ path, isFolder }) => join(root, isFolder ? path : dirname(path)))
  return [...new Set([content, ...paths])]
}
