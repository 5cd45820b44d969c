// Reads a content folder whole: finds the files, reads them side by side, puts them together by workspace.
// Knows nothing of what front matter means.
import { realpath, stat } from 'node:fs/promises'
import pMap from 'p-map'
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { ListingFileSystem } from './entries.ts'
import { listEntries } from './entries.ts'
import { readDocument } from './front-matter.ts'
import { readKeysText } from './keys-file.ts'
import type { PlannedFile } from './layout.ts'
import { planReading } from './layout.ts'
import type { RawContent, RawDocument, RawWorkspace, RawYaml } from './raw.ts'
import { explainSystemError, readTextFile } from './read-file.ts'
import { diagnoseAt, FILE_START } from './source.ts'
import { readYaml } from './yaml-file.ts'

/** How the content folder is read. */
export interface ReadOptions {
  /** How folders are listed, default Node's file system. */
  readonly fs?: ListingFileSystem
}

/** There is no content folder at the path that was given. */
export class ContentFolderError extends Error {
  override readonly name = 'ContentFolderError'
  /** As it was given. */
  readonly path: string

  constructor(path: string, found: string) {
    super(`Expected a content folder at "${path}", but ${found}.`)
    this.path = path
  }
}

/**
 * All workspaces below a folder, and every problem found on the way.
 *
 * Links are never followed and nothing outside the folder is read, even if it changes meanwhile.
 *
 * @param root the content folder; may itself be a link
 * @throws ContentFolderError when `root` is no folder
 */
export async function readContent(root: string, options: ReadOptions = {}): Promise<RawContent> {
  const folder = await resolveFolder(root)
  const listing = await listEntries(folder, options.fs)
  const layout = planReading(listing.entries)
  const read = (file: PlannedFile): Promise<Outcome> => readPlanned(folder, file)
  const outcomes = await pMap(layout.files, read, { concurrency: MAX_OPEN_FILES })
  const diagnostics = [listing, layout, ...outcomes].flatMap((it) => it.diagnostics)
  const isEmpty = layout.workspaces.length === 0 && listing.diagnostics.length === 0
  return {
    workspaces: assemble(layout.workspaces, outcomes),
    diagnostics: isEmpty ? [...diagnostics, noWorkspace()] : diagnostics,
  }
}

/**
 * A content folder's true path, free of links.
 *
 * @throws ContentFolderError when `root` is no folder
 */
export async function resolveFolder(root: string): Promise<string> {
  const stats = await stat(root).catch((error: unknown) => {
    throw new ContentFolderError(root, explainSystemError(error))
  })
  if (!stats.isDirectory()) throw new ContentFolderError(root, 'it is a file')
  return realpath(root)
}

// Far below what systems allow, as there are other files open; more are no faster.
const MAX_OPEN_FILES = 64

/** A planned file, read as what it is. */
interface Outcome {
  readonly file: PlannedFile
  readonly document?: RawDocument
  readonly yaml?: RawYaml
  readonly diagnostics: readonly Diagnostic[]
}

async function readPlanned(folder: string, file: PlannedFile): Promise<Outcome> {
  const text = await readTextFile(folder, file.path)
  if (text.value === undefined) return { file, diagnostics: text.diagnostics }
  if (file.role.kind === 'document') {
    const { value, diagnostics } = readDocument(file.path, text.value)
    return value === undefined ? { file, diagnostics } : { file, document: value, diagnostics }
  }
  const parse = file.role.kind === 'keys' ? readKeysText : readYaml
  const { value, diagnostics } = parse(file.path, text.value)
  return value === undefined ? { file, diagnostics } : { file, yaml: value, diagnostics }
}

function assemble(ids: readonly string[], outcomes: readonly Outcome[]): readonly RawWorkspace[] {
  const byWorkspace = new Map<string, Outcome[]>(ids.map((id) => [id, []]))
  for (const outcome of outcomes) byWorkspace.get(outcome.file.workspace)?.push(outcome)
  return [...byWorkspace].map(([id, own]) => assembleWorkspace(id, own))
}

function assembleWorkspace(id: string, outcomes: readonly Outcome[]): RawWorkspace {
  const lists = new Map<ResourceKind, RawYaml>()
  const documents = new Map<ResourceKind, RawDocument[]>(resourceKinds.map((kind) => [kind, []]))
  const unreadable = new Map<ResourceKind, string[]>(resourceKinds.map((kind) => [kind, []]))
  for (const { file, yaml, document } of outcomes) {
    const { role } = file
    if (!('of' in role)) continue
    if (yaml !== undefined) lists.set(role.of, yaml)
    else if (document !== undefined) documents.get(role.of)?.push(document)
    else unreadable.get(role.of)?.push(file.path)
  }
  const settings = outcomes.find(({ file }) => file.role.kind === 'settings')?.yaml
  const keys = outcomes.find(({ file }) => file.role.kind === 'keys')?.yaml
  return {
    id,
    ...(settings === undefined ? {} : { settings }),
    ...(keys === undefined ? {} : { keys }),
    lists,
    documents,
    unreadable,
  }
}

function noWorkspace(): Diagnostic {
  return diagnoseAt('.', FILE_START, {
    code: 'no-workspace',
    message: 'The content folder holds no workspace.',
    hint: 'Make a folder for one, with posts in it: "my-blog/posts/hello.md".',
  })
}
