// Mounts: folders and data files outside the content folder that belong to a workspace. Sources of collections.
import { realpathSync, statSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { UseError } from '../diagnostics.ts'
import type { CustomSource, YamlEntry, YamlValue } from './raw.ts'
import { explainSystemError } from './read-file.ts'

/** Parts of a workspace that can be anywhere in the project. */
export const mountedParts = ['posts', 'media', 'categories', 'tags', 'authors', 'settings'] as const

type MountedPart = (typeof mountedParts)[number]

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

interface MountedPaths {
  /** Base folder of the paths; every mount must be inside it. */
  readonly project: string
  readonly workspaces: WorkspacePaths
  readonly roots?: readonly string[]
}

/** Resolves mounts. @throws UseError if a path does not exist, is outside the project, or is inside the content folder */
export function resolveMounts(
  root: string,
  { project, workspaces, roots = [] }: MountedPaths,
): readonly Mount[] {
  const parts = Object.entries(workspaces).flatMap(([workspace, paths]) =>
    mountedParts.flatMap((part) =>
      [paths[part] ?? []].flat().map((given) => ({ workspace, part, given })),
    ),
  )
  const images = roots.map((given) => ({ workspace: '', part: 'root', given }) as const)
  // A folder belongs to the first mount that names it: workspace parts precede the shared roots.
  return [...parts, ...images].map(({ given, ...mount }): Mount => {
    const { workspace, part } = mount
    const name = part === 'root' ? 'media.roots' : `workspaces.${workspace}.${part}`
    const refused = (reason: string) =>
      new UseError(`\`${name}\` is ${JSON.stringify(given)}, ${reason}.`)
    const path = resolveRealPath(resolve(project, given), refused)
    const isFolder = statSync(path).isDirectory()
    const reason = mountProblem(path, isFolder, part, { root, project })
    if (reason !== undefined) throw refused(reason)
    return { ...mount, path: relative(root, path).split(sep).join('/'), isFolder }
  })
}

function mountProblem(
  path: string,
  isFolder: boolean,
  part: Mount['part'],
  { root, project }: { readonly root: string; readonly project: string },
): string | undefined {
  if (!isInside(path, realpathSync(project))) return 'which is outside the project'
  if (isInside(path, root)) return 'in the content folder; name another folder as `content`'
  if (isInside(root, path)) return 'which contains the content folder'
  const isData = /\.(?:ya?ml|json)$/u.test(path) && !['posts', 'media', 'root'].includes(part)
  const fits = isFolder ? part !== 'settings' : isData
  const kind = part === 'settings' ? 'file' : 'folder'
  return fits ? undefined : `which is not a ${kind} that can be read`
}

function resolveRealPath(path: string, refused: (reason: string) => UseError): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw refused(`and ${explainSystemError(error)}`)
  }
}

/** Reports whether `inner` is `outer` or below it. @param inner absolute with links resolved, like `outer` */
export function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

/** Folders and files of a workspace that collections cannot use. */
const reservedPaths =
  /^(?:posts|authors|categories|tags|media)(?:\/|$)|^(?:workspace|keys|authors|categories|tags)\.yml$/

/** Reports whether a path can be that of a collection: below the workspace, and not a path with another meaning. */
export function isCustomPath(path: string): boolean {
  const isPlain = path.split('/').every((name) => /^[^.\\\0][^\\\0]*$/.test(name))
  return isPlain && !reservedPaths.test(path)
}

/** Returns the sources in the settings of a workspace. Invalid sources are left out, and reported with the settings. */
export function listSources(workspace: string, settings: YamlValue): readonly CustomSource[] {
  const { collections, singletons } = Object.fromEntries(entriesOf(settings))
  const items = [...entriesOf(collections?.value)].map(([name, { value }]) => {
    const { folder, file } = Object.fromEntries(entriesOf(value))
    return { of: 'items', name, place: (folder ?? file)?.value } as const
  })
  const single = [...entriesOf(singletons?.value)].map(([name, { value }]) => {
    return { of: 'singletons', name, place: value } as const
  })
  return [...items, ...single].flatMap(({ of, name, place }) =>
    place?.kind === 'text' && isCustomPath(place.value)
      ? [{ of, name, path: `${workspace}/${place.value}` }]
      : [],
  )
}

/** Returns the entries of a map; none for other values. */
export function entriesOf(value: YamlValue | undefined): ReadonlyMap<string, YamlEntry> {
  return value?.kind === 'map' ? value.entries : new Map()
}
