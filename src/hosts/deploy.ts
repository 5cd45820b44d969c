// Writes the deployment of a build for a host, and rewrites those of earlier builds of the same output folder.

import { hash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, posix } from 'node:path'
import { requestOfFile, versionRoots } from '../api/paths.ts'
import { versions } from '../api/request.ts'
import { requestsOf } from '../api/work.ts'
import { OutputError } from '../build/disk.ts'
import { sha256 } from '../build/file-storage.ts'
import { type FileEntry, type Manifest, workspacesBelow } from '../build/manifest.ts'
import { type HostName, hostNames } from '../config/host-names.ts'
import type { Precompute } from '../config/precompute.ts'
import { encodeResponse, responseFile, responseKey } from '../runtime/stored-response.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import { cutFile, partBytesDefault, partName } from './cloudflare.ts'
import {
  type DataFile,
  dataFiles,
  type HostDeployment,
  mediaFiles,
  readBuilt,
  servedFiles,
} from './deployment.ts'
import { deployments } from './deployments.ts'
import { aliasFiles } from './static.ts'

/** A build in its output folder. */
export interface BuiltFolder {
  /** Absolute path. */
  readonly out: string
  readonly manifest: Manifest
  readonly precompute: Precompute
}

/** A written deployment. */
export interface Deployed {
  readonly host: HostName
  /** Absolute path. */
  readonly folder: string
  /** The deploy command, to be run next to the output folder. */
  readonly next: string
  /** By path relative to `folder`, sorted, without the list itself. */
  readonly files: ReadonlyMap<string, DeployedFile>
  /** A sentence for each limit of some plans of the host that it exceeds. */
  readonly warnings: readonly string[]
}

/** A file of a deployment. */
export type DeployedFile = Pick<FileEntry, 'bytes' | 'sha256'>

/** A deployment that still holds an older build. */
export interface LeftBehind {
  readonly host: HostName
  /** Absolute path. */
  readonly folder: string
  /** The reason why it was not updated, as a sentence. */
  readonly reason: string
}

/** The list of a deployment's files and its build. It also marks the folder as written by quarry. */
export const deploymentList = 'deployment.json'

/** Modules next to a program, loaded on demand: feeds, and agents when `QUARRY_MCP` is `on`. */
const programParts = ['feeds.mjs', 'mcp.mjs']

/**
 * Writes a host's deployment into its own folder next to the output folder, as a whole. The same build always gives
 * the same bytes.
 *
 * @throws OutputError when the build exceeds the limits of all plans or must not be served by this host, when the
 *   folder holds foreign files, or when another build has replaced the manifest's
 */
