// Writes the deployment of a build for a host, and removes deployments of earlier builds of the same output folder.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requestOfFile } from '../api/paths.ts'
import { versions } from '../api/request.ts'
import { costOf } from '../api/work.ts'
import { explainError, OutputError, writeNewFile } from '../build/disk.ts'
import type { Manifest } from '../build/manifest.ts'
import { listFiles } from '../build/output.ts'
import { type HostName, hostNames } from '../config/names.ts'
import { encodeResponse, responseFile, responseKey } from '../runtime/replies.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import {
  aliasFiles,
  browserFiles,
  countOpen,
  type DataFile,
  deployments,
  filesBelow,
  jsonText,
  mediaFiles,
  readBuilt,
  responseFiles,
  routedFiles,
  servedFiles,
} from './deployments.ts'

/** A build in its output folder, whose path is absolute. */
export type BuiltFolder = Readonly<{ out: string; manifest: Manifest }>

/** A written deployment. */
export interface Deployed {
  readonly host: HostName
  /** Absolute path. */
  readonly folder: string
  /** Sizes in bytes, by path relative to `folder`; without the mark. */
  readonly files: ReadonlyMap<string, number>
}

/** The file that names the build of a deployment. It also marks the folder as written by quarry. */
const deploymentMark = 'deployment.json'

/** Modules next to a program that are loaded on demand: feeds, and agents if `QUARRY_MCP` is `on`. */
const programParts = ['feeds.mjs', 'mcp.mjs']

/** Maximum size of a precomputed response, in bytes. Larger responses are sent in pieces, which saves memory. */
const responseBytesMax = 4 * 1024 * 1024

/**
 * Writes the whole deployment for a host into a folder next to the output folder. The same build always gives the
 * same bytes.
 *
 * @throws OutputError when the build exceeds the limits of all plans or must not be served by this host, when the
 *   folder contains foreign files, when another build has replaced that of the manifest, or on a system error
 */
