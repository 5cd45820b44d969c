// Writes the deployment of a build for a host, and rewrites those of earlier builds of the same output folder.

import { createHash } from 'node:crypto'
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
import { versionRoots } from '../api/paths.ts'
import { formats } from '../api/request.ts'
import { OutputError } from '../build/disk.ts'
import { type FileEntry, type Manifest, workspacesBelow } from '../build/manifest.ts'
import { type HostName, hostNames } from '../config/host-names.ts'
import type { Precompute } from '../config/precompute.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import {
  type DataFile,
  type DeploymentData,
  dataFiles,
  type HostDeployment,
  mediaFiles,
  programParts,
  responseFiles,
} from './deployment.ts'
import { deployments } from './deployments.ts'
import { cutFile, partName } from './parted-storage.ts'
import { aliasFiles } from './static-files.ts'
import { readBuilt, storedFiles } from './stored-responses.ts'

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

/**
 * Writes a host's deployment into its own folder next to the output folder, as a whole. The same build always gives
 * the same bytes.
 *
 * @throws OutputError when the build exceeds the limits of all plans or must not be served by this host, when the
 *   folder holds foreign files, or when another build has replaced the manifest's
 */
export async function deploy(
  host: HostName,
  { out, manifest }: Pick<BuiltFolder, 'out' | 'manifest'>,
): Promise<Deployed> {
  const description = deployments[host]
  if (description.data.form === 'responses') refuseClosed(host, manifest)
  const folder = join(dirname(out), description.folder)
  refuseForeign(folder)
  const stage = join(dirname(folder), `.${basename(folder)}.${process.pid}.stage`)
  const writer = new DeploymentWriter(stage, out)
  try {
    writeProgram(writer, host)
    writeFiles(writer, description, out, manifest)
    if (description.stored !== undefined) {
      for (const { name, encode } of await storedFiles(out, manifest, formats)) {
        writer.write(`${description.stored}/${name}`, encode())
      }
    }
    const files = writer.finish(headOf(host, out, manifest))
    const warnings = checkLimits(host, sizesOf(description, files))
    moveIn(stage, folder)
    return { host, folder, next: description.next, files, warnings }
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/**
 * Rewrites the deployments of older builds of the same output folder, so that none keeps a withdrawn post.
 *
 * @param but the host whose deployment is written anyway
 */
export async function followDeployments(
  built: BuiltFolder,
  but: HostName | undefined,
): Promise<{ readonly followed: readonly Deployed[]; readonly leftBehind: readonly LeftBehind[] }> {
  const followed: Deployed[] = []
  const leftBehind: LeftBehind[] = []
  for (const host of hostNames) {
    const folder = join(dirname(built.out), deployments[host].folder)
    if (host === but || !isOutdated(host, folder, built)) continue
    try {
      refuseNarrower(host, built)
      followed.push(await deploy(host, built))
    } catch (error) {
      if (!(error instanceof OutputError)) throw error
      leftBehind.push({ host, folder, reason: error.message })
    }
  }
  return { followed, leftBehind }
}

/** True for a deployment of another build of the same output folder. */
function isOutdated(host: HostName, folder: string, { out, manifest }: BuiltFolder): boolean {
  const found = readHead(folder)
  const now = headOf(host, out, manifest)
  if (found?.host !== host || found.out !== now.out) return false
  return found.build !== now.build || found.root !== now.root
}

/** A build with default settings has fewer files than a build for a host without a function. */
function refuseNarrower(host: HostName, { precompute }: BuiltFolder): void {
  if (deployments[host].data.form !== 'responses') return
  if (precompute.ids && precompute.versions.includes('v1')) return
  throw new OutputError('This build wrote no files for ids, or none of v1.')
}

function refuseClosed(host: HostName, manifest: Manifest): void {
  if (workspacesBelow(manifest, versionRoots.v1).length > 0) return
  throw new OutputError(
    `Nothing of this site can be served by ${host}: every workspace is closed (v1: private).`,
  )
}

/** Reads a file of `.lib/functions`, where the programs of the hosts are. */
function programFile(name: string): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve(`#functions/${name}`))
}

function writeProgram(writer: DeploymentWriter, host: HostName): void {
  const { program } = deployments[host]
  if (program === null) return
  writer.write(program, programFile(`${host}-entry.js`))
  for (const name of programParts) {
    writer.write(posix.join(posix.dirname(program), name), programFile(name))
  }
}

function writeFiles(
  writer: DeploymentWriter,
  description: HostDeployment,
  out: string,
  manifest: Manifest,
): void {
  const { data, media, responses } = description
  const aliases = data.form === 'responses' ? aliasFiles(out, manifest) : []
  const texts = { ...description.texts, ...description.textsOf?.(manifest, aliases) }
  for (const [path, text] of Object.entries(texts)) writer.write(path, Buffer.from(text))
  const files = dataFiles(data, manifest)
  if (data.form === 'parts') writeParts(writer, data, files, out)
  else for (const file of files) writer.link(data.folder, file)
  for (const file of aliases) writer.link(data.folder, file)
  for (const file of mediaFiles(description, manifest)) writer.link(media ?? '', file)
  for (const file of responseFiles(description, manifest)) writer.link(responses ?? '', file)
}

function writeParts(
  writer: DeploymentWriter,
  { folder, partBytes }: Extract<DeploymentData, { form: 'parts' }>,
  files: readonly DataFile[],
  out: string,
): void {
  for (const file of files) {
    for (const [part, bytes] of cutFile(readBuilt(out, file), partBytes).entries()) {
      writer.write(`${folder}/${partName(file.name, part)}`, bytes)
    }
  }
}

