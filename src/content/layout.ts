// Lists the files of a content folder, and derives the role of each file from its name. Warns about names that
// only look like content.
import { type Dirent, existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import fastGlob from 'fast-glob'
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import { type Diagnostic, diagnosticAt, fileStart, type Problem, UseError } from '../diagnostics.ts'
import type { Mount } from './mounts.ts'
import type { CustomSource, PlannedFile, Role } from './raw.ts'
import { explainSystemError, imageExtension, unreadable } from './read-file.ts'
import { nearest } from './source.ts'

/** The files to read. */
export interface Layout {
  readonly workspaces: readonly string[]
  readonly files: readonly PlannedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reports whether a file is a post in Markdown. */
export function isPost({ role }: Pick<PlannedFile, 'role'>): boolean {
  return role.kind === 'document' && role.of === 'posts'
}

/** Reports whether a file has a body that is rendered: a post, an item or a singleton in Markdown. */
export function hasBody({ role }: Pick<PlannedFile, 'role'>): boolean {
  return role.kind === 'document' && ['posts', 'items', 'singletons'].includes(role.of)
}

/** Plans files. @param entries parents before their children @param downloads extensions of files that posts may link to */
export function planFiles(
  entries: readonly Entry[],
  mounts: readonly Mount[] = [],
  sources: readonly CustomSource[] = [],
  downloads: readonly string[] = [],
): Layout {
  const workspaces = new Set<string>()
  const files: PlannedFile[] = []
  const diagnostics: Diagnostic[] = []
  for (const { path, kind } of entries) {
    const own = ownPath(path, mounts)
    const [workspace = '', below] = own.split('/')
    if (workspace !== '' && (kind === 'folder' || below !== undefined)) workspaces.add(workspace)
    const isDownload = kind === 'file' && downloads.includes(posix.extname(path).toLowerCase())
    const role = roleOf({ path: own, kind }, sources, own !== path) ?? (isDownload && image)
    if (!role) continue
    if ('code' in role) diagnostics.push(ignored(path, own, role))
    else files.push({ path, workspace, role })
  }
  return { workspaces: [...workspaces].sort(), files, diagnostics }
}

/** Settings may make a workspace private, so it is an error if they are ignored. */
function ignored(path: string, own: string, problem: Problem): Diagnostic {
  const severity = /^[^/]+\/workspace\.(?:ya?ml|json|toml)$/i.test(own) ? 'error' : 'warning'
  return diagnosticAt(path, fileStart, { ...problem, severity })
}

/** Returns the path that an entry of a mount would have in the content folder. Roots have images, as `media` does. */
function ownPath(path: string, mounts: readonly Mount[]): string {
  const mount = mounts.find((each) => `${path}/`.startsWith(`${each.path}/`))
  if (mount === undefined) return path
  const { workspace, part, isFolder } = mount
  const names: Partial<Record<Mount['part'], string>> = { root: 'media', settings: 'workspace' }
  const below = isFolder ? path.slice(mount.path.length) : '.yml'
  return `${workspace}/${names[part] ?? part}${below}`
}

const image: Role = { kind: 'image' }

const dataFiles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['workspace.yml', { kind: 'settings' }],
  ['authors.yml', { kind: 'list', of: 'authors' }],
  ['categories.yml', { kind: 'list', of: 'categories' }],
  ['tags.yml', { kind: 'list', of: 'tags' }],
  ['keys.yml', { kind: 'keys' }],
])

/** Names of folders in a workspace. The folder `media` has images that several posts show. */
const folderNames: readonly string[] = [...resourceKinds, 'media']

const knownNames = [...folderNames, ...dataFiles.keys()]

function roleOf(
  entry: Entry,
  sources: readonly CustomSource[],
  isMounted: boolean,
): Role | Problem | undefined {
  const { path, kind } = entry
  const source = sources.find((each) => `${path}/`.startsWith(`${each.path}/`))
  const [, name, ...below] = path.split('/')
  const of = resourceKinds.find((each) => each === name)
  const isRead = below.length < 2 ? below.length === 0 || of : of === 'posts'
  if (source === undefined && name !== 'media' && !isRead) return undefined
  if (kind === 'link') return link
  if (source !== undefined) return kind === 'folder' ? undefined : roleInSource(entry, source)
  // A folder above a source has no role.
  if (name === undefined || sources.some((each) => each.path.startsWith(`${path}/`)))
    return undefined
  if (below.length === 0) return roleOfName(entry, name)
  return of ? roleOfDocument(entry, of, isMounted) : roleOfImage(entry)
}

function roleInSource(entry: Entry, { of, name, path }: CustomSource): Role | undefined {
  const extension = posix.extname(entry.path)
  if (/^\.(?:md|markdown|mdx)$/.test(extension)) return { kind: 'document', of, name }
  if (entry.path !== path) return roleOfImage(entry)
  const isData = /^\.(?:ya?ml|json)$/.test(extension) || (of === 'items' && extension === '.csv')
  return isData ? { kind: 'list', of, name } : undefined
}

// The role of a name directly in a workspace.
function roleOfName({ kind }: Entry, name: string): Role | Problem | undefined {
  const role = dataFiles.get(name)
  if (kind === 'folder') return folderNames.includes(name) ? undefined : unknownName(name)
  if (role !== undefined) return role
  return /^readme(?:\.\w+)?$/iu.test(name) ? undefined : unknownName(name)
}

