// Writes a build: first every changed file beside the output, then all of them into it, one by one, in an order in which
// no list names a missing post.
import { hash, randomUUID } from 'node:crypto'
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
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mediaFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import { includesPosts } from '../api/request.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { functionFolder } from '../snapshot/format.ts'
import {
  codeOf,
  OutputError,
  RealFolders,
  restrictAccess,
  syncDisk,
  touching,
  writeNewFile,
} from './disk.ts'
import {
  encodeManifest,
  type FileEntries,
  type FileEntry,
  type Manifest,
  type Stage,
} from './manifest.ts'
import { listFiles, type OutputFolder, unfinishedName } from './output.ts'

/** A file, and how it is made. */
export interface Output {
  /** Below the output folder; several paths are hard links to one file where the disk allows it. */
  readonly paths: readonly string[]
  readonly stage: Stage
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

/** Options of a writer. */
export interface WriterOptions {
  /** Also writes unchanged files. @default false */
  readonly isForced?: boolean | undefined
  /** Does not wait until the files are on the disk. @default false */
  readonly isQuick?: boolean | undefined
  /** Restricts files that are not public to their owner, or opens them again. @default modes stay as they are */
  readonly isOwnerOnly?: boolean | undefined
}

/**
 * Writes one build: `add` everything, then `publish`; always `close` at the end.
 *
 * Files change in this order, each atomically:
 *
 * 1. data: what functions read, under new names, and images;
 * 2. single resources; 3. lists, whose posts all exist by now;
 * 4. obsolete responses are removed, lists first: from here on an unpublished post is not readable;
 * 5. the index, and 6. the manifest: every file that they refer to exists;
 * 7. data is removed that only builds before the last one needed. The last build's data stays for running functions.
 *
 * Every new file is on the disk before step 1, and every change before the mark is removed, so that a power cut leaves
 * what a kill would. The mark `.unfinished` is there from before step 1 until after step 7. Where the next build finds
 * it, it takes no file as it is.
 */
export class Writer {
  /** Every file added so far. */
  readonly files: Map<string, FileEntry> = new Map()
  /** SHA-256 of the manifest that `publish` wrote or left, hexadecimal. */
  manifestSha256 = ''
  /** Responses and images that `publish` removed. */
  removed: readonly string[] = []
  readonly #folder: OutputFolder
  readonly #folders: RealFolders
  readonly #isForced: boolean
  readonly #isQuick: boolean
  readonly #isOwnerOnly: boolean | undefined
  /** Files of the last build that may be as it left them. */
  readonly #last: FileEntries
  /** When the last build ended, in milliseconds since 1970: what changed since then is read. */
  readonly #endedAt: number
  #isDoubtful = false
  #beside: NewFiles | undefined
  readonly #new = new Set<string>()
  readonly #written: Record<Stage, string[]> = { data: [], resource: [], list: [], index: [] }
  /** Paths with capitals by their lower-cased form, for case-insensitive file systems. */
  readonly #capitals = new Map<string, string>()

  constructor(
    folder: OutputFolder,
    { isForced = false, isQuick = false, isOwnerOnly }: WriterOptions = {},
  ) {
    this.#folder = folder
    this.#isForced = isForced
    this.#isQuick = isQuick
    this.#isOwnerOnly = isOwnerOnly
    this.#folders = new RealFolders(folder.path)
    this.#last = (isForced ? null : folder.last)?.files ?? new Map()
    const manifest = lstatSync(join(folder.path, manifestName), { throwIfNoEntry: false })
    // `ctime`, not `mtime`, which any program can set.
    this.#endedAt = folder.isMarked ? 0 : (manifest?.ctimeMs ?? 0)
    removeLeftovers(folder.path)
  }

  /** The output folder. */
  get out(): string {
    return this.#folder.path
  }

  /** Returns the folder in which an added file lies until the build is published. */
  folderOf(path: string): string {
    return this.#new.has(path) ? (this.#beside?.path ?? this.out) : this.out
  }

  /** Files of the last build. */
  get lastFiles(): FileEntries {
    return this.#folder.last?.files ?? new Map()
  }