export function deploy(
  host: HostName,
  { out, manifest }: Pick<BuiltFolder, 'out' | 'manifest'>,
): Deployed {
  const description = deployments[host]
  refuseClosed(host, manifest)
  const folder = join(dirname(out), description.folder)
  refuseForeign(folder)
  const stage = join(dirname(folder), `.${basename(folder)}.${process.pid}.stage`)
  try {
    rmSync(stage, { recursive: true, force: true })
    const writer = new Writer(stage, out)
    writeFiles(writer, host, out, manifest)
    const files = new Map([...writer.files].sort(([a], [b]) => (a < b ? -1 : 1)))
    const list = { ...headOf(host, out, manifest), files: Object.fromEntries(files) }
    writeFileSync(join(stage, deploymentList), `${JSON.stringify(list, null, 1)}\n`)
    const warnings = checkLimits(host, sizesOf(description, files))
    moveIn(stage, folder)
    return { host, folder, next: description.next, files, warnings }
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function refuseClosed(host: HostName, manifest: Manifest): void {
  if (deployments[host].form !== 'responses') return
  if (workspacesBelow(manifest, versionRoots.v1).length > 0) return
  throw new OutputError(
    `Nothing of this site can be served by ${host}: every workspace is closed (v1: private).`,
  )
}

function writeFiles(writer: Writer, host: HostName, out: string, manifest: Manifest): void {
  const description = deployments[host]
  const { form, data, media, responses } = description
  writeProgram(writer, host)
  const aliases = form === 'responses' ? aliasFiles(out, manifest) : []
  for (const [path, text] of Object.entries(description.texts(manifest, aliases)))
    writer.write(path, Buffer.from(text))
  const write = (name: string, bytes: Uint8Array) => {
    if (form !== 'parts') return writer.write(`${data}/${name}`, bytes)
    for (const [at, part] of cutFile(bytes, partBytesDefault).entries())
      writer.write(`${data}/${partName(name, at)}`, part)
  }
  for (const file of dataFiles(description, manifest)) {
    if (form === 'parts') write(file.name, readBuilt(out, file))
    else writer.link(data, file)
  }
  for (const file of aliases) writer.link(data, file)
  for (const file of mediaFiles(description, manifest)) writer.link(media ?? '', file)
  if (responses !== null)
    for (const file of servedFiles('v1', manifest)) writer.link(responses, file)
  if (description.hasStored) writeStored(out, manifest, write)
}

function writeProgram(writer: Writer, host: HostName): void {
  const { program } = deployments[host]
  if (program === null) return
  const read = (name: string) =>
    readFileSync(createRequire(import.meta.url).resolve(`#functions/${name}`))
  writer.write(program, read(`${host}-entry.js`))
  for (const name of programParts)
    writer.write(posix.join(posix.dirname(program), name), read(name))
}

/** Writes files of a deployment into a folder. */
class Writer {
  readonly files: Map<string, DeployedFile> = new Map()
  readonly #folder: string
  readonly #out: string

  constructor(folder: string, out: string) {
    this.#folder = folder
    this.#out = out
  }

  write(path: string, bytes: Uint8Array): void {
    this.files.set(path, { bytes: bytes.length, sha256: hash('sha256', bytes) })
    writeFileSync(this.#place(path), bytes)
  }

  /** Creates a hard link to a file of the build where the file system supports it. */
  link(below: string, file: DataFile): void {
    const path = `${below}/${file.name}`
    const bytes = readBuilt(this.#out, file)
    this.files.set(path, { bytes: bytes.length, sha256: file.entry.sha256 })
    try {
      linkSync(join(this.#out, file.path), this.#place(path))
    } catch {
      writeFileSync(this.#place(path), bytes)
    }
  }

  #place(path: string): string {
    const place = join(this.#folder, path)
    mkdirSync(dirname(place), { recursive: true })
    return place
  }
}

/**
 * Rewrites the deployments of older builds of the same output folder, so that none keeps a withdrawn post.
 *
 * @param but the host whose deployment is written anyway
 */
export function followDeployments(
  built: BuiltFolder,
  but: HostName | undefined,
): { readonly followed: readonly Deployed[]; readonly leftBehind: readonly LeftBehind[] } {
  const { versions, ids } = built.precompute
  const followed: Deployed[] = []
  const leftBehind: LeftBehind[] = []
  for (const host of hostNames) {
    if (host === but || !isOutdated(host, built)) continue
    try {
      // A build with default settings has fewer files than a build for a host without a function.
      if (deployments[host].form === 'responses' && !(ids && versions.includes('v1')))
        throw new OutputError('This build wrote no files for ids, or none of v1.')
      followed.push(deploy(host, built))
    } catch (error) {
      if (!(error instanceof OutputError)) throw error
      const folder = join(dirname(built.out), deployments[host].folder)
      leftBehind.push({ host, folder, reason: error.message })
    }
  }
  return { followed, leftBehind }
}

/** True for a deployment of another build of the same output folder. */
function isOutdated(host: HostName, { out, manifest }: BuiltFolder): boolean {
  const found = readHead(join(dirname(out), deployments[host].folder))
  const now = headOf(host, out, manifest)
  if (found?.host !== host || found.out !== now.out) return false
  return found.build !== now.build || found.root !== now.root
}

/** Larger responses come from the index, in fragments: the function holds a whole file in memory. */
const responseBytesMax = 4 * 1024 * 1024

/** Writes the responses that stay valid until the next build. */
function writeStored(
  out: string,
  manifest: Manifest,
  write: (name: string, bytes: Uint8Array) => void,
): void {
  const written = new Set<string>()
  for (const file of versions.flatMap((version) => servedFiles(version, manifest))) {
    const request = requestOfFile(file.path)
    const key = request === null ? null : responseKey(request)
    const { etag, bytes } = file.entry
    if (request === null || key === null || etag === undefined || bytes > responseBytesMax) continue
    // Both versions have equal bodies, so one file is enough.
    if (written.has(key)) continue
    written.add(key)
    const isAll = request.parameters.limit === 'all'
    const posts = isAll ? (manifest.workspaces[request.workspace]?.posts ?? 0) : 0
    const head = { etag, cost: requestsOf({ posts, body: bytes }) }
    write(responseFile(key), encodeResponse(key, head, readBuilt(out, file), sha256))
  }
}

/** The source of a deployment, at the beginning of its list. */
interface DeploymentHead {
  readonly quarry: 1
  readonly host: HostName
  /** The build's id. */
  readonly build: string
  /** The name of the output folder, a sibling of the deployment. */
  readonly out: string
  /** SHA-256 of the root, hexadecimal. It changes with drafts; the build's id does not. */
  readonly root?: string | undefined
}

function headOf(host: HostName, out: string, { build, files }: Manifest): DeploymentHead {
  const root = files.get(`${functionFolder}/${rootName}`)?.sha256
  return { quarry: 1, host, build, out: basename(out), root }
}

/** Returns null for a folder without a list of quarry's. */
function readHead(folder: string): DeploymentHead | null {
  try {
    const list = JSON.parse(readFileSync(join(folder, deploymentList), 'utf8')) as DeploymentHead
    return list.quarry === 1 ? list : null
  } catch {
    return null
  }
}

/** Overwrites a folder only when it is empty or a deployment of quarry's. */
function refuseForeign(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0 || readHead(folder) !== null) return
  throw new OutputError(`${folder} holds files that quarry did not write. Move them away.`)
}

/** Removes the old folder as a whole, after the new one is ready. */
function moveIn(stage: string, folder: string): void {
  const old = `${stage}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, old)
  renameSync(stage, folder)
  rmSync(old, { recursive: true, force: true })
}

/** Sizes of a deployment. */
export interface Sizes {
  readonly files: number
  readonly largestFileBytes: number
  readonly totalBytes: number
  /** Without images and the responses that the host serves itself. */
  readonly functionBytes: number
}

function sizesOf(
  { media, responses }: HostDeployment,
  files: ReadonlyMap<string, DeployedFile>,
): Sizes {
  const sizes = { files: files.size, largestFileBytes: 0, totalBytes: 0, functionBytes: 0 }
  const served = [media, responses].filter((folder) => folder !== null)
  for (const [path, { bytes }] of files) {
    sizes.largestFileBytes = Math.max(sizes.largestFileBytes, bytes)
    sizes.totalBytes += bytes
    if (!served.some((folder) => path.startsWith(`${folder}/`))) sizes.functionBytes += bytes
  }
  return sizes
}

const MB = 1_000_000
const MiB = 1024 * 1024
const workers = 'https://developers.cloudflare.com/workers/platform/limits/'
const lambda = 'https://repost.aws/questions/QUt1Cc15fbTkWsVXPNmj6MNQ'
const vercel = 'https://vercel.com/docs/functions/limitations'
const pages =
  'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits'

/** The plan or way to deploy that has a limit; null when none allows more. Netlify's functions run on Lambda. */
const limits: readonly (readonly [
  host: HostName,
  size: keyof Sizes,
  max: number,
  plan: string | null,
  source: string,
])[] = [
  ['cloudflare', 'files', 20_000, 'the free plan', workers],
  ['cloudflare', 'files', 100_000, null, workers],
  ['cloudflare', 'largestFileBytes', 25 * MiB, null, workers],
  ['aws-lambda', 'totalBytes', 250 * MiB, null, lambda],
  ['netlify', 'functionBytes', 250 * MiB, null, lambda],
  ['vercel', 'functionBytes', 250 * MB, 'functions that are not "large"', vercel],
  ['vercel', 'functionBytes', 5000 * MB, null, vercel],
  ['static', 'totalBytes', 1000 * MB, 'GitHub Pages', pages],
]

const otherHost =
  'Build the workspaces separately, or choose a host without this limit, such as deno or bun.'

const sizeTexts: Readonly<Record<keyof Sizes, readonly [name: string, fix: string]>> = {
  files: ['the number of files', 'Write fewer files with `precompute`, or build workspaces apart.'],
  largestFileBytes: ['the largest file', 'Build workspaces apart.'],
  totalBytes: ['the size of all files', otherHost],
  functionBytes: ['the size of the function', otherHost],
}

/**
 * Compares a deployment with the limits of its host.
 *
 * @returns a sentence for each limit of some plans that it exceeds
 * @throws OutputError when it exceeds a limit of all plans
 */
export function checkLimits(host: HostName, sizes: Sizes): readonly string[] {
  const warnings: string[] = []
  for (const [name, size, max, plan, source] of limits) {
    if (name !== host || sizes[size] <= max) continue
    const amount = (value: number) =>
      size === 'files' ? value.toLocaleString('en') : `${(value / MB).toFixed(1)} MB`
    const [what, fix] = sizeTexts[size]
    const on = plan === null ? '' : ` on ${plan}`
    const text = `${what} is ${amount(sizes[size])}, and at most ${amount(max)} is allowed${on} (${source}). ${fix}`
    if (plan === null) {
      throw new OutputError(
        `The site is too large for ${host}: ${text} The build itself is complete.`,
      )
    }
    warnings.push(text)
  }
  return warnings
}
