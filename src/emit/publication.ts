// Writes a build: everything that changed is staged beside the output folder, then moved in, file by file,
// in an order in which no list names a post that is not there. Knows nothing of what the files hold.
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Awaitable } from '../api/snapshot.ts'
import { encodeManifest, type FileEntry, type Manifest } from './manifest.ts'
import { type OutputFolder, unfinishedName } from './output-folder.ts'

/** Some bytes, and every place they go to. */
export interface Output {
  /** Makes the bytes; called once, and not at all where the entity tag says that they are there. */
  readonly bytes: () => Awaitable<Uint8Array>
  /** Equal tags mean equal bytes; without one the bytes are always made. */
  readonly etag?: string
  /** Below the output folder; more than one are one file on the disk where it allows that. */
  readonly paths: readonly string[]
  /** When it is published: in the order of `stages`. */
  readonly stage: Stage
}

/** What is published in one go, in order: nothing names a file of a later stage. */
export const stages = ['data', 'resource', 'list', 'index'] as const

export type Stage = (typeof stages)[number]

/** What a build changed on the disk. */
export interface Changes {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** One build's way to the disk: `add` everything, then `publish` or `discard`. */
export class Publication {
  /** Every file added so far. */
  readonly files: Map<string, FileEntry> = new Map()
  readonly #folder: OutputFolder
  readonly #stageFolder: string
  readonly #isForced: boolean
  readonly #staged = new Map<Stage, string[]>(stages.map((stage) => [stage, []]))
  readonly #madeFolders = new Set<string>()

  /** @param isForced stages also what is there already */
  constructor(folder: OutputFolder, isForced = false) {
    this.#folder = folder
    this.#isForced = isForced
    this.#stageFolder = join(dirname(folder.path), `.${basename(folder.path)}.${process.pid}.stage`)
    removeDeadStages(folder.path)
  }

  /** Stages the bytes for every place where they are not already; ready for the next once it resolves. */
  async add({ bytes: make, etag, paths, stage }: Output): Promise<void> {
    if (etag !== undefined && this.#keep(paths, etag)) return
    const bytes = await make()
    const hashed = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    const entry: FileEntry = etag === undefined ? hashed : { ...hashed, etag }
    let first: string | undefined
    for (const path of paths) {
      this.files.set(path, entry)
      if (this.#isThere(path, entry)) continue
      const target = this.#stagedPath(path)
      if (first === undefined) writeFileSync(target, bytes)
      else linkOrWrite(first, target, bytes)
      first ??= target
      this.#staged.get(stage)?.push(path)
    }
  }

  /**
   * Moves what was staged into the output folder, stage by stage, the manifest last; then removes what the
   * last build wrote and this one did not.
   */
  async publish(manifest: Manifest): Promise<Changes> {
    const staged = [...this.#staged.values()].flat()
    const stale = this.#staleFiles()
    const { previous, isUnfinished } = this.#folder
    if (previous?.build !== manifest.build || staged.length > 0 || isUnfinished) {
      writeFileSync(this.#stagedPath('manifest.json'), encodeManifest(manifest))
      this.#moveIn([...staged, 'manifest.json'])
    }
    this.#remove(stale)
    rmSync(join(this.#folder.path, unfinishedName), { force: true })
    await this.discard()
    return {
      written: staged.length,
      unchanged: this.files.size - staged.length,
      removed: stale.length,
    }
  }

  /** What the last build wrote, or may have written before it was ended, and this one did not. */
  #staleFiles(): readonly string[] {
    const { previous, existing, isUnfinished } = this.#folder
    const candidates = isUnfinished
      ? [...existing].filter((path) => /^(public|private|function)\//.test(path))
      : [...(previous?.files.keys() ?? [])].filter((path) => existing.has(path))
    return candidates.filter((path) => !this.files.has(path))
  }

  /** Leaves the output folder as it is and removes what was staged. */
  async discard(): Promise<void> {
    rmSync(this.#stageFolder, { recursive: true, force: true })
  }

  /** Takes over what the last build wrote, when all of it has the tag and is still there. */
  #keep(paths: readonly string[], etag: string): boolean {
    const kept: [string, FileEntry][] = []
    for (const path of paths) {
      const entry = this.#folder.previous?.files.get(path)
      if (entry?.etag !== etag || !this.#isThere(path, entry)) return false
      kept.push([path, entry])
    }
    for (const [path, entry] of kept) this.files.set(path, entry)
    return true
  }

  #isThere(path: string, entry: FileEntry): boolean {
    if (this.#isForced || this.#folder.isUnfinished) return false
    const { previous, existing } = this.#folder
    if (previous?.files.get(path)?.sha256 !== entry.sha256 || !existing.has(path)) return false
    // A file that somebody emptied or wrote over is written again.
    return statSync(join(this.#folder.path, path)).size === entry.bytes
  }

  #stagedPath(path: string): string {
    return makeFolderOf(join(this.#stageFolder, path), this.#madeFolders)
  }

  #moveIn(paths: readonly string[]): void {
    if (this.#folder.existing.size === 0) {
      // Nothing is there: the whole stage becomes the output folder at once.
      rmSync(this.#folder.path, { recursive: true, force: true })
      renameSync(this.#stageFolder, this.#folder.path)
      return
    }
    // From here until all is done the manifest does not tell what is there.
    writeFileSync(join(this.#folder.path, unfinishedName), '')
    const made = new Set<string>()
    for (const path of paths) {
      renameSync(join(this.#stageFolder, path), makeFolderOf(join(this.#folder.path, path), made))
    }
  }

  #remove(paths: readonly string[]): void {
    const folders = new Set<string>()
    for (const path of paths) {
      rmSync(join(this.#folder.path, path), { force: true })
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
    }
    // Deepest first, so that a folder is seen empty when its last sub-folder has gone.
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
      removeIfEmpty(join(this.#folder.path, folder))
    }
  }
}

/** Removes what builds left behind that were killed, and what is under our own name. */
function removeDeadStages(out: string): void {
  const parent = dirname(out)
  const prefix = `.${basename(out)}.`
  const names = existsSync(parent) ? readdirSync(parent) : []
  for (const name of names) {
    if (!name.startsWith(prefix) || !name.endsWith('.stage')) continue
    const owner = Number(name.slice(prefix.length, -'.stage'.length))
    if (Number.isInteger(owner) && (owner === process.pid || !isAlive(owner))) {
      rmSync(join(parent, name), { recursive: true, force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function linkOrWrite(from: string, to: string, bytes: Uint8Array): void {
  try {
    linkSync(from, to)
  } catch {
    // Not every file system has hard links.
    writeFileSync(to, bytes)
  }
}

function makeFolderOf(file: string, made: Set<string>): string {
  const folder = dirname(file)
  if (!made.has(folder)) {
    mkdirSync(folder, { recursive: true })
    made.add(folder)
  }
  return file
}

function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
