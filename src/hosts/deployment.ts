// What a deployment is, and the files of a build in it. Files that a host serves without the function are those of
// `servedFiles`: nothing else decides between a file and the function.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  browserFolder,
  browserPrograms,
  isServedFile,
  mediaFolder,
  publicFolder,
  requestOfFile,
  versionRoots,
} from '../api/paths.ts'
import type { Version } from '../api/request.ts'
import { OutputError } from '../build/disk.ts'
import type { FileEntry, Manifest } from '../build/manifest.ts'

/** The deployment to a host. Paths are relative, with `/`. */
export interface HostDeployment {
  /** Output location, a sibling of the output folder. */
  readonly folder: string
  /** Path of the host's program; null for hosts without a function, which get all v1 responses as files. */
  readonly program: string | null
  /** Folder of the function's files, or of the v1 responses. */
  readonly data: string
  /** Folder of images, named as below `/media`; null when the host cannot serve them from the deployment. */
  readonly media: string | null
  /** Folder of v1 files that the host serves without the function. @default the function serves every response */
  readonly responses?: string
  /** True when the function has precomputed responses, which it reads instead of its index. */
  readonly hasStored?: boolean
  /**
   * Returns files that depend on the build, by path; others are in `examples/hosts`.
   *
   * @param aliases files under old slugs, on hosts without a function
   */
  readonly texts?: (manifest: Manifest, aliases: readonly DataFile[]) => Record<string, string>
  /** The deploy command, to be run next to the output folder. */
  readonly next: string
}

/** A file of a build that a deployment includes. */
export interface DataFile {
  /** Relative to the output folder. */
  readonly path: string
  /** Relative to the deployment's folder of data, or of images. */
  readonly name: string
  readonly entry: FileEntry
}

/** The images of a build. Closed workspaces have none. */
export function mediaFiles(manifest: Manifest): readonly DataFile[] {
  return filesBelow(mediaFolder, manifest)
}

/** The public view and the functions for browsers, named as below the public folder. */
export function browserFiles(manifest: Manifest): readonly DataFile[] {
  const programs: readonly string[] = browserPrograms
  return filesBelow(publicFolder, manifest).filter(
    ({ path, name }) => path.startsWith(`${browserFolder}/`) || programs.includes(name),
  )
}

/** All response files of a version, named `v1/…` or `v2/…`. */
export function responseFiles(version: Version, manifest: Manifest): readonly DataFile[] {
  const root = versionRoots[version]
  return filesBelow(root, manifest, root.indexOf('/'))
}

/**
 * The response files of a version that stay valid until the next build. The function answers for all others: lists of a
 * workspace with scheduled posts must change on time.
 */
export function servedFiles(version: Version, manifest: Manifest): readonly DataFile[] {
  return responseFiles(version, manifest).filter(({ path }) => {
    const request = requestOfFile(path)
    const workspace = manifest.workspaces[request?.workspace ?? '']
    // The path of a text is that of no canonical request.
    if (request === null || workspace === undefined || path.endsWith('.md')) return false
    const { collections = {} } = workspace
    const own = collections[request.collection ?? '']
    const isLate = Object.values(collections).some(
      (each) => each.scheduled + (each.expiring ?? 0) > 0,
    )
    const isOfAll = request.resource === 'collections' || (request.resource === 'changes' && isLate)
    const rows = isOfAll ? { scheduled: Number(isLate) } : own
    return isServedFile(request, { ...workspace, ...(rows && { expiring: 0, ...rows }) })
  })
}

/** The response files that routes of a host can name: the paths and orders of items differ by collection. */
export function routedFiles(manifest: Manifest): readonly DataFile[] {
  return servedFiles('v1', manifest).filter(({ path }) => requestOfFile(path)?.resource !== 'items')
}

/** @param cut length of the beginning that names omit, without the slash after it */
export function filesBelow(
  folder: string,
  { files }: Manifest,
  cut: number = folder.length,
): readonly DataFile[] {
  return [...files]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, entry]) => ({ path, name: path.slice(cut + 1), entry }))
}

/** Formats JSON for a configuration file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Reads a file of a build. @throws OutputError when the file belongs to another build */
export function readBuilt(out: string, { path, entry }: DataFile): Uint8Array {
  const from = join(out, path)
  const bytes = readFileSync(from)
  if (hash('sha256', bytes) === entry.sha256) return bytes
  throw new OutputError(`${from} has been replaced by another build. Run the command again.`)
}
