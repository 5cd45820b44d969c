// Writes a build: everything that changed is staged, then moved in, file by file, in an order in which no list
// names a post that is not there.
import { hash } from 'node:crypto'
import type { Awaitable } from '../api/snapshot.ts'
import type { CarriedBuild } from './carried-build.ts'
import { type Change, Commit } from './commit.ts'
import { type FileEntries, type FileEntry, type Stage, stages } from './file-entries.ts'
import { LastBuild } from './last-build.ts'
import { encodeManifest, type Manifest } from './manifest.ts'
import { OutputError } from './output-error.ts'
import type { OutputFolder } from './output-folder.ts'
import { RealFolders } from './real-folders.ts'
import { StageFolder } from './stage-folder.ts'

/** Some bytes, and every place they go to. */
export interface Output {
  /** Makes the bytes; called once, and not at all where the entity tag says that they are there. */
  readonly bytes: () => Awaitable<Uint8Array>
  /** Equal tags mean equal bytes; without one the bytes are always made. */
  readonly etag?: string
  /** Below the output folder; more than one are one file on the disk where it allows that. */
  readonly paths: readonly string[]
  readonly stage: Stage
}

/** The changes of a build on the disk. */
export interface Changes {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** How a build is published. */
export interface PublicationOptions {
  /** Stages also what is there already. @default false */
  readonly isForced?: boolean | undefined
  /** Lets the owner alone read what is not public, or opens it again. @default modes stay as they are */
  readonly isOwnerOnly?: boolean | undefined
}

/**
 * One build's way to the disk: `add` everything, then `publish`; `discard` at the end in any case.
 */
export class Publication {
  /** Every file added so far. */
  readonly files: Map<string, FileEntry> = new Map()
  readonly #folder: OutputFolder
  readonly #folders: RealFolders
  readonly #last: LastBuild
  readonly #stage: StageFolder
  readonly #isForced: boolean
  readonly #isOwnerOnly: boolean | undefined
  readonly #staged = new Map<Stage, string[]>(stages.map((stage) => [stage, []]))
  #manifestHash: string | undefined
  /** The responses and images that `publish` removed, below the output folder. */
  removed: readonly string[] = []
  /** Paths with capitals by the same without their case, for file systems that know none. */
  readonly #capitals = new Map<string, string>()

  constructor(folder: OutputFolder, { isForced = false, isOwnerOnly }: PublicationOptions = {}) {
    this.#folder = folder
    this.#isForced = isForced
    this.#isOwnerOnly = isOwnerOnly
    this.#folders = new RealFolders(folder.path)
    this.#last = new LastBuild(folder, this.#folders, isForced)
    this.#stage = new StageFolder(folder.path, isOwnerOnly)
  }

  /**
   * Takes over files of the last build without a look at them: only the workspace without files among them is built.
   */
  carry({ files, without }: Pick<CarriedBuild, 'files' | 'without'>): void {
    for (const [path, entry] of files) this.files.set(path, entry)
    this.#last.keepOthers(without)
  }

  /** The files of the last build, in the order of upload. */
  /** The output folder. */
  get out(): string {
    return this.#folder.path
  }

  get lastFiles(): FileEntries {
    return this.#last.files
  }

