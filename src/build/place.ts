// Locates the content of a project: its folder, and separately mounted parts of workspaces.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Settings, UseError } from '../config.ts'
import { type Mount, MountError, resolveMounts } from '../content/mounts.ts'
import { resolveFolder } from '../content/tree.ts'

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
  try {
    return { root, mounts: resolveMounts(root, { project, workspaces, roots: mediaRoots }) }
  } catch (error) {
    throw error instanceof MountError ? new UseError(error.message) : error
  }
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
