// Groups read files by workspace.
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { Diagnostic, Problem } from '../diagnostics.ts'
import { readKeysText } from './keys-file.ts'
import type { PlannedFile } from './layout.ts'
import { foldersOf, type Mount } from './mounts.ts'
import type { RawDocument, RawWorkspace, RawYaml } from './raw.ts'
import { readScannedText, unread } from './read-file.ts'
import type { MountPath } from './relative-path.ts'
import { readYaml } from './yaml.ts'

/** A planned file with its parsed content; without either if it could not be parsed. */
export interface ReadFile extends PlannedFile {
  readonly document?: RawDocument
  readonly yaml?: RawYaml
  /** SHA-256 of an image, hexadecimal, or its read error. */
  readonly content?: string | Problem
  readonly diagnostics: readonly Diagnostic[]
}

/** @param ids of workspaces, which may have no files @param files by path in code unit order */
export function assembleWorkspaces(
  ids: readonly string[],
  files: readonly ReadFile[],
  mounts: readonly Mount[],
): readonly RawWorkspace[] {
  const byWorkspace = new Map<string, ReadFile[]>(ids.map((id) => [id, []]))
  for (const file of files) byWorkspace.get(file.workspace)?.push(file)
  const shared = files.filter(({ workspace }) => workspace === '')
  return [...byWorkspace].map(([id, own]) => assembleWorkspace(id, [...own, ...shared], mounts))
}

function assembleWorkspace(
  id: string,
  files: readonly ReadFile[],
  mounts: readonly Mount[],
): RawWorkspace {
  const lists = new Map<ResourceKind, RawYaml[]>(resourceKinds.map((kind) => [kind, []]))
  const entries = new Map<ResourceKind, RawYaml[]>(resourceKinds.map((kind) => [kind, []]))
  const documents = new Map<ResourceKind, RawDocument[]>(resourceKinds.map((kind) => [kind, []]))
  const unreadable = new Map<ResourceKind, string[]>(resourceKinds.map((kind) => [kind, []]))
  const images = new Map<string, string | Problem>()
  for (const { path, role, yaml, document, content } of files) {
    if (role.kind === 'image' && content !== undefined) images.set(path, content)
    if (!('of' in role)) continue
    const data = role.kind === 'entry' ? entries : lists
    if (yaml !== undefined) data.get(role.of)?.push(yaml)
    else if (document !== undefined) documents.get(role.of)?.push(document)
    else unreadable.get(role.of)?.push(path)
  }
  const settings = files.find(({ role }) => role.kind === 'settings')
  return {
    id,
    ...only(files, 'settings'),
    hasBrokenSettings: settings !== undefined && settings.yaml === undefined,
    ...only(files, 'keys'),
    lists,
    entries,
    folders: {
      posts: foldersOf(id, 'posts', mounts),
      media: foldersOf(id, 'media', mounts),
      authors: foldersOf(id, 'authors', mounts),
      roots: mounts.filter(({ part }) => part === 'root').map(({ path }) => path),
    },
    documents,
    unreadable,
    images,
  }
}

/**
 * Returns the only file of a kind. A mounted file takes precedence over that of the folder, as its path sorts first.
 */
function only(
  files: readonly ReadFile[],
  kind: 'settings' | 'keys',
): Pick<RawWorkspace, typeof kind> {
  const yaml = files.find(({ role }) => role.kind === kind)?.yaml
  return yaml === undefined ? {} : { [kind]: yaml }
}

/** A file to read. */
export interface ScannedFile extends PlannedFile {
  /** SHA-256 of its bytes, hexadecimal, or its read error. */
  readonly content: string | Problem
}

/** Parses a scanned file. Images are read when they are published. */
export function readDataFile(
  folder: { readonly root: string; readonly mounts: readonly MountPath[] },
  scanned: ScannedFile,
): ReadFile {
  const { path, content, role } = scanned
  // A problem with an image is reported in the posts that show it.
  if (role.kind === 'image') return { ...scanned, diagnostics: [] }
  if (typeof content !== 'string') return { ...scanned, ...unread(path, content) }
  const text = readScannedText(folder, { path, content })
  if (text.value === undefined) return { ...scanned, diagnostics: text.diagnostics }
  const { value, diagnostics } = (role.kind === 'keys' ? readKeysText : readYaml)(path, text.value)
  return { ...scanned, ...(value === undefined ? {} : { yaml: value }), diagnostics }
}
