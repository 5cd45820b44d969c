// Files that a build of one workspace keeps from the last build: those of all other workspaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BundleContents,
  type BundledWorkspace,
  bundleFolder,
  filesOfIndex,
  indexName,
  type WorkspaceContents,
} from '../api/bundle.ts'
import { splitHeaded } from '../query/headed-sections.ts'
import { decodeIndexFile, IndexFileError } from '../query/index-file.ts'
import type { SectionTable } from '../query/sections.ts'
import { contentHash } from './blocks.ts'
import type { FileEntries, FileEntry } from './file-entries.ts'
import type { Manifest } from './manifest.ts'
import { OutputError } from './output-error.ts'
import { isInFoldersOf } from './part-of-build.ts'

/** The last build without one of its workspaces. */
export interface CarriedBuild {
  /** The workspace that is left out. */
  readonly without: string
  /** Entries in the root, by id in code unit order. */
  readonly workspaces: readonly BundledWorkspace[]
  /** Entries in the manifest. */
  readonly counts: Manifest['workspaces']
  /** In upload order. */
  readonly files: FileEntries
}

/**
 * Reads the entries of the other workspaces in an output folder. Reads only their indexes, not their other files.
 *
 * @param workspace the workspace that is left out
 * @throws OutputError if an index is not as the build wrote it; system errors
 */
export async function carryOthers(
  out: string,
  manifest: Manifest,
  workspace: string,
): Promise<CarriedBuild> {
  const folder = join(out, bundleFolder)
  const root = await readRoot(join(folder, indexName))
  if (root.build !== manifest.build) throw damaged(join(folder, indexName))
  const workspaces = root.workspaces.filter(({ id }) => id !== workspace)
  const bundled = new Set(
    workspaces.flatMap(({ index }) => [index, ...readIndexFiles(folder, index)]),
  )
  const isOwn = isInFoldersOf(workspace)
  const files = new Map<string, FileEntry>()
  for (const [path, entry] of manifest.files) {
    const isCarried = path.startsWith(`${bundleFolder}/`)
      ? bundled.has(path.slice(bundleFolder.length + 1))
      : isOfWorkspace(path) && !isOwn(path)
    if (isCarried) files.set(path, entry)
  }
  const counts = Object.entries(manifest.workspaces).filter(([id]) => id !== workspace)
  return { without: workspace, workspaces, counts: Object.fromEntries(counts), files }
}

async function readRoot(file: string): Promise<BundleContents<SectionTable>> {
  try {
    return (await decodeIndexFile<BundleContents<SectionTable>>(readFileSync(file))).head
  } catch (error) {
    throw error instanceof IndexFileError ? damaged(file) : error
  }
}

/** False for the explorer and the OpenAPI document of the site: they are directly in `public`. */
function isOfWorkspace(path: string): boolean {
  return path.indexOf('/') !== path.lastIndexOf('/')
}

/** Returns the files that the index of a workspace names. */
function readIndexFiles(folder: string, name: string): readonly string[] {
  const bytes = readFileSync(join(folder, name))
  if (!name.endsWith(`/${contentHash(bytes)}.bin`)) throw damaged(join(folder, name))
  return filesOfIndex(splitHeaded<WorkspaceContents<SectionTable>>(bytes).head)
}

function damaged(file: string): OutputError {
  return new OutputError(
    `${file} is not as the last build wrote it. Build all workspaces first, without --workspace.`,
  )
}
