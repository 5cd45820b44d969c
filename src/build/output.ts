// The output folder: its validation, the last build in it, and the writing of the next build. Every changed file is
// written into a folder of new files first; then all of them are moved to their places, one by one, in an order in
// which no file names a missing one.
import { hash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  browserFolder,
  browserPrograms,
  mediaFolder,
  publicFolder,
  requestOfFile,
  versionRoots,
} from '../api/paths.ts'
import { includesPosts } from '../api/request.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { isInside } from '../content/mounts.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import { explainError, OutputError, RealFolders, realPath, succeeds, writeNewFile } from './disk.ts'
import { takeLock } from './lock.ts'
import { decodeManifest, encodeManifest, type FileEntry, type Manifest } from './manifest.ts'

/** An output file, and a function that makes its bytes. */
export interface OutputFile {
  /** Paths below the output folder. They are hard links to one file if the disk supports links. */
  readonly paths: readonly string[]
  /** Equal tags imply equal bytes; without a tag, the bytes are always made. */
  readonly etag?: string
  /** Makes the bytes. Not called if the tag shows that they exist. */
  readonly bytes: () => Awaitable<Uint8Array>
}

/** Changes of a build on disk. */
export interface Changes {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** Name of the file that marks the output folder while files are moved in. */
const unfinishedName = '.unfinished'

/** Folder of the files of an unfinished build. */
const newFolder = '.new'
const lockName = '.lock'
const manifestName = 'manifest.json'

/**
 * Validates, creates and locks the output folder.
 *
 * @param isForced also writes unchanged files
 * @throws OutputError if it is `/`, the home folder, the working folder, contains the content or is inside it, contains
 *   files of another program, or cannot be written to
 * @throws LockError if another build is writing to it
 */
export async function openOutput(out: string, content: string, isForced = false): Promise<Output> {
  const path = realPath(resolve(out))
  rejectDangerous(path, realPath(resolve(content)))
  rejectForeign(path)
  try {
    const created = mkdirSync(path, { recursive: true })
    // Two builds that start together can collide, so each tries for a short time.
    const release = await takeLock(join(path, lockName), 100)
    const close = () => {
      release()
      // A build that wrote nothing leaves no folder.
      if (created) removeIfEmpty(path)
    }
    return new Output(path, { isForced, close })
  } catch (error) {
    throw explainError(error, 'Nothing was changed.')
  }
}

/**
 * Writes one build into the output folder, which this process has locked: `add` everything in the order in which it is
 * to appear, then `publish`; always `close` at the end.
 *
 * Files change in this order, each atomically:
 *
 * 1. files in the order in which they were added: the function's data, under new names; single resources; lists, whose
 *    posts all exist by now;
 * 2. obsolete responses are removed, lists first and images last: from here on an unpublished post is not readable;
 * 3. the root, and 4. the manifest: every file that they refer to exists;
 * 5. data is removed that only earlier builds needed; outside the public folder, the last build's stays for functions.
 *
 * The mark `.unfinished` exists from before step 1 until after step 5. If the next build finds the mark, it reads every
 * file that it keeps.
 */
export class Output {
  /** Absolute, with links resolved. */
  readonly path: string
  /** Manifest of the last build; null if there is none, or if it was modified. */
  readonly last: Manifest | null
  /** SHA-256 of the manifest file, hexadecimal; empty without one. */
  manifestSha256: string
  /** Every file added so far. */
  readonly files: Map<string, FileEntry> = new Map()
  readonly #folders: RealFolders
  readonly #isForced: boolean
  readonly #close: () => void
  /** True if a build was killed while it was moving files. */
  readonly #isMarked: boolean
  /** When the last build ended, in milliseconds since 1970. Files with later changes are read. */
  readonly #endedAt: number
  /** The files in the folder of new files, by their final paths. */
  readonly #new = new Map<string, string>()

  /** @param close releases the lock */
  constructor(path: string, { isForced, close }: { isForced: boolean; close: () => void }) {
    this.path = path
    const manifest = manifestIn(path)
    this.last = manifest && decodeManifest(manifest)
    this.manifestSha256 = manifest === null ? '' : hash('sha256', manifest)
    this.#folders = new RealFolders(path)
    this.#isForced = isForced
    this.#close = close
    this.#isMarked = existsSync(join(path, unfinishedName))
    const stats = lstatSync(join(path, manifestName), { throwIfNoEntry: false })
    // `ctime`, not `mtime`, which any program can set.
    this.#endedAt = this.#isMarked ? 0 : (stats?.ctimeMs ?? 0)
    this.#removeNewFiles()
  }

