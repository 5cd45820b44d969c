// Mounts: folders and data files outside the content folder that belong to a workspace.
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { explainSystemError } from './read-file.ts'

/** Parts of a workspace that can be anywhere in the project. */
export const mountedParts = ['posts', 'media', 'categories', 'tags', 'authors', 'settings'] as const

export type MountedPart = (typeof mountedParts)[number]

/** Paths of workspace parts, by workspace id. */
export type WorkspacePaths = Readonly<
  Record<string, { readonly [part in MountedPart]?: string | undefined }>
>

/** A mounted folder or file. */
export interface Mount {
  /** Empty for a root, whose images belong to every workspace. */
  readonly workspace: string
  readonly part: MountedPart | 'root'
  /** Relative to the content folder, with `/`; begins with `..`. */
  readonly path: string
  readonly isFolder: boolean
}

/** A mount is invalid; the message says why. */
export class MountError extends Error {
  override readonly name = 'MountError'
}

/**
 * Resolves the mounts of all workspaces, including links in their paths.
 *
 * @param root the content folder: absolute, with links resolved
 * @param project base folder of the paths; every mount must be inside it
 * @throws MountError if a path does not exist, is outside the project, or is inside the content folder
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
  // A folder belongs to the first mount that names it: workspace parts precede the shared roots.
  return [...parts, ...images].map((given) => resolveMount(root, project, given))
}

/** Configured paths outside the content folder. */
interface MountedPaths {
  readonly project: string
  readonly workspaces: WorkspacePaths
  /** Root folders of site-relative image paths. */
  readonly roots?: readonly string[]
}

interface MountEntry extends Pick<Mount, 'workspace' | 'part'> {
  readonly given: string
  /** Name of the setting. */
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
    refuse(`which is not a ${part === 'settings' ? 'file' : 'folder'} that can be read`)
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

/** Returns the mount of a path outside the content folder, if any. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  return path.startsWith('../')
    ? mounts.find((mount) => path === mount.path || path.startsWith(`${mount.path}/`))
    : undefined
}

/** Returns the folders of a workspace's posts, images or authors, without a trailing slash. */
export function foldersOf(
  workspace: string,
  part: 'posts' | 'media' | 'authors',
  mounts: readonly Mount[],
): readonly string[] {
  const mounted = mounts.filter((mount) => mount.workspace === workspace && mount.part === part)
  return [`${workspace}/${part}`, ...mounted.map(({ path }) => path)]
}
