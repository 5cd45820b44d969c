// The files of the last build in the output folder: which of its files are as it wrote them, and which are stale.
// Changes nothing on the disk.
import { hash } from 'node:crypto'
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { bundleFolder } from '../api/bundle.ts'
import { mediaFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import { includesPosts } from '../api/request.ts'
import { FolderFingerprints, readStamp } from './build-stamp.ts'
import type { FileEntries, FileEntry } from './file-entries.ts'
import type { ManifestFile } from './manifest-file.ts'
import { touching } from './output-error.ts'
import { listFiles, type OutputFolder } from './output-folder.ts'
import { PartOfBuild } from './part-of-build.ts'
import type { RealFolders } from './real-folders.ts'

/** Some files, by path below the output folder. */
type Paths = Pick<ReadonlySet<string>, 'has'>

/** The last build, as it lies on the disk now. */
export class LastBuild {
  readonly #path: string
  readonly #folder: OutputFolder
  readonly #folders: RealFolders
  readonly #isForced: boolean
  #files: FileEntries | undefined
  /** Files that nobody touched since then are as they were built; undefined until somebody wants to know. */
  #stampedAt: number | undefined
  #isDoubtful = false
  #part: PartOfBuild | null = null

  /** @param isForced believes no stamp */
  constructor(folder: OutputFolder, folders: RealFolders, isForced: boolean) {
    this.#path = folder.path
    this.#folder = folder
    this.#folders = folders
    this.#isForced = isForced
  }

  /** The files that are compared; null for all. */
  get part(): PartOfBuild | null {
    return this.#part
  }

  /** From now on only the files of one workspace are looked at, and each of them is read. */
  keepOthers(workspace: string): void {
    const stamp = readStamp(this.#path, this.#folder.manifestFile?.sha256)
    this.#part = new PartOfBuild(workspace, stamp, this.files.keys(), this.#folders)
  }

  /** In the order of upload, as its manifest has them. */
  get files(): FileEntries {
    this.#files ??= this.#folder.previous?.files ?? new Map()
    return this.#files
  }

  /** Files had to be read to know that they are as they were built: a new stamp saves that the next time. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  /** Nothing says that just the files of the last manifest are there, in just their folders. */
  get isUncertain(): boolean {
    return this.#part === null && Number.isNaN(this.#stampTime())
  }

  /**
   * True when every file of a build that was not interrupted is as it was left: nothing else is read of it where
   * no file was touched since the build stamp was set.
   *
   * @param manifest known to be as it was written
   *
   * Cost: an `lstat` a file.
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
   * True when the file on the disk is the one that is wanted.
   *
   * Nothing is read where its length is right and it was not touched since the build stamp was set. A file that was
   * touched, copied or restored is read and hashed.
   *
   * Cost: one `lstat` of 3 µs; 20 µs more for a file that is read.
   */
  holds(path: string, wanted: FileEntry): boolean {
    if (!this.#folders.hasFolderOf(path)) return false
    const stats = this.#look(path)
    if (!stats?.isFile() || stats.size !== wanted.bytes) return false
    // Not the time of the last change to its bytes: that one can be set by anybody.
    const stampedAt = this.#stampTime()
    if (stats.ctimeMs < stampedAt) return this.files.get(path)?.sha256 === wanted.sha256
    if (stats.ctimeMs !== stampedAt) this.#isDoubtful = true
    return hashOfFile(`${this.#path}/${path}`) === wanted.sha256
  }

  /**
   * Responses that are there and are no part of the new build: they must not be read any longer, as one of them may
   * be a post that was taken back. Lists come before what they name, and images are last. Where the build stamp says nothing of
   * what is there, responses are looked for that no manifest names.
   */
  staleResponses(files: FileEntries): readonly string[] {
    const known = [...this.files]
      .filter(([path, { stage }]) => stage !== 'data' || path.startsWith(`${mediaFolder}/`))
      .map(([path]) => path)
    const found = this.isUncertain ? this.#unknownResponses() : []
    return [...found, ...known.reverse()].filter(
      (path) =>
        !files.has(path) && this.#folders.hasFolderOf(path) && this.#look(path) !== undefined,
    )
  }

  /**
   * The files that functions read, and that neither the last build nor the new one needs. The last one's stays, as a function that
   * runs may still read from it.
   *
   * @param last what the last build needs. @default all that its manifest names
   */
  staleData(files: Paths, last: Paths = this.files): readonly string[] {
    return this.#listBelow(bundleFolder).filter(
      (path) => contentNamed.test(path) && !files.has(path) && !last.has(path),
    )
  }

  /** Files that only a build can have put there: one that was ended before it said so, or another one. */
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

  /** NaN where it is not known. */
  #stampTime(): number {
    this.#stampedAt ??= this.#readStampTime()
    return this.#stampedAt
  }

  #readStampTime(): number {
    const { isUnfinished, manifestFile } = this.#folder
    if (this.#isForced || this.#part !== null || isUnfinished) return Number.NaN
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
    // Without looking at every name on the way once more: a build does this for each of its files.
    return lstatSync(`${this.#path}/${path}`, { throwIfNoEntry: false })
  }

  #listBelow(folder: string): readonly string[] {
    if (!this.#folders.hasFolderOf(`${folder}/x`)) return []
    const place = join(this.#path, folder)
    const names = touching(place, 'The last build is as it was.', () => listFiles(place))
    return names.map((path) => `${folder}/${path}`)
  }
}

const contentNamed = /\/[0-9a-f]{32}\.\w+$/

/** Null when it cannot be read: then it is written again. */
function hashOfFile(file: string): string | null {
  try {
    return hash('sha256', readFileSync(file))
  } catch {
    return null
  }
}
