// The last build in the output folder: which of its files are unmodified, and which are stale. Read-only.
import { hash } from 'node:crypto'
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { mediaFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import { includesPosts } from '../api/request.ts'
import { functionFolder } from '../snapshot/format.ts'
import { FolderFingerprints, readStamp } from './build-stamp.ts'
import type { FileEntries, FileEntry } from './file-entries.ts'
import type { ManifestFile } from './manifest-file.ts'
import { touching } from './output-error.ts'
import { listFiles, type OutputFolder } from './output-folder.ts'
import type { RealFolders } from './real-folders.ts'

/** Paths below the output folder. */
type Paths = Pick<ReadonlySet<string>, 'has'>

/** The last build, as it is on disk. */
export class LastBuild {
  readonly #path: string
  readonly #folder: OutputFolder
  readonly #folders: RealFolders
  readonly #isForced: boolean
  #files: FileEntries | undefined
  /** Files not modified since then are as they were built; read on first use. */
  #stampedAt: number | undefined
  #isDoubtful = false

  /** @param isForced ignores the build stamp */
  constructor(folder: OutputFolder, folders: RealFolders, isForced: boolean) {
    this.#path = folder.path
    this.#folder = folder
    this.#folders = folders
    this.#isForced = isForced
  }

  /** In upload order, from its manifest. */
  get files(): FileEntries {
    this.#files ??= this.#folder.previous?.files ?? new Map()
    return this.#files
  }

  /** True if files had to be read to verify them: a new stamp avoids that next time. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  /** True if the folders may contain other files than those of the last manifest. */
  get isUncertain(): boolean {
    return Number.isNaN(this.#stampTime())
  }

  /**
   * Reports whether every file of the last build is unmodified. If no file was modified since the build stamp, only
   * file sizes and times are read.
   *
   * @param manifest known to be unmodified
   *
   * Cost: one `lstat` per file.
   */
  isWhole(manifest: ManifestFile): boolean {
    const stamp = readStamp(this.#path, manifest.sha256)
    const folders = new FolderFingerprints(this.#folders)
    for (const [path, bytes] of manifest.sizes()) {
      folders.add(path)
      const stats = this.#folders.hasFolderOf(path) ? this.#look(path) : undefined
      const isThere = stats?.isFile() === true && stats.size === bytes
      if (!isThere) return false
      if (stamp === null || stats.ctimeMs >= stamp.time) return this.#holdsAll()
    }
    return stamp?.folders === folders.digest || this.#holdsAll()
  }

  /**
   * Reports whether the file on disk has the wanted content.
   *
   * A file of the right length that was not modified since the build stamp is not read. Others, such as copied or
   * restored files, are read and hashed.
   *
   * Cost: one `lstat` of 3 µs; 20 µs more for a file that is read.
   */
  holds(path: string, wanted: FileEntry): boolean {
    if (!this.#folders.hasFolderOf(path)) return false
    const stats = this.#look(path)
    if (!stats?.isFile() || stats.size !== wanted.bytes) return false
    // `ctime`, not `mtime`, which any program can set.
    const stampedAt = this.#stampTime()
    if (stats.ctimeMs < stampedAt) return this.files.get(path)?.sha256 === wanted.sha256
    if (stats.ctimeMs !== stampedAt) this.#isDoubtful = true
    return hashOfFile(`${this.#path}/${path}`) === wanted.sha256
  }

  /**
   * Returns the existing responses that the new build does not have. They must be removed, as one may be an unpublished
   * post. Lists come before the resources that they name, images last. Without a valid build stamp, this includes
   * responses that no manifest names.
   */
  staleResponses(files: FileEntries): readonly string[] {
    const lastResponses = [...this.files]
      .filter(([path, { stage }]) => stage !== 'data' || path.startsWith(`${mediaFolder}/`))
      .map(([path]) => path)
    const found = this.isUncertain ? this.#unknownResponses() : []
    return [...found, ...lastResponses.reverse()].filter(
      (path) =>
        !files.has(path) && this.#folders.hasFolderOf(path) && this.#look(path) !== undefined,
    )
  }

  /**
   * Returns the function's files that neither the last build nor the new one needs. Those of the last build stay, as a
   * running function may still read them.
   *
   * @param last files that the last build needs. @default all files of its manifest
   */
  staleData(files: Paths, last: Paths = this.files): readonly string[] {
    return this.#listBelow(functionFolder).filter(
      (path) => contentNamed.test(path) && !files.has(path) && !last.has(path),
    )
  }

  /** Returns files that no manifest names: from a killed build, or another one. */
  #unknownResponses(): readonly string[] {
    const responses = Object.values(versionRoots).flatMap((root) =>
      this.#listBelow(root).flatMap((path) => {
        const request = requestOfFile(path)
        if (request === null || this.files.has(path)) return []
        return [{ path, isList: request.identifier === null || includesPosts(request.parameters) }]
      }),
    )
    const media = this.#listBelow(mediaFolder).filter(
      (path) => contentNamed.test(path) && !this.files.has(path),
    )
    const sorted = responses.sort((a, b) => Number(b.isList) - Number(a.isList))
    return [...sorted.map(({ path }) => path), ...media]
  }

  /** NaN without a valid stamp. */
  #stampTime(): number {
    this.#stampedAt ??= this.#readStampTime()
    return this.#stampedAt
  }

  #readStampTime(): number {
    const { isUnfinished, manifestFile } = this.#folder
    if (this.#isForced || isUnfinished) return Number.NaN
    const stamp = readStamp(this.#path, manifestFile?.sha256)
    if (stamp === null) return Number.NaN
    const folders = FolderFingerprints.of(this.files.keys(), this.#folders)
    return stamp.folders === folders.digest ? stamp.time : Number.NaN
  }

  #holdsAll(): boolean {
    for (const [path, entry] of this.files) if (!this.holds(path, entry)) return false
    return true
  }

  #look(path: string): Stats | undefined {
    // Does not check every folder of the path again: a build calls this for each file.
    return lstatSync(`${this.#path}/${path}`, { throwIfNoEntry: false })
  }

  #listBelow(folder: string): readonly string[] {
    if (!this.#folders.hasFolderOf(`${folder}/x`)) return []
    const place = join(this.#path, folder)
    const names = touching(place, 'The last build is as it was.', () => listFiles(place))
    return names.map((path) => `${folder}/${path}`)
  }
}

const contentNamed = /[/-][0-9a-f]{32}\.\w+$/

/** Null if it cannot be read: then it is written again. */
function hashOfFile(file: string): string | null {
  try {
    return hash('sha256', readFileSync(file))
  } catch {
    return null
  }
}