  /**
   * Stages the bytes for every place where they are not already; ready for the next once it resolves.
   *
   * @throws OutputError when they cannot be written, or a place is another one but for the case of its letters
   */
  async add({ bytes: make, etag, paths, stage }: Output): Promise<void> {
    for (const path of paths) this.#claimName(path, paths)
    if (etag !== undefined && this.#takeOver(paths, etag, stage)) return
    const bytes = await make()
    const sha256 = hash('sha256', bytes)
    const entry = { stage, bytes: bytes.length, sha256, ...(etag === undefined ? {} : { etag }) }
    let first: string | undefined
    for (const path of paths) {
      // Workspaces share a file of the function where its name, and so its content, is the same.
      if (this.files.get(path)?.sha256 === sha256) continue
      this.files.set(path, entry)
      if (!this.#isForced && this.#last.holds(path, entry)) continue
      if (first === undefined) this.#stage.write(path, bytes)
      else this.#stage.link(first, path, bytes)
      first ??= path
      this.#staged.get(stage)?.push(path)
    }
  }

  /**
   * Takes over what the last build wrote, when all of it has the tag and is still there: then there is nothing to add.
   *
   * @throws OutputError when a place is another one but for the case of its letters
   */
  keep({ paths, etag, stage }: Omit<Required<Output>, 'bytes'>): boolean {
    for (const path of paths) this.#claimName(path, paths)
    return this.#takeOver(paths, etag, stage)
  }

  /**
   * Takes over the files that are on the disk as a manifest names them.
   *
   * @returns the others, which have to be added
   * @throws OutputError when a place is another one but for the case of its letters
   */
  takeOver(wanted: FileEntries): FileEntries {
    const others = new Map<string, FileEntry>()
    for (const [path, entry] of wanted) {
      this.#claimName(path, [path])
      const files = !this.#isForced && this.#last.holds(path, entry) ? this.files : others
      files.set(path, entry)
    }
    return others
  }

  /**
   * Moves what was staged into the output folder and removes what is stale, in the order of `Commit`.
   *
   * @throws OutputError when the system refuses; LockError when another build took over
   */
  async publish(manifest: Manifest): Promise<Changes> {
    const written = [...this.#staged.values()].flat()
    const staleResponses = this.#last.staleResponses(this.files)
    const staleData = this.#last.staleData(this.files)
    this.removed = staleResponses
    const bytes = encodeManifest(manifest)
    const manifestHash = hash('sha256', bytes)
    this.#manifestHash = manifestHash
    const { manifestFile, isUnfinished } = this.#folder
    const isManifestNew =
      manifestFile?.sha256 !== manifestHash || written.length > 0 || isUnfinished
    if (isManifestNew) this.#stage.write('manifest.json', bytes)
    this.#commit({
      isManifestNew,
      staleResponses,
      staleData,
      paths: this.files.keys(),
      manifestHash,
      isUncertain: this.#last.isUncertain,
    })
    return {
      written: written.length,
      unchanged: this.files.size - written.length,
      removed: staleResponses.length + staleData.length,
    }
  }

  /** Removes what was staged and lets the next build in; the output folder stays as it is. */
  async discard(): Promise<void> {
    this.#stage.remove()
    this.#folder.close()
  }

  /**
   * Publishes what is there already: all that the last build wrote.
   *
   * @param manifest SHA-256 of its manifest, hexadecimal
   * @returns undefined when it was another one, or some of it is not as it was left; nothing was changed then
   * @throws OutputError, LockError as `publish` does
   *
   * Cost: an `lstat` a file.
   */
  publishLast(manifest: string): { manifest: Manifest; changes: Changes } | undefined {
    const { manifestFile, isMarked } = this.#folder
    if (this.#isForced || isMarked || manifestFile?.sha256 !== manifest) return undefined
    if (!this.#last.isWhole(manifestFile)) return undefined
    const kept = manifestFile.functionPaths()
    const staleData = this.#last.staleData(kept, kept)
    // Unknown files may be next to a file that was touched. The look for them decodes the whole manifest.
    const isUncertain = this.#last.isDoubtful && this.#last.isUncertain
    const staleResponses = isUncertain ? this.#last.staleResponses(this.#last.files) : []
    this.#commit({
      isManifestNew: false,
      staleResponses,
      staleData,
      paths: manifestFile.paths(),
      manifestHash: manifest,
      isUncertain,
    })
    const removed = staleResponses.length + staleData.length
    const { asWritten } = manifestFile
    return { manifest: asWritten, changes: { written: 0, unchanged: asWritten.fileCount, removed } }
  }

  /** SHA-256 of the manifest that `publish` wrote or found as it would have written it, hexadecimal. */
  get manifestHash(): string | undefined {
    return this.#manifestHash
  }

  /** Changes what is to change; where nothing is, what had to be read is sealed. */
  #commit(change: Omit<Change, 'staged' | 'part'>): void {
    const { isManifestNew, staleResponses, staleData } = change
    const commit = new Commit(this.#folder, this.#folders, this.#stage, this.#isOwnerOnly)
    const { part } = this.#last
    if (isManifestNew || staleResponses.length + staleData.length > 0) {
      commit.run({ ...change, part, staged: this.#staged })
    } else if (commit.restrict() || (part === null && this.#last.isDoubtful)) {
      commit.settle({ ...change, part })
    }
  }

  #takeOver(paths: readonly string[], etag: string, stage: Stage): boolean {
    if (this.#isForced) return false
    for (const path of paths) {
      const entry = this.#last.files.get(path)
      if (entry?.etag !== etag || entry.stage !== stage) return false
      if (!this.#last.holds(path, entry)) return false
    }
    for (const path of paths) {
      const entry = this.#last.files.get(path)
      if (entry !== undefined) this.files.set(path, entry)
    }
    return true
  }

  /** Nothing is kept of a path without capitals: it is among the files, or among those that come with it. */
  #claimName(path: string, siblings: readonly string[]): void {
    const name = path.toLowerCase()
    if (name === path && this.#capitals.size === 0) return
    const isTaken = this.files.has(name) || siblings.includes(name)
    const other = this.#capitals.get(name) ?? (isTaken ? name : undefined)
    if (other !== undefined && other !== path) {
      throw new OutputError(
        `${other} and ${path} would be one file where case makes no difference. Rename one of the two.`,
      )
    }
    if (name !== path) this.#capitals.set(name, path)
  }
}
