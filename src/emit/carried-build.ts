// The files that a build of one workspace takes over from the last build: all those of the other workspaces.
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
  /** The one that is left out. */
  readonly without: string
  /** As the root has them, by id in code unit order. */
  readonly workspaces: readonly BundledWorkspace[]
  /** As the manifest has them. */
  readonly counts: Manifest['workspaces']
  /** In the order of upload. */
  readonly files: FileEntries
}

/**
 * Reads what the other workspaces have in an output folder. Their files are not looked at, but for their indexes.
 *
 * @param workspace the one that is left out
 * @throws OutputError when an index is not as the build wrote it; Error of the system
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

/** False for the page and the document of the whole site: they are directly in `public`. */
function isOfWorkspace(path: string): boolean {
  return path.indexOf('/') !== path.lastIndexOf('/')
}

/** The files that the index of a workspace names. */
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
