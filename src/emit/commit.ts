// Moves a staged build into the output folder file by file, in an order in which no list names a missing post.
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mediaFolder, versionRoots } from '../api/paths.ts'
import { functionFolder } from '../snapshot/format.ts'
import { restrictAccess } from './access.ts'
import { FolderFingerprints, stampBytes, stampName } from './build-stamp.ts'
import type { Stage } from './file-entries.ts'
import { codeOf, touching } from './output-error.ts'
import { type OutputFolder, unfinishedName } from './output-folder.ts'
import { RealFolders } from './real-folders.ts'
import type { StageFolder } from './stage-folder.ts'
import { syncDisk, writeNewFile } from './whole-file.ts'

/** Changes to the output folder. */
export interface Change {
  /** Paths of staged files. */
  readonly staged: ReadonlyMap<Stage, readonly string[]>
  /** True if a manifest is staged too. */
  readonly isManifestNew: boolean
  /** Paths of obsolete responses, lists before the resources that they name. */
  readonly staleResponses: readonly string[]
  readonly staleData: readonly string[]
  /** Paths of all files after the commit. */
  readonly paths: Iterable<string>
  /** SHA-256 of the manifest that names them, hexadecimal. */
  readonly manifestHash: string
  /** True if a killed build may have left empty folders. */
  readonly isUncertain: boolean
}

/**
 * The transition from one build to the next.
 *
 * Files change in this order, each atomically:
 *
 * 1. data: what functions read, under new names;
 * 2. single resources; 3. lists, whose posts all exist by now;
 * 4. obsolete responses are removed, lists first: from here on an unpublished post is not readable;
 * 5. the index, and 6. the manifest: every file that they refer to exists;
 * 7. data is removed that only builds before the last one needed. The last build's data stays for running functions.
 *
 * Every staged file is on the disk before step 1, and every change before the mark is removed, so that a power cut
 * leaves what a kill would.
 *
 * Two signs show that a folder is between two builds, from before step 1 until after step 7: the mark exists, and the
 * build stamp does not. Only a completed build removes a mark. If the next build finds a sign, it trusts only what it
 * has read, and completes or removes the rest.
 */
export class Commit {
  readonly #folder: OutputFolder
  readonly #folders: RealFolders
  readonly #stage: StageFolder
  readonly #isOwnerOnly: boolean | undefined

  /**
   * @param folders below the output folder
   * @param isOwnerOnly as for `restrictAccess`
   */
  constructor(
    folder: OutputFolder,
    folders: RealFolders,
    stage: StageFolder,
    isOwnerOnly?: boolean,
  ) {
    this.#folder = folder
    this.#folders = folders
    this.#stage = stage
    this.#isOwnerOnly = isOwnerOnly
  }

  /** @throws OutputError on a system error; LockError if another build took over */
  async run(change: Change): Promise<void> {
    const isFresh = this.#isFresh(change)
    this.#folder.assertHeld()
    this.#mark()
    // After the mark is set, so that the next build removes folders that stay empty.
    if (!isFresh) this.#prepareFolders([...change.staged.values()].flat())
    if (change.isManifestNew) restrictAccess(this.#stage.pathOf(''), this.#isOwnerOnly)
    this.restrict()
    if (change.isManifestNew) await syncDisk(this.#folder.path)
    this.#folder.assertHeld()
    const stamp = join(this.#folder.path, stampName)
    touching(stamp, untouched, () => rmSync(stamp, { force: true }))
    if (isFresh) this.#moveWhole()
    else this.#moveEach(change)
    this.settle(change)
    if (change.isManifestNew) await syncDisk(this.#folder.path)
    this.#touch(unfinishedName, unlinkSync)
  }

  /** Applies the permissions of the files that are not public. @returns true if a mode changed */
  restrict(): boolean {
    return restrictAccess(this.#folder.path, this.#isOwnerOnly)
  }

  /** Writes the build stamp: all files are as built, and there are no others. */
  settle({ paths, manifestHash, isUncertain }: Omit<Change, 'staged'>): void {
    if (isUncertain) this.#removeEmptyFolders()
    // Read again, as some folders were moved in.
    const real = new RealFolders(this.#folder.path)
    const { digest } = FolderFingerprints.of(paths, real)
    this.#touch(`${stampName}.new`, (file) => {
      rmSync(file, { force: true })
      writeNewFile(file, (stats) => {
        const stamp = { time: stats.ctimeMs, folders: digest }
        return stampBytes(stats, stamp, manifestHash)
      })
      renameSync(file, join(this.#folder.path, stampName))
    })
  }

  /** True if the output folder has no build yet, so that whole folders can be moved. */
  #isFresh({ isManifestNew }: Change): boolean {
    const { previous, isUnfinished, path } = this.#folder
    if (!isManifestNew || previous !== null || isUnfinished) return false
    return !this.#stage.names().some((name) => existsSync(join(path, name)))
  }

  /** Does everything that can be refused or needs space before the first file is moved. */
  #prepareFolders(paths: readonly string[]): void {
    for (const path of paths) {
      const file = join(this.#folder.path, path)
      touching(file, untouched, () => this.#folders.makeFolderOf(path))
    }
  }

  #mark(): void {
    const file = join(this.#folder.path, unfinishedName)
    // Keeps the mark of a killed build: its files are still there.
    touching(file, untouched, () => {
      if (!existsSync(file)) writeNewFile(file, new Uint8Array())
    })
  }

  /** Moves whole folders. No reader follows them before the manifest exists. */
  #moveWhole(): void {
    const folders = this.#stage.names().filter((name) => name !== manifestName)
    this.#moveIn([...folders, manifestName])
  }

  #moveEach({ staged, isManifestNew, staleResponses, staleData }: Change): void {
    for (const stage of ['data', 'resource', 'list'] as const) this.#moveIn(staged.get(stage) ?? [])
    this.#remove(staleResponses)
    this.#moveIn(staged.get('index') ?? [])
    if (isManifestNew) this.#moveIn([manifestName])
    this.#remove(staleData)
  }

  #moveIn(paths: readonly string[]): void {
    for (const path of paths) {
      this.#touch(path, (target) => renameSync(this.#stage.pathOf(path), target))
    }
  }

  #remove(paths: readonly string[]): void {
    const folders = new Set<string>()
    for (const path of paths) {
      this.#touch(path, unlinkSync)
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
    }
    // Deepest first, so that a folder is empty once its last subfolder is removed.
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
      this.#touch(folder, removeIfEmpty)
    }
  }

  #removeEmptyFolders(): void {
    // Read again, as some folders were removed.
    const folders = new RealFolders(this.#folder.path)
    for (const folder of [functionFolder, mediaFolder, ...Object.values(versionRoots)]) {
      if (folders.hasFolderOf(`${folder}/x`)) this.#removeEmptyBelow(folder)
      // Their parents may contain folders of the user.
      if (folder !== functionFolder) this.#touch(dirname(folder), removeIfEmpty)
    }
  }

  /** Removes a folder that contains no file at any depth. Does not follow links. */
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
}

const untouched = 'The last build is as it was.'
const manifestName = 'manifest.json'

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}