export function deploy(host: HostName, built: BuiltFolder): Deployed {
  const { out, manifest } = built
  const description = deployments[host]
  const folder = join(dirname(out), description.folder)
  if (description.program === null && countOpen(manifest) === 0) {
    throw new OutputError(
      `${host} cannot serve this site: every workspace is private (v1: private).`,
    )
  }
  if (existsSync(folder) && readdirSync(folder).length > 0 && readMark(folder) === null)
    throw new OutputError(
      `${folder} contains files that quarry did not write. Move them elsewhere.`,
    )
  const fresh = join(dirname(folder), `.${basename(folder)}.${process.pid}.new`)
  try {
    const files = writeFiles(fresh, host, built)
    const served = [description.media, description.responses]
    let bytes = 0
    for (const [path, size] of files)
      if (!served.some((below) => path.startsWith(`${below}/`))) bytes += size
    checkLimits(host, { files: files.size, bytes })
    const old = `${fresh}.old`
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(fresh, folder)
    rmSync(old, { recursive: true, force: true })
    return { host, folder, files }
  } catch (error) {
    throw explainError(error, 'The last deployment is unchanged.')
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Writes all files of a deployment into a new folder. @returns their sizes by path */
function writeFiles(
  fresh: string,
  host: HostName,
  built: BuiltFolder,
): ReadonlyMap<string, number> {
  const { out, manifest } = built
  const files = new Map<string, number>()
  for (const [path, source] of filesOf(host, built)) {
    const place = join(fresh, path)
    mkdirSync(dirname(place), { recursive: true })
    const isBuilt = typeof source === 'object' && 'entry' in source
    const bytes = isBuilt ? readBuilt(out, source) : Buffer.from(source)
    files.set(path, bytes.length)
    try {
      // Creates a hard link if the file system supports links.
      if (isBuilt) linkSync(join(out, source.path), place)
    } catch {}
    if (!existsSync(place)) writeNewFile(place, bytes)
  }
  const mark: DeploymentMark = { quarry: 1, host, root: rootOf(manifest), out: basename(out) }
  writeNewFile(join(fresh, deploymentMark), Buffer.from(jsonText(mark)))
  return files
}

/** Yields the files of a deployment by path: files of the build, and others. */
function* filesOf(
  host: HostName,
  { out, manifest }: BuiltFolder,
): Generator<readonly [path: string, DataFile | Uint8Array | string]> {
  const { program, data, media, responses, hasStored, texts } = deployments[host]
  const aliases = program === null ? aliasFiles(out, manifest) : []
  const below = (folder: string, files: readonly DataFile[]) =>
    files.map((file) => [`${folder}/${file.name}`, file] as const)
  if (program === null)
    yield* below(data, [...responseFiles('v1', manifest), ...browserFiles(manifest), ...aliases])
  else {
    const fixed = fileURLToPath(new URL(`../../examples/hosts/${host}`, import.meta.url))
    const read = (name: string) =>
      readFileSync(createRequire(import.meta.url).resolve(`#functions/${name}`))
    yield [program, read(`${host}-entry.js`)]
    for (const name of programParts) yield [posix.join(posix.dirname(program), name), read(name)]
    for (const path of listFiles(fixed)) yield [path, readFileSync(join(fixed, path))]
    yield* below(data, filesBelow(functionFolder, manifest))
  }
  if (media !== null) yield* below(media, mediaFiles(manifest))
  if (responses !== undefined) yield* below(responses, routedFiles(manifest))
  if (hasStored === true)
    for (const [name, bytes] of storedResponses({ out, manifest })) yield [`${data}/${name}`, bytes]
  yield* Object.entries(texts?.(manifest, aliases) ?? {})
}

/** Yields the responses that stay valid until the next build, by file name. Both versions have equal bodies. */
function* storedResponses({
  out,
  manifest,
}: BuiltFolder): Generator<readonly [string, Uint8Array]> {
  const seen = new Set<string>()
  for (const file of versions.flatMap((version) => servedFiles(version, manifest))) {
    const request = requestOfFile(file.path)
    const key = request === null ? null : responseKey(request)
    const { etag, bytes } = file.entry
    if (request === null || key === null || etag === undefined) continue
    if (bytes > responseBytesMax || seen.has(key)) continue
    seen.add(key)
    const isAll = request.parameters.limit === 'all'
    const posts = isAll ? (manifest.workspaces[request.workspace]?.posts ?? 0) : 0
    const head = { etag, cost: costOf({ posts, body: bytes }) }
    yield [responseFile(key), encodeResponse(key, head, readBuilt(out, file))]
  }
}

/**
 * Removes the deployments of earlier builds of the same output folder, so that no deployment keeps a withdrawn post.
 *
 * @param but the host whose deployment is written next
 * @returns the removed folders
 */
export function removeOutdated(
  { out, manifest }: BuiltFolder,
  but: HostName | undefined,
): readonly Pick<Deployed, 'host' | 'folder'>[] {
  const outdated = hostNames
    .map((host) => ({ host, folder: join(dirname(out), deployments[host].folder) }))
    .filter(({ host, folder }) => {
      const mark = readMark(folder)
      const isOurs = mark?.host === host && mark.out === basename(out)
      return host !== but && isOurs && mark.root !== rootOf(manifest)
    })
  for (const { folder } of outdated) rmSync(folder, { recursive: true })
  return outdated
}

/** The source of a deployment. */
interface DeploymentMark {
  readonly quarry: 1
  readonly host: HostName
  /** SHA-256 of the root. Unlike the build's id, it changes with drafts. */
  readonly root: string | undefined
  /** The name of the output folder, a sibling of the deployment. */
  readonly out: string
}

function rootOf({ files }: Manifest): string | undefined {
  return files.get(`${functionFolder}/${rootName}`)?.sha256
}

/** Reads the mark of a deployment; null for a folder that quarry did not write. */
function readMark(folder: string): DeploymentMark | null {
  try {
    const mark: DeploymentMark = JSON.parse(readFileSync(join(folder, deploymentMark), 'utf8'))
    return mark.quarry === 1 ? mark : null
  } catch {
    return null
  }
}

/**
 * @param size number of files, and bytes of the function, without files that the host serves itself
 * @throws OutputError when a deployment exceeds the limit of its host
 */
export function checkLimits(host: HostName, size: { files: number; bytes: number }): void {
  const { limit } = deployments[host]
  if (limit === undefined || size[limit.unit] <= limit.max) return
  const amount = (value: number) =>
    limit.unit === 'files'
      ? `${value.toLocaleString('en')} files`
      : `${(value / 1e6).toFixed(1)} MB`
  throw new OutputError(
    `The site is too large for ${host}: it needs ${amount(size[limit.unit])}, and at most ${amount(limit.max)} are allowed (${limit.source}). Write fewer files with \`precompute\`, build workspaces separately, or choose another host. The build itself is complete.`,
  )
}
