// Puts files that were read together by workspace.
// Knows nothing of how they were read, nor of what front matter means.
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { PlannedFile } from './layout.ts'
import type { RawDocument, RawWorkspace, RawYaml } from './raw.ts'
import type { Problem } from './source.ts'

/** A planned file, read as what it is; neither when it could not be made out. */
export interface ReadFile extends PlannedFile {
  readonly document?: RawDocument
  readonly yaml?: RawYaml
  /** Of an image: the SHA-256 of its bytes, hexadecimal, or why it cannot be read. */
  readonly content?: string | Problem
  readonly diagnostics: readonly Diagnostic[]
}

/** @param ids of workspaces; one without files is empty @param files by path in code unit order */
export function assembleWorkspaces(
  ids: readonly string[],
  files: readonly ReadFile[],
): readonly RawWorkspace[] {
  const byWorkspace = new Map<string, ReadFile[]>(ids.map((id) => [id, []]))
  for (const file of files) byWorkspace.get(file.workspace)?.push(file)
  return [...byWorkspace].map(([id, own]) => assembleWorkspace(id, own))
}

function assembleWorkspace(id: string, files: readonly ReadFile[]): RawWorkspace {
  const lists = new Map<ResourceKind, RawYaml>()
  const documents = new Map<ResourceKind, RawDocument[]>(resourceKinds.map((kind) => [kind, []]))
  const unreadable = new Map<ResourceKind, string[]>(resourceKinds.map((kind) => [kind, []]))
  const images = new Map<string, string | Problem>()
  for (const { path, role, yaml, document, content } of files) {
    if (role.kind === 'image' && content !== undefined) images.set(path, content)
    if (!('of' in role)) continue
    if (yaml !== undefined) lists.set(role.of, yaml)
    else if (document !== undefined) documents.get(role.of)?.push(document)
    else unreadable.get(role.of)?.push(path)
  }
  const settings = files.find(({ role }) => role.kind === 'settings')?.yaml
  const keys = files.find(({ role }) => role.kind === 'keys')?.yaml
  return {
    id,
    ...(settings === undefined ? {} : { settings }),
    ...(keys === undefined ? {} : { keys }),
    lists,
    documents,
    unreadable,
    images,
  }
}
