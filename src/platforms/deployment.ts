// A deployment to a host: which program, which data and which configuration, as a description that one place
// writes down. Knows neither the disk nor any host.
import { bundleFolder } from '../api/bundle.ts'
import { mediaFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import type { Version } from '../api/request.ts'
import { isServedFile } from '../api/served-files.ts'
import type { FileEntry } from '../emit/file-entries.ts'
import type { Manifest } from '../emit/manifest.ts'

/** The modules next to a program: for feeds, and for agents where `QUARRY_MCP` is `on`. It loads each when it needs it. */
export const programParts = ['feeds.mjs', 'mcp.mjs'] as const

/** A host's deployment. Paths are relative, with `/`. */
export interface HostDeployment {
  /** Where it is written, next to the output folder. */
  readonly folder: string
  /** Where the host's program goes; null where the host runs none of ours. */
  readonly program: string | null
  /** Which files of the build it holds, and where. */
  readonly data: DeploymentData
  /** Where images go, as they are named below `/media`; null where the host cannot give them from here. */
  readonly media: string | null
  /** Where files of v1 go that the host serves without the function; null where the function gives all responses. */
  readonly responses: string | null
  /** Where precomputed responses go that the function reads instead of its index. @default it is given none */
  readonly stored?: string
  /** Configuration, by path. */
  readonly texts: Readonly<Record<string, string>>
  /** Texts about the build itself, by path. @param aliases files under old names; a host of files alone has some */
  readonly textsOf?: (
    manifest: Manifest,
    aliases?: readonly DataFile[],
  ) => Readonly<Record<string, string>>
  /** The command that deploys it, as it is typed next to the output folder. */
  readonly next: string
  /** The missing abilities, each as it ends `It cannot …`; none for hosts that run the function. */
  readonly cannot?: readonly string[]
}

/** The function's files as they are, cut into parts, or in a bucket; the responses of v1 as files; or nothing at all. */
export type DeploymentData =
  | { readonly form: 'whole'; readonly folder: string }
  | { readonly form: 'parts'; readonly folder: string; readonly partBytes: number }
  | { readonly form: 'responses'; readonly folder: string }
  | { readonly form: 'bucket' }
  | { readonly form: 'none' }

/** A file of a build that a deployment takes over. */
export interface DataFile {
  /** Below the output folder. */
  readonly path: string
  /** Below the deployment's folder of data, or of images. */
  readonly name: string
  readonly entry: FileEntry
}

/** Which files of a build a deployment holds. Files under `private` are never among them. */
export function dataFiles({ form }: DeploymentData, { files }: Manifest): readonly DataFile[] {
  if (form === 'none' || form === 'bucket') return []
  const root = form === 'responses' ? versionRoots.v1 : bundleFolder
  return (
    [...files]
      .filter(([path]) => path.startsWith(`${root}/`))
      // `public/v1/…` stays `v1/…`, `function/…` is left without its folder.
      .map(([path, entry]) => ({ path, name: path.slice(path.indexOf('/') + 1), entry }))
  )
}

/**
 * Which files of v1 a deployment holds for its host to serve without the function. A file that is not among them is
 * the function's to answer: lists of a workspace with scheduled posts, so that they change on time.
 */
export function responseFiles(
  { responses }: Pick<HostDeployment, 'responses'>,
  manifest: Manifest,
): readonly DataFile[] {
  return responses === null ? [] : servedFiles('v1', manifest)
}

/** The files of a version that stay true until the next build, named `v1/…` or `v2/…`. */
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

/** Which images of a build a deployment holds. Closed workspaces have none. */
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

/** JSON as a configuration file holds it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
