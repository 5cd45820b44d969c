// Describes a deployment to a host: program, data and configuration. Touches neither the disk nor any host.

import { isServedFile, mediaFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import type { Version } from '../api/request.ts'
import type { FileEntry, Manifest } from '../build/manifest.ts'
import { functionFolder } from '../snapshot/format.ts'

/** Modules next to a program, loaded on demand: feeds, and agents when `QUARRY_MCP` is `on`. */
export const programParts = ['feeds.mjs', 'mcp.mjs'] as const

/** The deployment to a host. Paths are relative, with `/`. */
export interface HostDeployment {
  /** Output location, a sibling of the output folder. */
  readonly folder: string
  /** Path of the host's program; null for hosts without a function. */
  readonly program: string | null
  /** The files of the build in the deployment, and their location. */
  readonly data: DeploymentData
  /** Folder of images, named as below `/media`; null when the host cannot serve them from the deployment. */
  readonly media: string | null
  /** Folder of v1 files that the host serves without the function; null when the function serves every response. */
  readonly responses: string | null
  /** Folder of precomputed responses that the function reads instead of its index. @default the function has none */
  readonly stored?: string
  /** Configuration files, by path. */
  readonly texts: Readonly<Record<string, string>>
  /** Texts that depend on the build, by path. @param aliases files under old slugs, on hosts without a function */
  readonly textsOf?: (
    manifest: Manifest,
    aliases?: readonly DataFile[],
  ) => Readonly<Record<string, string>>
  /** The deploy command, to be run next to the output folder. */
  readonly next: string
  /** Missing features, each completing `It cannot …`; none for hosts with a function. */
  readonly cannot?: readonly string[]
}

/** The function's files unchanged, or cut into parts; or the v1 responses as files. */
export type DeploymentData =
  | { readonly form: 'whole'; readonly folder: string }
  | { readonly form: 'parts'; readonly folder: string; readonly partBytes: number }
  | { readonly form: 'responses'; readonly folder: string }

/** A file of a build that a deployment includes. */
export interface DataFile {
  /** Relative to the output folder. */
  readonly path: string
  /** Relative to the deployment's folder of data, or of images. */
  readonly name: string
  readonly entry: FileEntry
}

/** The files of a build that a deployment includes, never those under `private`. */
export function dataFiles(
  { form }: Pick<DeploymentData, 'form'>,
  { files }: Manifest,
): readonly DataFile[] {
  const root = form === 'responses' ? versionRoots.v1 : functionFolder
  return (
    [...files]
      .filter(([path]) => path.startsWith(`${root}/`))
      // `public/v1/…` becomes `v1/…`; `function/…` loses its folder.
      .map(([path, entry]) => ({ path, name: path.slice(path.indexOf('/') + 1), entry }))
  )
}

/**
 * The v1 files that the host serves without the function. The function answers for all other files: lists of a
 * workspace with scheduled posts must change on time.
 */
export function responseFiles(
  { responses }: Pick<HostDeployment, 'responses'>,
  manifest: Manifest,
): readonly DataFile[] {
  return responses === null ? [] : servedFiles('v1', manifest)
}

/** The files of a version that stay valid until the next build, named `v1/…` or `v2/…`. */
export function servedFiles(version: Version, manifest: Manifest): readonly DataFile[] {
  const root = `${versionRoots[version]}/`
  const served: DataFile[] = []
  for (const [path, entry] of manifest.files) {
    if (!path.startsWith(root)) continue
    const request = requestOfFile(path)
    const workspace = request === null ? undefined : manifest.workspaces[request.workspace]
    if (request === null || workspace === undefined) continue
    if (!isServedFile(request, workspace)) continue
    served.push({ path, name: path.slice(path.indexOf('/') + 1), entry })
  }
  return served
}

/** The images of a build that a deployment includes. Closed workspaces have none. */
export function mediaFiles(
  { media }: Pick<HostDeployment, 'media'>,
  { files }: Manifest,
): readonly DataFile[] {
  if (media === null) return []
  const root = `${mediaFolder}/`
  return [...files]
    .filter(([path]) => path.startsWith(root))
    .map(([path, entry]) => ({ path, name: path.slice(root.length), entry }))
}

/** Formats JSON for a configuration file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
