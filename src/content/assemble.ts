// Groups read files by workspace.
import type { Problem } from '../diagnostics.ts'
import { readCsv } from './csv.ts'
import { readKeysText } from './keys-file.ts'
import type { Mount } from './mounts.ts'
import type { PlacedSource } from './own-sources.ts'
import type { PlannedFile, RawWorkspace, ReadFile } from './raw.ts'
import { dataBytesMax, readScannedText, unread } from './read-file.ts'
import { readYaml } from './yaml.ts'

/** @param ids of workspaces, which may have no files @param files by path in code unit order */
export function assembleWorkspaces(
  ids: readonly string[],
  files: readonly ReadFile[],
  mounts: readonly Mount[],
  sources: readonly PlacedSource[] = [],
): readonly RawWorkspace[] {
  const byWorkspace = new Map<string, ReadFile[]>(['', ...ids].map((id) => [id, []]))
  for (const file of files) byWorkspace.get(file.workspace)?.push(file)
  return ids.map((id) => {
    const mounted = (workspace: string, part: Mount['part']) =>
      mounts
        .filter((mount) => mount.workspace === workspace && mount.part === part)
        .map(({ path }) => path)
    const folders = {
      posts: [`${id}/posts`, ...mounted(id, 'posts')],
      media: [`${id}/media`, ...mounted(id, 'media')],
      authors: [`${id}/authors`, ...mounted(id, 'authors')],
      own: sources.flatMap(({ workspace, path }) => (workspace === id ? `${id}/${path}` : [])),
      roots: mounted('', 'root'),
    }
    return { id, files: [id, ''].flatMap((name) => byWorkspace.get(name) ?? []), folders }
  })
}

/** A file to read. */
export interface ScannedFile extends PlannedFile {
  /** SHA-256 of its bytes, hexadecimal, or its read error. */
  readonly content: string | Problem
}

/** Parses a scanned file. Images are read when they are published. */
export function readDataFile(root: string, scanned: ScannedFile): ReadFile {
  const { path, content, role } = scanned
  // A problem with an image is reported in the posts that show it.
  if (role.kind === 'image') return { ...scanned, diagnostics: [] }
  if (typeof content !== 'string') return { ...scanned, ...unread(path, content) }
  const isOwn = role.kind === 'list' && 'name' in role
  const text = readScannedText(root, path, content, isOwn ? dataBytesMax : undefined)
  if (text.value === undefined) return { ...scanned, diagnostics: text.diagnostics }
  const read = role.kind === 'keys' ? readKeysText : path.endsWith('.csv') ? readCsv : readYaml
  const { value, diagnostics } = read(path, text.value)
  return { ...scanned, ...(value === undefined ? {} : { yaml: value }), diagnostics }
}