  /** Returns the absolute path at which an added file is until the build is published. */
  fileOf(path: string): string {
    return this.#new.get(path) ?? join(this.path, path)
  }

  /**
   * Writes a new file for every path that does not have its bytes yet.
   *
   * @throws OutputError if it cannot be written
   */
  async add({ paths, etag, bytes: make }: OutputFile): Promise<void> {
    if (etag !== undefined && this.#keep(paths, etag)) return
    const bytes = await make()
    const sha256 = hash('sha256', bytes)
    const entry = { bytes: bytes.length, sha256, ...(etag === undefined ? {} : { etag }) }
    let twin: string | undefined
    try {
      for (const path of paths) {
        this.files.set(path, entry)
        if (this.#holds(path, entry)) continue
        twin = this.#write(path, bytes, twin)
      }
    } catch (error) {
      throw explainError(error, unchangedState)
    }
  }

  /**
   * Moves new files to their places and removes obsolete ones.
   *
   * @throws OutputError on a system error
   */
  publish(manifest: Manifest): Changes {
    const written = this.#new.size
    const bytes = encodeManifest(manifest)
    const sha256 = hash('sha256', bytes)
    const isSame = sha256 === this.manifestSha256
    this.manifestSha256 = sha256
    let state = unchangedState
    try {
      const [data, responses] = this.#obsolete()
      const removed = responses.length + data.length
      if (!isSame || written + removed > 0 || this.#isMarked) {
        this.#write(manifestName, bytes)
        const mark = join(this.path, unfinishedName)
        // The mark of a killed build stays: its files are still there.
        if (!existsSync(mark)) writeNewFile(mark, new Uint8Array())
        // Everything that may fail or needs space comes before the first move.
        for (const path of this.#new.keys()) this.#folders.make(dirname(path))
        state = 'The output folder is partly updated. The next build completes it.'
        this.#move(responses, data)
      }
      return { written, unchanged: this.files.size - written, removed }
    } catch (error) {
      throw explainError(error, state)
    }
  }

  /** Reports whether no file of the last build has changed. Cost: one `lstat` per file. */
  isLastWhole(): boolean {
    if (this.#isMarked || this.last === null) return false
    for (const [path, entry] of this.last.files) if (!this.#holds(path, entry)) return false
    return true
  }

  /** Removes new files that were not published, and releases the lock; does not change published files. */
  close(): void {
    this.#removeNewFiles()
    this.#close()
  }

  /** @param twin a new file with the same bytes, to be linked @returns the new file */
  #write(path: string, bytes: Uint8Array, twin?: string): string {
    const file = join(this.path, newFolder, String(this.#new.size))
    if (this.#new.size === 0) mkdirSync(dirname(file))
    // Not all disks support hard links.
    const isLinked = twin !== undefined && succeeds(() => linkSync(twin, file))
    if (!isLinked) writeNewFile(file, bytes)
    this.#new.set(path, file)
    return file
  }

  #move(responses: readonly string[], data: readonly string[]): void {
    const last = [...roots, manifestName]
    const move = (path: string) => renameSync(this.fileOf(path), join(this.path, path))
    const remove = (path: string) => rmSync(join(this.path, path), { force: true })
    for (const path of this.#new.keys()) if (!last.includes(path)) move(path)
    for (const path of responses) remove(path)
    for (const path of last) if (this.#new.has(path)) move(path)
    for (const path of data) remove(path)
    const folders = [...dataFolders, mediaFolder, ...Object.values(versionRoots)]
    for (const folder of folders) removeEmptyBelow(join(this.path, folder))
    remove(unfinishedName)
  }

  /** Keeps the files of the last build if all of them have the tag and have not changed. */
  #keep(paths: readonly string[], etag: string): boolean {
    const isKept = paths.every((path) => {
      const entry = this.last?.files.get(path)
      return entry?.etag === etag && this.#holds(path, entry)
    })
    if (isKept)
      for (const path of paths) this.files.set(path, this.last?.files.get(path) as FileEntry)
    return isKept
  }

  /**
   * Reports whether the file on disk has the wanted content; never in a forced build. A file of the last build with the
   * same size that has not changed since then is not read. Other files, such as copied or restored ones, are hashed.
   *
   * Cost: one `lstat` of 3 µs; 20 µs more for a file that is read.
   */
  #holds(path: string, wanted: FileEntry): boolean {
    if (this.#isForced || !this.#folders.has(dirname(path))) return false
    const file = `${this.path}/${path}`
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size !== wanted.bytes) return false
    const isKnown = this.last?.files.get(path)?.sha256 === wanted.sha256
    // Files that were moved last may have the time of the manifest: file times have a resolution of milliseconds.
    if (isKnown && stats.ctimeMs <= this.#endedAt) return true
    try {
      return hash('sha256', readFileSync(file)) === wanted.sha256
    } catch {
      return false
    }
  }

  /**
   * Returns the files of quarry on disk that are not in this build: data, except the last build's data of functions;
   * and responses, lists before the resources that they name, and images last.
   */
  #obsolete(): readonly [data: readonly string[], responses: readonly string[]] {
    const gone = listFiles(this.path).filter((path) => !this.files.has(path))
    const ranked = (rank: number) => gone.filter((path) => rankOf(path) === rank)
    const isKept = (path: string) =>
      this.last?.files.has(path) && path.startsWith(`${functionFolder}/`)
    const data = ranked(4).filter((path) => !isKept(path))
    return [data, [0, 1, 2, 3].flatMap(ranked)]
  }

  /** Removes new files, also those of a killed build. The next build removes the files that cannot be removed now. */
  #removeNewFiles(): void {
    succeeds(() => rmSync(join(this.path, newFolder), { recursive: true, force: true }))
  }
}

const unchangedState = 'The last build is unchanged.'

/** Folders of a root and its data. */
const dataFolders = [functionFolder, browserFolder]
const programs = browserPrograms.map((name) => `${publicFolder}/${name}`)
const roots = dataFolders.map((folder) => `${folder}/${rootName}`)

/** Names with a hash of the content, which only quarry's files have. */
const hashedName = /[/-][0-9a-f]{32}\.\w+$/

/** Returns the rank of a file in the order of removal; undefined for files of other programs. */
function rankOf(path: string): number | undefined {
  if (programs.includes(path) || roots.includes(path)) return 0
  const request = requestOfFile(path)
  if (request !== null)
    return request.identifier === null || includesPosts(request.parameters) ? 1 : 2
  if (!hashedName.test(path)) return undefined
  if (path.startsWith(`${mediaFolder}/`)) return 3
  return dataFolders.some((folder) => path.startsWith(`${folder}/`)) ? 4 : undefined
}

/** Removes folders that contain no file at any depth. Does not follow links. */
function removeEmptyBelow(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyBelow(join(folder, entry.name))
  }
  removeIfEmpty(folder)
}

function removeIfEmpty(folder: string): boolean {
  return succeeds(() => rmdirSync(folder))
}

/** @throws OutputError if the folder contains files of another program */
function rejectForeign(path: string): void {
  if (!existsSync(path)) return
  if (!lstatSync(path).isDirectory()) throw new OutputError(`${path} is a file, not a folder.`)
  const manifest = manifestIn(path)
  // A manifest may have been modified since.
  const isOurs =
    existsSync(join(path, unfinishedName)) || /^\s*{\s*"quarry"\s*:/.test(`${manifest}`)
  // The root of a mounted disk contains a folder `lost+found`.
  if (isOurs || listFiles(path).every((file) => file.startsWith('lost+found'))) return
  throw new OutputError(
    `${path} contains files that quarry did not write. Choose another folder with --out, or empty it.`,
  )
}

function manifestIn(path: string): Buffer | null {
  const file = join(path, manifestName)
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : null
}

/** Lists every file below a folder, with `/` between names, without the mark, the lock and new files. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if ([unfinishedName, lockName, newFolder].includes(name)) return []
    if (!entry.isDirectory()) return [name]
    return listFiles(join(folder, name)).map((path) => `${name}/${path}`)
  })
}

function rejectDangerous(path: string, content: string): void {
  const refuse = (what: string) => {
    throw new OutputError(`The output folder is ${what}: ${path}. Choose another with --out.`)
  }
  if (dirname(path) === path) refuse('the root of the file system')
  if (path === realPath(homedir())) refuse('your home folder')
  if (isInside(realPath(process.cwd()), path)) refuse('the working folder, or contains it')
  if (isInside(content, path)) refuse('the content folder, or contains it')
  if (isInside(path, content)) refuse('inside the content folder')
}

/** @throws OutputError if a cache, which may contain drafts, would be in the output or read as content */
export function assertCacheFolder(cache: string, out: string, content: string): void {
  const path = realPath(resolve(cache))
  const refuse = (name: string) => {
    throw new OutputError(`The cache folder is inside the ${name} folder: ${path}. Choose another.`)
  }
  const output = realPath(resolve(out))
  // An output folder that contains the working folder is refused as such.
  if (isInside(path, output) && !isInside(realPath(process.cwd()), output)) refuse('output')
  if (isInside(path, realPath(resolve(content)))) refuse('content')
}
