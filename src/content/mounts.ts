// Folders and data files outside the content folder that are parts of a workspace.
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import { explainSystemError } from './read-file.ts'

/** The parts of a workspace that can be anywhere in the project. */
export const mountedParts = ['posts', 'media', 'categories', 'tags', 'authors', 'settings'] as const

export type MountedPart = (typeof mountedParts)[number]

/** Where the parts of workspaces are, by the workspace's id: paths of folders and files. */
export type WorkspacePaths = Readonly<
  Record<string, { readonly [part in MountedPart]?: string | undefined }>
>

/** A folder or a file that is a part of a workspace. */
export interface Mount {
  /** Empty for a root, whose images every workspace has. */
  readonly workspace: string
  readonly part: MountedPart | 'root'
  /** From the content folder, with `/`; it begins with `..`. */
  readonly path: string
  readonly isFolder: boolean
}

/** A part that cannot be had: why. */
export class MountError extends Error {
  override readonly name = 'MountError'
}

/**
 * The mounts of all workspaces, links in their paths resolved.
 *
 * @param root the content folder: absolute, free of links
 * @param project the folder that paths are relative to, and that none leads out of
 * @throws MountError for a path that is not there, leads out of the project, or is in the content folder
 */
export function resolveMounts(
  root: string,
  { project, workspaces, roots = [] }: MountedPaths,
): readonly Mount[] {
  const parts = Object.entries(workspaces).flatMap(([workspace, paths]) =>
    mountedParts.flatMap((part): readonly MountEntry[] => {
      const given = paths[part]
      const name = `workspaces.${workspace}.${part}`
      return given === undefined ? [] : [{ workspace, part, given, name }]
    }),
  )
  const images = roots.map(
    (given): MountEntry => ({ workspace: '', part: 'root', given, name: 'media.roots' }),
  )
  // A folder belongs to the first that names it: the parts of workspaces come before what all of them have.
  return [...parts, ...images].map((given) => resolveMount(root, project, given))
}

/** The places that a configuration names next to the content folder. */
interface MountedPaths {
  readonly project: string
  readonly workspaces: WorkspacePaths
  /** Folders whose images are named by paths from the root of a site. */
  readonly roots?: readonly string[]
}

interface MountEntry extends Pick<Mount, 'workspace' | 'part'> {
  readonly given: string
  /** The name of the setting. */
  readonly name: string
}

function resolveMount(
  root: string,
  project: string,
  { workspace, part, given, name }: MountEntry,
): Mount {
  const refuse = (reason: string): never => {
    throw new MountError(`\`${name}\` is ${JSON.stringify(given)}, ${reason}.`)
  }
  const path = realPathOf(resolve(project, given), refuse)
  if (!isInside(path, realpathSync(project))) refuse('which leads out of the project')
  if (isInside(path, root)) refuse('in the content folder; name another folder as `content`')
  if (isInside(root, path)) refuse('which holds the content folder')
  const isFolder = statSync(path).isDirectory()
  const isData = /\.(?:ya?ml|json)$/u.test(path) && !['posts', 'media', 'root'].includes(part)
  if (part === 'settings' ? isFolder || !isData : !isFolder && !isData)
    refuse(`which is no ${part === 'settings' ? 'file' : 'folder'} that can be read`)
  return { workspace, part, path: relative(root, path).split(sep).join('/'), isFolder }
}

function realPathOf(path: string, refuse: (reason: string) => never): string {
  try {
    return realpathSync(path)
  } catch (error) {
    return refuse(`and ${explainSystemError(error)}`)
  }
}

function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path)
  return below === '' || !(below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
}

/** The mount that a path below the content folder or next to it belongs to. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  return path.startsWith('../')
    ? mounts.find((mount) => path === mount.path || path.startsWith(`${mount.path}/`))
    : undefined
}

/** Folders that are the root of a site for images, without a slash at the end. */
export function rootsOf(mounts: readonly Mount[]): readonly string[] {
  return mounts.filter(({ part }) => part === 'root').map(({ path }) => path)
}

/** Folders in which a workspace's posts or images are, without a slash at the end. */
export function foldersOf(
  workspace: string,
  part: 'posts' | 'media',
  mounts: readonly Mount[],
): readonly string[] {
  const mounted = mounts.filter((mount) => mount.workspace === workspace && mount.part === part)
  return [`${workspace}/${part}`, ...mounted.map(({ path }) => path)]
}

/** The kind of resource that a part holds. */
export function kindOf(part: Mount['part']): ResourceKind | undefined {
  return resourceKinds.find((kind) => kind === part)
}