// The role of a name in `posts`, at any depth, or directly in one of the other folders.
function roleOfDocument(
  entry: Entry,
  of: ResourceKind,
  isMounted: boolean,
): Role | Problem | undefined {
  const { path, kind } = entry
  if (kind === 'folder') return of === 'posts' ? undefined : noSubFolders(of)
  const isData = isMounted && kind === 'file' && /\.(?:ya?ml|json)$/u.test(path)
  if (isData && of !== 'posts') return { kind: 'entry', of }
  if (!/\.(?:md|markdown|mdx)$/u.test(path)) {
    if (/\.(?:md|markdown|mdx|mdown|mkd)$/iu.test(path)) return otherExtension
    return of === 'posts' || of === 'authors' ? roleOfImage(entry) : undefined
  }
  // `_index.md` is Hugo's page of a section.
  if (/(?:^|\/)_index\.\w+$/u.test(path)) return sectionPage
  return { kind: 'document', of }
}

// Other files next to posts cause no warning.
function roleOfImage({ path, kind }: Entry): Role | undefined {
  return kind === 'file' && imageExtension(path) !== null ? image : undefined
}

function warning(message: string, hint: string, code: Problem['code'] = 'ignored-file'): Problem {
  return { code, message, hint }
}

const link = warning(
  'Symbolic links are not followed.',
  'Put the file or folder itself here.',
  'ignored-link',
)

const otherExtension = warning(
  'Only files that end in ".md", ".markdown" or ".mdx" are read.',
  'Rename it to end in ".md".',
)

const sectionPage = warning(
  'Section pages are not posts and are ignored.',
  'Rename it, or take it out of "posts".',
)

function noSubFolders(of: ResourceKind): Problem {
  const message = `Only "posts" may have sub-folders; nothing in this folder is read.`
  return warning(message, `Move the files up into "${of}".`, 'unknown-entry')
}

function unknownName(name: string): Problem {
  const near = nearest(name.toLowerCase(), knownNames)
  const hint =
    near === undefined
      ? `A workspace can contain ${knownNames.join(', ')}; or define a collection of it in workspace.yml.`
      : near === name
        ? `It must be a ${folderNames.includes(name) ? 'folder' : 'file'}.`
        : `Did you mean "${near}"?`
  // The message is the same for all names, so that it is printed once; the path contains the name.
  return warning('This is not part of a workspace and is ignored.', hint, 'unknown-entry')
}

/** Returns the path of a content folder, with links resolved. @throws UseError if it is not a folder */
export async function resolveFolder(root: string): Promise<string> {
  const stats = await stat(root).catch(explainSystemError)
  if (typeof stats === 'object' && stats.isDirectory()) return realpath(root)
  const found = typeof stats === 'string' ? stats : 'it is a file'
  const hint =
    'Create a project with npx quarry init my-site, or name another folder with --content.'
  throw new UseError(`Expected a content folder at "${root}", but ${found}. ${hint}`)
}

/** Returns the folders in code unit order, without links, hidden folders and `node_modules`. */
export async function listWorkspaces(root: string): Promise<readonly string[]> {
  return (await fastGlob('*', { ...shared, cwd: root, onlyDirectories: true })).sort()
}

/** An entry below the content folder, or in a mount. */
export interface Entry {
  readonly path: string
  /** `other` is a FIFO, a socket or a device. */
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/**
 * Lists all entries of a content folder, which may be missing if there are mounts, and of all mounts. Links are not
 * followed: a content folder never reaches outside itself. Cost: one system call per folder.
 *
 * @returns entries by path in code unit order; none of a folder or mount that could not be listed completely
 */
export function listEntries(
  root: string,
  mounts: readonly Mount[],
): { readonly entries: readonly Entry[]; readonly diagnostics: readonly Diagnostic[] } {
  // Mounts may contain each other.
  const entries = new Map<string, Entry>()
  const diagnostics: Diagnostic[] = []
  const list = (folder: string) => {
    const cwd = join(root, folder)
    try {
      for (const { path, dirent } of fastGlob.sync('**/*', { ...options, cwd }))
        add({ path: folder === '' ? path : `${folder}/${path}`, kind: kindOf(dirent) })
    } catch (error) {
      const path = error instanceof Error && 'path' in error ? String(error.path) : root
      const file = relative(root, path).split(sep).join('/') || '.'
      diagnostics.push(diagnosticAt(file, fileStart, unreadable(explainSystemError(error))))
    }
  }
  const add = (entry: Entry) => entries.set(entry.path, entry)
  for (const { path, isFolder } of mounts) {
    add({ path, kind: isFolder ? 'folder' : 'file' })
    if (isFolder) list(path)
  }
  if (mounts.length === 0 || existsSync(root)) list('')
  // The order of folders differs between runs, and locale order between machines.
  const sorted = [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { entries: sorted, diagnostics }
}

const shared = { followSymbolicLinks: false, ignore: ['**/node_modules', '**/node_modules/**'] }

const options = { ...shared, objectMode: true, onlyFiles: false } satisfies fastGlob.Options

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Entry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'folder' : 'other'
}
