// Writes a build: stages everything that changed, then moves it in file by file, in an order in which no list names a
// missing post.
import { hash } from 'node:crypto'
import type { Awaitable } from '../api/snapshot.ts'
import { type Change, Commit } from './commit.ts'
import { type FileEntries, type FileEntry, type Stage, stages } from './file-entries.ts'
import { LastBuild } from './last-build.ts'
import { encodeManifest, type Manifest } from './manifest.ts'
import { OutputError } from './output-error.ts'
import type { OutputFolder } from './output-folder.ts'
import { RealFolders } from './real-folders.ts'
import { StageFolder } from './stage-folder.ts'

/** Bytes and all their paths. */
export interface Output {
  /** Creates the bytes. Called once, or not at all if the entity tag shows that they exist. */
  readonly bytes: () => Awaitable<Uint8Array>
  /** Equal tags imply equal bytes; without a tag, the bytes are always created. */
  readonly etag?: string
  /** Below the output folder; several paths are hard links to one file where the disk allows it. */
  readonly paths: readonly string[]
  readonly stage: Stage
}

/** Changes of a build on disk. */
export interface Changes {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** Options of a publication. */
export interface PublicationOptions {
  /** Also stages unchanged files. @default false */
  readonly isForced?: boolean | undefined
  /** Restricts files that are not public to their owner, or opens them again. @default modes stay as they are */
  readonly isOwnerOnly?: boolean | undefined
}

/** Writes one build: `add` everything, then `publish`; always `discard` at the end. */
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
  /** Responses and images that `publish` removed, below the output folder. */
  removed: readonly string[] = []
  /** Paths with capitals by their lower-cased form, for case-insensitive file systems. */
  readonly #capitals = new Map<string, string>()

  constructor(folder: OutputFolder, { isForced = false, isOwnerOnly }: PublicationOptions = {}) {
    this.#folder = folder
    this.#isForced = isForced
    this.#isOwnerOnly = isOwnerOnly
    this.#folders = new RealFolders(folder.path)
    this.#last = new LastBuild(folder, this.#folders, isForced)
    this.#stage = new StageFolder(folder.path, isOwnerOnly)
  }

  /** The output folder. */
  get out(): string {
    return this.#folder.path
  }

  /** Files of the last build, in upload order. */
  get lastFiles(): FileEntries {
    return this.#last.files
  }

  /**
   * Stages the bytes for every path that does not have them yet. The next call may follow once it resolves.
   *
   * @throws OutputError if they cannot be written, or a path differs from another one only in case
   */
  async add({ bytes: make, etag, paths, stage }: Output): Promise<void> {
    for (const path of paths) this.#claimName(path, paths)
    if (etag !== undefined && this.#takeOver(paths, etag, stage)) return
    const bytes = await make()
    const sha256 = hash('sha256', bytes)
    const entry = { stage, bytes: bytes.length, sha256, ...(etag === undefined ? {} : { etag }) }
    let first: string | undefined
    for (const path of paths) {
      // Workspaces share a function's file of the same name, and thus the same content.
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
   * Keeps the files of the last build if all of them have the tag and still exist: then there is nothing to add.
   *
   * @throws OutputError if a path differs from another one only in case
   */
  keep({ paths, etag, stage }: Omit<Required<Output>, 'bytes'>): boolean {
    for (const path of paths) this.#claimName(path, paths)
    return this.#takeOver(paths, etag, stage)
  }

  /**
   * Keeps the files on disk that match a manifest.
   *
   * @returns the others, which have to be added
   * @throws OutputError if a path differs from another one only in case
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
   * Moves staged files into the output folder and removes stale ones, in the order of `Commit`.
   *
   * @throws OutputError on a system error; LockError if another build took over
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
    await this.#commit({
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

  /** Removes the stage and releases the lock; does not change published files. */
  async discard(): Promise<void> {
    this.#stage.remove()
    this.#folder.close()
  }

  /**
   * Publishes the last build again, unchanged.
   *
   * @param manifest SHA-256 of its manifest, hexadecimal
   * @returns undefined, without a change, if the last build was another one or a file was modified
   * @throws OutputError, LockError as `publish` does
   *
   * Cost: one `lstat` per file.
   */
  async publishLast(
    manifest: string,
  ): Promise<{ manifest: Manifest; changes: Changes } | undefined> {
    const { manifestFile, isMarked } = this.#folder
    if (this.#isForced || isMarked || manifestFile?.sha256 !== manifest) return undefined
    if (!this.#last.isWhole(manifestFile)) return undefined
    const lastData = manifestFile.functionPaths()
    const staleData = this.#last.staleData(lastData, lastData)
    // Unknown files may be next to a modified one. Finding them decodes the whole manifest.
    const isUncertain = this.#last.isDoubtful && this.#last.isUncertain
    const staleResponses = isUncertain ? this.#last.staleResponses(this.#last.files) : []
    await this.#commit({
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

  /** SHA-256 of the manifest that `publish` wrote or left unchanged, hexadecimal. */
  get manifestHash(): string | undefined {
    return this.#manifestHash
  }

  /** Applies the changes. Without any, writes a new stamp if files had to be read. */
  async #commit(change: Omit<Change, 'staged'>): Promise<void> {
    const { isManifestNew, staleResponses, staleData } = change
    const commit = new Commit(this.#folder, this.#folders, this.#stage, this.#isOwnerOnly)
    if (isManifestNew || staleResponses.length + staleData.length > 0) {
      await commit.run({ ...change, staged: this.#staged })
    } else if (commit.restrict() || this.#last.isDoubtful) {
      commit.settle(change)
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

  /** A path without capitals needs no entry: it is among the files or the siblings. */
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
