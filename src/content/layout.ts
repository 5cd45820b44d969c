// Decides by names which files of a content folder are read, and as what. Warns about names that only look like
// content.
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import { type Diagnostic, diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import type { Entry } from './entries.ts'
import { imageExtension } from './media.ts'
import { type Mount, mountOf } from './mounts.ts'
import { nearest } from './nearest.ts'
import { unreadable } from './read-file.ts'

/** A file to read. */
export interface PlannedFile {
  /** Path below the content folder, with `/`. */
  readonly path: string
  /** Name of the workspace's folder; empty for an image of all workspaces. */
  readonly workspace: string
  readonly role: Role
}

/** The role of a file. */
type Role =
  | { readonly kind: 'settings' | 'keys' | 'image' }
  | { readonly kind: 'list' | 'entry' | 'document'; readonly of: ResourceKind }

/** The files to read. */
export interface Layout {
  /** In entry order. */
  readonly workspaces: readonly string[]
  /** In entry order. */
  readonly files: readonly PlannedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reports whether a file is a post in Markdown. */
export function isPost({ role }: Pick<PlannedFile, 'role'>): boolean {
  return role.kind === 'document' && role.of === 'posts'
}

/** @param entries parents before their children */
export function planReading(entries: readonly Entry[], mounts: readonly Mount[] = []): Layout {
  const folders = entries.filter(({ path, kind }) => kind === 'folder' && !path.includes('/'))
  const own = folders.map(({ path }) => path)
  const mounted = mounts.filter(({ part }) => part !== 'root').map(({ workspace }) => workspace)
  const workspaces = [...new Set([...own, ...mounted])].sort()
  const files: PlannedFile[] = []
  const diagnostics: Diagnostic[] = []
  for (const entry of entries) {
    const mount = mountOf(entry.path, mounts)
    const place = mount === undefined ? placeEntry(entry) : placeMounted(entry, mount)
    if (place === undefined) continue
    if ('role' in place) files.push(place)
    else diagnostics.push(diagnosticAt(entry.path, fileStart, place))
  }
  return { workspaces, files, diagnostics }
}

const dataFiles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['workspace.yml', { kind: 'settings' }],
  ['authors.yml', { kind: 'list', of: 'authors' }],
  ['categories.yml', { kind: 'list', of: 'categories' }],
  ['tags.yml', { kind: 'list', of: 'tags' }],
  ['keys.yml', { kind: 'keys' }],
])

/** The last one has images that several posts show. */
const folderNames: readonly string[] = [...resourceKinds, 'media']

const knownNames = [...folderNames, ...dataFiles.keys()]

type Place = PlannedFile | Problem | undefined

function placeMounted(entry: Entry, { workspace, part, path: mounted }: Mount): Place {
  const { path, kind } = entry
  const of = resourceKinds.find((each) => each === part)
  if (kind === 'link') return link
  if (path === mounted) {
    if (kind === 'folder') return undefined
    return { path, workspace, role: of === undefined ? { kind: 'settings' } : { kind: 'list', of } }
  }
  if (of === undefined) return placeImage(entry, workspace)
  const isData = kind === 'file' && of !== 'posts' && /\.(?:ya?ml|json)$/u.test(path)
  return isData
    ? { path, workspace, role: { kind: 'entry', of } }
    : placeDocument(entry, workspace, of)
}

function placeEntry(entry: Entry): Place {
  const [workspace = '', name, ...below] = entry.path.split('/')
  if (entry.kind === 'link') return link
  if (name === undefined) return undefined
  if (below.length === 0) return placeMember(entry, workspace, name)
  if (name === 'media') return placeImage(entry, workspace)
  const kind = resourceKinds.find((each) => each === name)
  return kind === undefined ? undefined : placeDocument(entry, workspace, kind)
}

// A name directly in a workspace.
function placeMember({ path, kind }: Entry, workspace: string, name: string): Place {
  const role = dataFiles.get(name)
  if (kind === 'folder') return folderNames.includes(name) ? undefined : unknownName(name)
  if (role !== undefined) return kind === 'file' ? { path, workspace, role } : notRegular
  if (/^readme(?:\.\w+)?$/iu.test(name)) return undefined
  const canonical = name.toLowerCase().replace(/\.yaml$/u, '.yml')
  if (!dataFiles.has(canonical)) return unknownName(name)
  return ignoredFile('A file with this name is ignored.', `Rename it to "${canonical}".`)
}

// A name in `posts`, at any depth, or directly in one of the other folders.
function placeDocument(entry: Entry, workspace: string, of: ResourceKind): Place {
  const { path, kind } = entry
  if (kind === 'folder') return of === 'posts' ? undefined : noSubFolders(of)
  if (!/\.(?:md|markdown|mdx)$/u.test(path)) {
    if (/\.(?:md|markdown|mdx|mdown|mkd)$/iu.test(path)) return otherExtension
    return of === 'posts' || of === 'authors' ? placeImage(entry, workspace) : undefined
  }
  // Hugo's section page.
  if (/(?:^|\/)_index\.\w+$/u.test(path)) return sectionPage
  return kind === 'file' ? { path, workspace, role: { kind: 'document', of } } : notRegular
}

// Other files may be next to posts for any reason.
function placeImage({ path, kind }: Entry, workspace: string): Place {
  const isImage = kind === 'file' && imageExtension(path) !== null
  return isImage ? { path, workspace, role: { kind: 'image' } } : undefined
}

const link: Problem = {
  code: 'ignored-link',
  severity: 'warning',
  message: 'Symbolic links are not followed.',
  hint: 'Put the file or folder itself here.',
}

const notRegular = unreadable('it is not a regular file')

const otherExtension = ignoredFile(
  'Only files that end in ".md", ".markdown" or ".mdx" are read.',
  'Rename it to end in ".md".',
)

const sectionPage = ignoredFile(
  'The page of a section is not a post, and is ignored.',
  'Rename it, or take it out of "posts".',
)

function ignoredFile(message: string, hint: string): Problem {
  return { code: 'ignored-file', severity: 'warning', message, hint }
}

function noSubFolders(of: ResourceKind): Problem {
  const message = `Only "posts" may have sub-folders; nothing in this folder is read.`
  const hint = `Move the files up into "${of}".`
  return { code: 'unknown-entry', severity: 'warning', message, hint }
}

function unknownName(name: string): Problem {
  // The same message for all names, so that it is printed once; the path has the name.
  const message = 'This is not part of a workspace and is ignored.'
  return { code: 'unknown-entry', severity: 'warning', message, hint: hintFor(name) }
}

function hintFor(name: string): string {
  if (folderNames.includes(name)) return 'It must be a folder.'
  if (knownNames.includes(name)) return 'It must be a file.'
  const near = nearest(name.toLowerCase(), knownNames)
  return near === undefined
    ? `A workspace can contain ${knownNames.join(', ')}.`
    : `Did you mean "${near}"?`
}