  /**
   * Writes a file beside the output for every path that does not have its bytes yet.
   *
   * @throws OutputError if it cannot be written, or a path differs from another one only in case
   */
  async add({ paths, stage, etag, bytes: make }: Output): Promise<void> {
    for (const path of paths) this.#claimName(path, paths)
    if (etag !== undefined && this.#keep(paths, etag, stage)) return
    const bytes = await make()
    const sha256 = hash('sha256', bytes)
    const entry = { stage, bytes: bytes.length, sha256, ...(etag === undefined ? {} : { etag }) }
    let first: string | undefined
    for (const path of paths) {
      // Workspaces share a function's file of the same name, and thus the same content.
      if (this.files.get(path)?.sha256 === sha256) continue
      this.files.set(path, entry)
      if (!this.#isForced && this.#holds(path, entry)) continue
      this.#beside ??= new NewFiles(this.#folder.path, this.#isOwnerOnly)
      this.#beside.write(path, bytes, first)
      first ??= path
      this.#written[stage].push(path)
      this.#new.add(path)
    }
  }

  /**
   * Moves new files into the output folder and removes obsolete ones.
   *
   * @throws OutputError on a system error; LockError if another build took over
   */
  async publish(manifest: Manifest): Promise<Changes> {
    const written = Object.values(this.#written).flat()
    const responses = this.#obsoleteResponses()
    const data = this.#obsoleteData()
    const bytes = encodeManifest(manifest)
    this.manifestSha256 = hash('sha256', bytes)
    const file = join(this.#folder.path, manifestName)
    const isSame = this.manifestSha256 === this.#folder.manifestSha256
    const removed = responses.length + data.length
    if (!isSame || written.length + removed > 0 || this.#folder.isMarked) {
      this.#beside ??= new NewFiles(this.#folder.path, this.#isOwnerOnly)
      this.#beside.write(manifestName, bytes)
      await this.#move(this.#beside, responses, data)
    } else {
      restrictAccess(this.#folder.path, closedNames, this.#isOwnerOnly)
      if (this.#isDoubtful) this.#believe(file)
    }
    this.removed = responses
    return { written: written.length, unchanged: this.files.size - written.length, removed }
  }

  /** Reports whether every file of the last build is as that build left it. Cost: one `lstat` per file. */
  isLastWhole(): boolean {
    const { last, isMarked } = this.#folder
    if (this.#isForced || isMarked || last === null) return false
    for (const [path, entry] of last.files) if (!this.#holds(path, entry)) return false
    restrictAccess(this.#folder.path, closedNames, this.#isOwnerOnly)
    if (this.#isDoubtful) this.#believe(join(this.#folder.path, manifestName))
    return true
  }

  /** Removes new files that were not published, and releases the lock; does not change published files. */
  close(): void {
    this.#beside?.remove()
    this.#folder.close()
  }

  async #move(
    beside: NewFiles,
    responses: readonly string[],
    data: readonly string[],
  ): Promise<void> {
    const { path: out } = this.#folder
    const mark = join(out, unfinishedName)
    this.#folder.assertHeld()
    touching(mark, untouched, () => {
      // The mark of a killed build stays: its files are still there.
      if (!existsSync(mark)) writeNewFile(mark, new Uint8Array())
    })
    // Whatever can be refused or needs space comes before the first move.
    for (const path of Object.values(this.#written).flat()) {
      touching(join(out, path), untouched, () => this.#folders.makeFolderOf(path))
    }
    restrictAccess(beside.path, closedNames, this.#isOwnerOnly)
    restrictAccess(out, closedNames, this.#isOwnerOnly)
    if (!this.#isQuick) await syncDisk(out)
    this.#folder.assertHeld()
    const moveIn = (path: string) =>
      this.#touch(path, (target) => renameSync(join(beside.path, path), target))
    for (const stage of ['data', 'resource', 'list'] as const) this.#written[stage].forEach(moveIn)
    for (const path of responses) this.#touch(path, unlinkSync)
    this.#written.index.forEach(moveIn)
    moveIn(manifestName)
    for (const path of data) this.#touch(path, unlinkSync)
    if (responses.length + data.length > 0 || this.#folder.isMarked) this.#removeEmptyFolders()
    if (!this.#isQuick) await syncDisk(out)
    this.#touch(unfinishedName, unlinkSync)
  }

  /** Keeps the files of the last build if all of them have the tag and are as it left them. */
  #keep(paths: readonly string[], etag: string, stage: Stage): boolean {
    const entries: FileEntry[] = []
    for (const path of paths) {
      const entry = this.#last.get(path)
      if (entry?.etag !== etag || entry.stage !== stage || !this.#holds(path, entry)) return false
      entries.push(entry)
    }
    for (const [at, path] of paths.entries()) this.files.set(path, entries[at] as FileEntry)
    return true
  }

  /**
   * Reports whether the file on disk has the wanted content. A file of the last build that has its size and was not
   * changed since is not read. Others, such as copied or restored files, are read and hashed.
   *
   * Cost: one `lstat` of 3 µs; 20 µs more for a file that is read.
   */
  #holds(path: string, wanted: FileEntry): boolean {
    if (!this.#folders.hasFolderOf(path)) return false
    const stats = this.#look(path)
    if (!stats?.isFile() || stats.size !== wanted.bytes) return false
    const isKnown = this.#last.get(path)?.sha256 === wanted.sha256
    if (isKnown && stats.ctimeMs < this.#endedAt) return true
    this.#isDoubtful ||= stats.ctimeMs > this.#endedAt
    return hashOfFile(join(this.#folder.path, path)) === wanted.sha256
  }

  /** All files were found as the build left them: they are not read again. */
  #believe(manifest: string): void {
    const { atime, mtime } = statSync(manifest)
    this.#touch(manifestName, (file) => utimesSync(file, atime, mtime))
  }

  /**
   * Responses on the disk that this build does not have, whoever left them: lists before the resources that they name,
   * images last.
   */
  #obsoleteResponses(): readonly string[] {
    const lists: string[] = []
    const singles: string[] = []
    for (const root of Object.values(versionRoots)) {
      for (const path of this.#listBelow(root)) {
        const request = this.files.has(path) ? null : requestOfFile(path)
        if (request === null) continue
        const isList = request.identifier === null || includesPosts(request.parameters)
        ;(isList ? lists : singles).push(path)
      }
    }
    const images = this.#listBelow(mediaFolder).filter(
      (path) => !this.files.has(path) && contentNamed.test(path),
    )
    return [...lists, ...singles, ...images]
  }

  /** The function's files that neither the last build nor this one needs. */
  #obsoleteData(): readonly string[] {
    return this.#listBelow(functionFolder).filter(
      (path) => contentNamed.test(path) && !this.files.has(path) && !this.lastFiles.has(path),
    )
  }

  #look(path: string): Stats | undefined {
    // Does not check every folder of the path again: a build calls this for each file.
    return lstatSync(`${this.#folder.path}/${path}`, { throwIfNoEntry: false })
  }

  #listBelow(folder: string): readonly string[] {
    if (!this.#folders.hasFolderOf(`${folder}/x`)) return []
    const place = join(this.#folder.path, folder)
    return touching(place, untouched, () => listFiles(place)).map((path) => `${folder}/${path}`)
  }

  #removeEmptyFolders(): void {
    for (const folder of [functionFolder, mediaFolder, ...Object.values(versionRoots)]) {
      if (!existsSync(join(this.#folder.path, folder))) continue
      this.#removeEmptyBelow(folder)
      // Their parents may contain folders of the user.
      if (folder !== functionFolder) this.#touch(dirname(folder), removeIfEmpty)
    }
  }

  /** Removes folders that contain no file at any depth. Does not follow links. */
  #removeEmptyBelow(folder: string): void {
    this.#touch(folder, (path) => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (entry.isDirectory()) this.#removeEmptyBelow(`${folder}/${entry.name}`)
      }
      removeIfEmpty(path)
    })
  }

  #touch(path: string, work: (file: string) => void): void {
    const file = join(this.#folder.path, path)
    touching(file, 'What is there is partly new; the next build completes it.', () => work(file))
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

const untouched = 'The last build is as it was.'
const manifestName = 'manifest.json'
const closedNames = [dirname(versionRoots.v2), functionFolder, manifestName]

/** Names made of a hash of the content: nobody else's files. */
const contentNamed = /[/-][0-9a-f]{32}\.\w+$/

/** Null if it cannot be read: then it is written again. */
function hashOfFile(file: string): string | null {
  try {
    return hash('sha256', readFileSync(file))
  } catch {
    return null
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}

/**
 * The new files of a build until all are complete, in a folder next to the output folder, or inside it if files cannot
 * be moved from next to it.
 */
class NewFiles {
  readonly path: string
  readonly #folders: RealFolders

  constructor(out: string, isOwnerOnly = false) {
    this.path = makeFolderBeside(out, isOwnerOnly ? 0o700 : 0o777)
    this.#folders = new RealFolders(this.path)
  }

  /** @param twin path of a file with the same bytes, to be linked @throws OutputError if it cannot be written */
  write(path: string, bytes: Uint8Array, twin?: string): void {
    const file = join(this.path, path)
    touching(file, untouched, () => {
      this.#folders.makeFolderOf(path)
      if (twin === undefined || !isLinked(join(this.path, twin), file)) writeNewFile(file, bytes)
    })
  }

  remove(): void {
    removeTree(this.path)
  }
}

/** False where hard links are not supported. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

function makeFolderBeside(out: string, mode: number): string {
  const token = randomUUID()
  const beside = join(dirname(out), `.${basename(out)}.${token}.new`)
  try {
    mkdirSync(beside, mode)
    if (canMove(beside, out)) return beside
    rmdirSync(beside)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') {
      return touching(beside, untouched, () => {
        throw error
      })
    }
  }
  const inside = join(out, `.new-${token}`)
  touching(inside, untouched, () => mkdirSync(inside, mode))
  return inside
}

/**
 * Reports whether files can be moved between two folders. One file system may be mounted at both, with equal device
 * numbers, and still refuse moves (EXDEV). Linux reports that even for a missing file.
 */
function canMove(from: string, to: string): boolean {
  if (statSync(from).dev !== statSync(to).dev) return false
  try {
    renameSync(join(from, 'nothing'), join(to, basename(from)))
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
  return true
}

/** Removes new files of killed builds: the lock holder knows that they are unused. */
function removeLeftovers(out: string): void {
  const parent = dirname(out)
  const prefix = `.${basename(out)}.`
  for (const name of namesIn(parent)) {
    // Tokens contain no `.`, so the files of a folder `dist.x` do not match those of `dist`.
    const isOurs = name.startsWith(prefix) && /^[0-9a-f-]+\.new$/.test(name.slice(prefix.length))
    if (isOurs) removeTree(join(parent, name))
  }
  for (const name of namesIn(out)) {
    if (name.startsWith('.new-') || name === '.seal') removeTree(join(out, name))
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // A process that may not list the parent has written nothing there.
    return []
  }
}

/** The next build removes what cannot be removed now. */
function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}
