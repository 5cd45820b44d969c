// Writes a deployment as a whole into its own folder next to the output folder.
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
import { basename, dirname, join, posix } from 'node:path'
import type { Manifest } from '../emit/manifest.ts'
import { OutputError } from '../emit/output-error.ts'
import { isBlank } from '../emit/whole-file.ts'
import { aliasFiles } from './alias-files.ts'
import {
  type DeploymentData,
  dataFiles,
  mediaFiles,
  programParts,
  responseFiles,
} from './deployment.ts'
import {
  type DeployedFile,
  type DeploymentHead,
  deploymentList,
  encodeDeploymentList,
  readDeploymentHead,
  rootOf,
} from './deployment-list.ts'
import { deployments } from './deployments.ts'
import type { HostName } from './names.ts'
import { partCount, partName, partTable, partTableName } from './parted-storage.ts'
import { readBuilt, type StoredFile } from './stored-responses.ts'
import { readProgram, readProgramPart } from './weigh.ts'

/** A written deployment. */
export interface Deployment {
  readonly host: HostName
  /** Absolute path. */
  readonly folder: string
  /** The deploy command, to be run next to the output folder. */
  readonly next: string
  /** By path relative to `folder`, sorted, without the list itself. */
  readonly files: ReadonlyMap<string, DeployedFile>
}

/**
 * Writes a host's deployment from a build. The same build always produces the same bytes.
 *
 * @param out the output folder, which holds the manifest's build
 * @param stored the precomputed responses of the function
 * @throws OutputError when the folder holds foreign files, or another build has replaced the manifest's
 */
export function writeDeployment(
  host: HostName,
  out: string,
  manifest: Manifest,
  stored: readonly StoredFile[] = [],
): Deployment {
  const description = deployments[host]
  const folder = join(dirname(out), description.folder)
  refuseForeign(folder)
  const stage = join(dirname(folder), `.${basename(folder)}.${process.pid}.stage`)
  const writer = new DeploymentWriter(stage)
  try {
    const { data } = description
    const aliases = data.form === 'responses' ? aliasFiles(out, manifest) : []
    const texts = { ...description.texts, ...description.textsOf?.(manifest, aliases) }
    for (const [path, text] of Object.entries(texts)) writer.write(path, Buffer.from(text))
    const program = readProgram(host)
    if (description.program !== null && program !== null) {
      writer.write(description.program, program)
      for (const name of programParts) {
        const path = posix.join(posix.dirname(description.program), name)
        writer.write(path, readProgramPart(name))
      }
    }
    writeData(writer, data, out, manifest)
    const linked = [
      ...aliases.map((file) => [data.form === 'responses' ? data.folder : '', file] as const),
      ...mediaFiles(description, manifest).map((file) => [description.media, file] as const),
      ...responseFiles(description, manifest).map((file) => [description.responses, file] as const),
    ]
    for (const [below, file] of linked) {
      writer.link(`${below}/${file.name}`, join(out, file.path), readBuilt(out, file))
    }
    for (const { name, encode } of stored) writer.write(`${description.stored}/${name}`, encode())
    const root = rootOf(manifest)
    const files = writer.finish({ host, build: manifest.build, out: basename(out), root })
    moveIn(stage, folder)
    return { host, folder, next: description.next, files }
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** Writes files into a staging folder. */
class DeploymentWriter {
  readonly #folder: string
  readonly #files = new Map<string, DeployedFile>()

  constructor(folder: string) {
    this.#folder = folder
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }

  write(path: string, bytes: Uint8Array): void {
    this.#files.set(path, entryOf(bytes))
    writeFileSync(this.#place(path), bytes)
  }

  /** Creates a hard link where the file system supports it. */
  link(path: string, from: string, bytes: Uint8Array): void {
    this.#files.set(path, entryOf(bytes))
    const to = this.#place(path)
    try {
      linkSync(from, to)
    } catch {
      writeFileSync(to, bytes)
    }
  }

  finish(head: DeploymentHead): ReadonlyMap<string, DeployedFile> {
    const sorted = new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(this.#place(deploymentList), encodeDeploymentList(head, sorted))
    return sorted
  }

  #place(path: string): string {
    const place = join(this.#folder, path)
    mkdirSync(dirname(place), { recursive: true })
    return place
  }
}

function writeData(
  writer: DeploymentWriter,
  data: DeploymentData,
  out: string,
  manifest: Manifest,
): void {
  if (data.form === 'none') return
  const files = dataFiles(data, manifest)
  for (const file of files) {
    const { path, name, entry } = file
    const bytes = readBuilt(out, file)
    if (data.form !== 'parts') {
      writer.link(`${data.folder}/${name}`, join(out, path), bytes)
      continue
    }
    for (let part = 0; part < partCount(entry.bytes, data.partBytes); part++) {
      const cut = bytes.subarray(part * data.partBytes, (part + 1) * data.partBytes)
      writer.write(`${data.folder}/${partName(name, part)}`, cut)
    }
  }
  if (data.form === 'parts') {
    const table = partTable(data.partBytes, files)
    writer.write(`${data.folder}/${partTableName}`, Buffer.from(table))
  }
}

/** Overwrites a folder only when it is empty or a deployment of quarry's. */
function refuseForeign(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  const list = join(folder, deploymentList)
  if (readDeploymentHead(folder) !== null) return
  // A power cut soon after a build leaves its files empty.
  if (existsSync(list) && isBlank(readFileSync(list))) return
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

function entryOf(bytes: Uint8Array): DeployedFile {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