/** Writes files into a staging folder. */
class DeploymentWriter {
  readonly #folder: string
  readonly #out: string
  readonly #files = new Map<string, DeployedFile>()

  constructor(folder: string, out: string) {
    this.#folder = folder
    this.#out = out
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }

  write(path: string, bytes: Uint8Array): void {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.#files.set(path, { bytes: bytes.length, sha256 })
    writeFileSync(this.#place(path), bytes)
  }

  /** Creates a hard link to a file of the build where the file system supports it. */
  link(below: string, file: DataFile): void {
    const path = `${below}/${file.name}`
    const bytes = readBuilt(this.#out, file)
    this.#files.set(path, { bytes: bytes.length, sha256: file.entry.sha256 })
    try {
      linkSync(join(this.#out, file.path), this.#place(path))
    } catch {
      writeFileSync(this.#place(path), bytes)
    }
  }

  /** Writes the list. */
  finish(head: DeploymentHead): ReadonlyMap<string, DeployedFile> {
    const sorted = new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)))
    const list = { ...head, files: Object.fromEntries(sorted) }
    writeFileSync(this.#place(deploymentList), `${JSON.stringify(list, null, 1)}\n`)
    return sorted
  }

  #place(path: string): string {
    const place = join(this.#folder, path)
    mkdirSync(dirname(place), { recursive: true })
    return place
  }
}

function sizesOf(
  { media, responses }: HostDeployment,
  files: ReadonlyMap<string, DeployedFile>,
): Parameters<typeof checkLimits>[1] {
  const sum = (all: readonly DeployedFile[]) => all.reduce((total, { bytes }) => total + bytes, 0)
  const all = [...files.values()]
  const served = [media, responses].filter((folder) => folder !== null)
  const own = [...files].filter(([path]) => !served.some((folder) => path.startsWith(`${folder}/`)))
  return {
    files: all.length,
    largestFileBytes: all.reduce((largest, { bytes }) => Math.max(largest, bytes), 0),
    totalBytes: sum(all),
    functionBytes: sum(own.map(([, file]) => file)),
  }
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
  const list = join(folder, deploymentList)
  // A power cut soon after a build leaves its files empty.
  if (existsSync(list) && readFileSync(list).every((byte) => byte === 0)) return
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

interface HostLimit {
  readonly host: HostName
  readonly size: keyof Sizes
  readonly max: number
  /** The plan or way to deploy that has this limit; null when none allows more. */
  readonly only: string | null
  readonly source: string
}

const MB = 1_000_000
const MiB = 1024 * 1024
const workers = 'https://developers.cloudflare.com/workers/platform/limits/'
const lambda = 'https://repost.aws/questions/QUt1Cc15fbTkWsVXPNmj6MNQ'
const vercel = 'https://vercel.com/docs/functions/limitations'
const pages =
  'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits'

/** Netlify's functions run on Lambda. */
const limits: readonly HostLimit[] = [
  { host: 'cloudflare', size: 'files', max: 20_000, only: 'the free plan', source: workers },
  { host: 'cloudflare', size: 'files', max: 100_000, only: null, source: workers },
  { host: 'cloudflare', size: 'largestFileBytes', max: 25 * MiB, only: null, source: workers },
  { host: 'aws-lambda', size: 'totalBytes', max: 250 * MiB, only: null, source: lambda },
  { host: 'netlify', size: 'functionBytes', max: 250 * MiB, only: null, source: lambda },
  {
    host: 'vercel',
    size: 'functionBytes',
    max: 250 * MB,
    only: 'functions that are not "large"',
    source: vercel,
  },
  { host: 'vercel', size: 'functionBytes', max: 5000 * MB, only: null, source: vercel },
  { host: 'static', size: 'totalBytes', max: 1000 * MB, only: 'GitHub Pages', source: pages },
]

const names: Readonly<Record<keyof Sizes, string>> = {
  files: 'the number of files',
  largestFileBytes: 'the largest file',
  totalBytes: 'the size of all files',
  functionBytes: 'the size of the function',
}

const otherHost =
  'Build the workspaces separately, or choose a host without this limit, such as deno or bun.'
const remedies: Readonly<Record<keyof Sizes, string>> = {
  files: 'Write fewer files with `precompute`, or build workspaces apart.',
  largestFileBytes: 'Build workspaces apart.',
  totalBytes: otherHost,
  functionBytes: otherHost,
}

/**
 * Compares a deployment with the limits of its host.
 *
 * @returns a sentence for each limit of some plans that it exceeds
 * @throws OutputError when it exceeds a limit of all plans
 */
export function checkLimits(host: HostName, sizes: Sizes): readonly string[] {
  const broken = limits.filter((limit) => limit.host === host && sizes[limit.size] > limit.max)
  for (const limit of broken) {
    if (limit.only !== null) continue
    throw new OutputError(
      `The site is too large for ${host}: ${describe(limit, sizes)} The build itself is complete.`,
    )
  }
  return broken.map((limit) => describe(limit, sizes))
}

function describe({ size, max, only, source }: HostLimit, sizes: Sizes): string {
  const amount = (value: number) =>
    size === 'files' ? value.toLocaleString('en') : `${(value / MB).toFixed(1)} MB`
  const plan = only === null ? '' : ` on ${only}`
  return `${names[size]} is ${amount(sizes[size])}, and at most ${amount(max)} is allowed${plan} (${source}). ${remedies[size]}`
}
