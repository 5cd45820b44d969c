// Writes a build: first every changed file into a folder of new files, then all of them to their places, one by one, in
// an order in which no list names a missing post.
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
import { basename, dirname, join } from 'node:path'
import { mediaFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import { includesPosts } from '../api/request.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { functionFolder } from '../snapshot/format.ts'
import { codeOf, OutputError, RealFolders, restrictAccess, touching, writeNewFile } from './disk.ts'
import {
  encodeManifest,
  type FileEntries,
  type FileEntry,
  type Manifest,
  type Stage,
  stages,
} from './manifest.ts'
import { listFiles, newFolder, type OutputFolder, unfinishedName } from './output.ts'

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
 * The mark `.unfinished` is there from before step 1 until after step 7. Where the next build finds it, it takes no file
 * as it is.
 */
export class Writer {
  /** Every file added so far. */
  readonly files: Map<string, FileEntry> = new Map()
  /** SHA-256 of the manifest that `publish` wrote or left, hexadecimal. */
  manifestSha256 = ''
  /** Responses and images that `publish` removed. */
  removed: readonly string[] = []
  /** The output folder. */
  readonly out: string
  /** Manifest of the last build; null for none. */
  readonly last: Manifest | null
  readonly #folder: OutputFolder
  readonly #folders: RealFolders
  readonly #isForced: boolean
  readonly #isOwnerOnly: boolean | undefined
  /** Files of the last build that may be as it left them. */
  readonly #known: FileEntries
  /** When the last build ended, in milliseconds since 1970: what changed since then is read. */
  readonly #endedAt: number
  /** The files in the folder of new files, by the path to which each is moved. */
  readonly #new = new Map<string, string>()
  /** Paths with capitals by their lower-cased form, for case-insensitive file systems. */
  readonly #capitals = new Map<string, string>()

  constructor(folder: OutputFolder, { isForced = false, isOwnerOnly }: WriterOptions = {}) {
    this.out = folder.path
    this.last = folder.last
    this.#folder = folder
    this.#isForced = isForced
    this.#isOwnerOnly = isOwnerOnly
    this.#folders = new RealFolders(folder.path)
    this.#known = (isForced ? null : folder.last)?.files ?? new Map()
    const manifest = lstatSync(join(folder.path, manifestName), { throwIfNoEntry: false })
    // `ctime`, not `mtime`, which any program can set.
    this.#endedAt = folder.isMarked ? 0 : (manifest?.ctimeMs ?? 0)
    this.#removeNewFiles()
  }

  /** Returns the absolute path at which an added file is until the build is published. */
  fileOf(path: string): string {
    return this.#new.get(path) ?? join(this.out, path)
  }

  /**
   * Writes a new file for every path that does not have its bytes yet.
   *
   * @throws OutputError if it cannot be written, or a path differs from another one only in case
   */
  async add({ paths, stage, etag, bytes: make }: Output): Promise<void> {
    for (const path of paths) this.#claimName(path, paths)
    if (etag !== undefined && this.#keep(paths, etag, stage)) return
    const bytes = await make()
    const sha256 = hash('sha256', bytes)
    const entry = { stage, bytes: bytes.length, sha256, ...(etag === undefined ? {} : { etag }) }
    let twin: string | undefined
    for (const path of paths) {
      // Workspaces share a function's file of the same name, and thus the same content.
      if (this.files.get(path)?.sha256 === sha256) continue
      this.files.set(path, entry)
      if (!this.#isForced && this.#holds(path, entry)) continue
      twin = this.#write(path, bytes, twin)
    }
  }

  /**
   * Moves new files to their places and removes obsolete ones.
   *
   * @throws OutputError on a system error
   */
  publish(manifest: Manifest): Changes {
    const written = this.#new.size
    const responses = this.#obsoleteResponses()
    const data = this.#obsoleteData()
    const bytes = encodeManifest(manifest)
    this.manifestSha256 = hash('sha256', bytes)
    const isSame = this.manifestSha256 === this.#folder.manifestSha256
    const removed = responses.length + data.length
    if (!isSame || written + removed > 0 || this.#folder.isMarked) {
      this.#write(manifestName, bytes)
      this.#move(responses, data)
    } else restrictAccess(this.out, closedNames, this.#isOwnerOnly)
    this.removed = responses
    return { written, unchanged: this.files.size - written, removed }
  }

  /** Reports whether every file of the last build is as that build left it. Cost: one `lstat` per file. */
  isLastWhole(): boolean {
    if (this.#isForced || this.#folder.isMarked || this.last === null) return false
    for (const [path, entry] of this.last.files) if (!this.#holds(path, entry)) return false
    restrictAccess(this.out, closedNames, this.#isOwnerOnly)
    return true
  }

  /** Removes new files that were not published, and releases the lock; does not change published files. */
  close(): void {
    this.#removeNewFiles()
    this.#folder.close()
  }

  /** @param twin a new file with the same bytes, to be linked @returns the new file */
  #write(path: string, bytes: Uint8Array, twin?: string): string {
    const file = join(this.out, newFolder, String(this.#new.size))
    touching(join(this.out, path), untouched, () => {
      if (this.#new.size === 0) {
        mkdirSync(dirname(file), this.#isOwnerOnly === true ? 0o700 : 0o777)
      }
      if (twin === undefined || !isLinked(twin, file)) writeNewFile(file, bytes)
    })
    this.#new.set(path, file)
    return file
  }

  #move(responses: readonly string[], data: readonly string[]): void {
    const mark = join(this.out, unfinishedName)
    // The mark of a killed build stays: its files are still there.
    if (!existsSync(mark)) touching(mark, untouched, () => writeNewFile(mark, new Uint8Array()))
    // Whatever can be refused or needs space comes before the first move.
    const moves: Record<Stage, string[]> = { data: [], resource: [], list: [], index: [] }
    for (const path of this.#new.keys()) {
      touching(join(this.out, path), untouched, () => this.#folders.makeFolderOf(path))
      // The index is the last but one, and the manifest the last.
      moves[this.files.get(path)?.stage ?? 'index'].push(path)
    }
    restrictAccess(this.out, closedNames, this.#isOwnerOnly)
    const manifest = this.fileOf(manifestName)
    restrictAccess(dirname(manifest), [basename(manifest)], this.#isOwnerOnly)
    for (const stage of stages) {
      if (stage === 'index') for (const path of responses) this.#remove(path)
      for (const path of moves[stage]) {
        this.#touch(path, (file) => renameSync(this.fileOf(path), file))
      }
    }
    for (const path of data) this.#remove(path)
    if (responses.length + data.length > 0 || this.#folder.isMarked) this.#removeEmptyFolders()
    this.#remove(unfinishedName)
  }

  /** Keeps the files of the last build if all of them have the tag and are as it left them. */
  #keep(paths: readonly string[], etag: string, stage: Stage): boolean {
    const isKept = paths.every((path) => {
      const entry = this.#known.get(path)
      return entry?.etag === etag && entry.stage === stage && this.#holds(path, entry)
    })
    if (isKept) for (const path of paths) this.files.set(path, this.#known.get(path) as FileEntry)
    return isKept
  }

  /**
   * Reports whether the file on disk has the wanted content. A file of the last build that has its size and was not
   * changed since is not read. Others, such as copied or restored files, are read and hashed.
   *
   * Cost: one `lstat` of 3 µs; 20 µs more for a file that is read.
   */
  #holds(path: string, wanted: FileEntry): boolean {
    if (!this.#folders.hasFolderOf(path)) return false
    const file = `${this.out}/${path}`
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size !== wanted.bytes) return false
    const isKnown = this.#known.get(path)?.sha256 === wanted.sha256
    // Files that were moved last have the time of the manifest: clocks of files tick every few milliseconds.
    if (isKnown && stats.ctimeMs <= this.#endedAt) return true
    try {
      return hash('sha256', readFileSync(file)) === wanted.sha256
    } catch {
      return false
    }
  }

  /**
   * Responses that this build does not have: lists before the resources that they name, images last. They are those of
   * the last build; where a build was killed or its manifest is lost, those on the disk.
   */
  #obsoleteResponses(): readonly string[] {
    const isKnown = this.#known.size > 0 && !this.#folder.isMarked
    const roots = [...Object.values(versionRoots), mediaFolder]
    const lists: string[] = []
    const singles: string[] = []
    const images: string[] = []
    for (const path of isKnown ? this.#known.keys() : roots.flatMap((root) => this.#list(root))) {
      if (this.files.has(path) || !this.#folders.hasFolderOf(path)) continue
      if (path.startsWith(`${mediaFolder}/`) && contentNamed.test(path)) images.push(path)
      const request = requestOfFile(path)
      if (request === null) continue
      const isList = request.identifier === null || includesPosts(request.parameters)
      ;(isList ? lists : singles).push(path)
    }
    return [...lists, ...singles, ...images]
  }

  /** The function's files that neither the last build nor this one needs. */
  #obsoleteData(): readonly string[] {
    return this.#list(functionFolder).filter(
      (path) => contentNamed.test(path) && !this.files.has(path) && !this.last?.files.has(path),
    )
  }

  #list(folder: string): readonly string[] {
    if (!this.#folders.hasFolderOf(`${folder}/x`)) return []
    const place = join(this.out, folder)
    return touching(place, untouched, () => listFiles(place)).map((path) => `${folder}/${path}`)
  }

  #removeEmptyFolders(): void {
    for (const folder of [functionFolder, mediaFolder, ...Object.values(versionRoots)]) {
      if (!existsSync(join(this.out, folder))) continue
      this.#touch(folder, removeEmptyBelow)
      // Their parents may contain folders of the user.
      if (folder !== functionFolder) this.#touch(dirname(folder), removeIfEmpty)
    }
  }

  #remove(path: string): void {
    this.#touch(path, (file) => rmSync(file, { force: true }))
  }

  #touch(path: string, work: (file: string) => void): void {
    const file = join(this.out, path)
    touching(file, 'What is there is partly new; the next build completes it.', () => work(file))
  }

  /** Also those of a build that was killed. The next build removes what cannot be removed now. */
  #removeNewFiles(): void {
    try {
      rmSync(join(this.out, newFolder), { recursive: true, force: true })
    } catch {}
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

/** False where hard links are not supported. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

/** Removes folders that contain no file at any depth. Does not follow links. */
function removeEmptyBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyBelow(join(folder, entry.name))
  }
  removeIfEmpty(folder)
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}
