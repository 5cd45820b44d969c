// Moves a staged build into the output folder, file by file, in an order in which no list names a post that is not
// there.
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleFolder } from '../api/bundle.ts'
import { mediaFolder, versionRoots } from '../api/paths.ts'
import { restrictAccess } from './access.ts'
import { FolderFingerprints, stampBytes, stampName } from './build-stamp.ts'
import type { Stage } from './file-entries.ts'
import { codeOf, touching } from './output-error.ts'
import { type OutputFolder, unfinishedName } from './output-folder.ts'
import type { PartOfBuild } from './part-of-build.ts'
import { RealFolders } from './real-folders.ts'
import type { StageFolder } from './stage-folder.ts'
import { writeNewFile } from './whole-file.ts'

/** The changes to the output folder. */
export interface Change {
  /** Paths of staged files. */
  readonly staged: ReadonlyMap<Stage, readonly string[]>
  /** A manifest is staged too. */
  readonly isManifestNew: boolean
  /** Paths of responses that are no longer given, lists before what they name. */
  readonly staleResponses: readonly string[]
  readonly staleData: readonly string[]
  /** The paths of all files that are there afterwards. */
  readonly paths: Iterable<string>
  /** SHA-256 of the manifest that names them, hexadecimal. */
  readonly manifestHash: string
  /** There may be folders that a killed build left empty. */
  readonly isUncertain: boolean
  /** The files that were not compared, and so are as the last stamp says. */
  readonly part: PartOfBuild | null
}

/**
 * The way from one build to the next.
 *
 * Files change in this order, each at once as a whole:
 *
 * 1. data: what functions read, under names that nothing had before;
 * 2. single resources; 3. lists, whose posts are all there by now;
 * 4. answers that are no longer given go, lists first: a post that was taken back is not readable from here on;
 * 5. the index, and 6. the manifest: readers that follow them find all files;
 * 7. data goes that only builds before the last one needed. The last one's stays for functions that run.
 *
 * Two signs say that a folder is between two builds, from before 1 until after 7: the mark is there, and the build stamp is
 * not. Only a build that came to its end removes a mark. Where one of the signs is found, the next build trusts nothing
 * that it has not read, and completes or removes what it finds.
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

  /** @throws OutputError when the system refuses; LockError when another build took over */
  run(change: Change): void {
    const isFresh = this.#isFresh(change)
    this.#folder.assertHeld()
    this.#mark()
    // Under the mark: the next build removes folders that stay empty.
    if (!isFresh) this.#prepareFolders([...change.staged.values()].flat())
    if (change.isManifestNew) restrictAccess(this.#stage.pathOf(''), this.#isOwnerOnly)
    this.restrict()
    const stamp = join(this.#folder.path, stampName)
    touching(stamp, untouched, () => rmSync(stamp, { force: true }))
    if (isFresh) this.#moveWhole()
    else this.#moveEach(change)
    this.settle(change)
    this.#touch(unfinishedName, unlinkSync)
  }

  /** Lets those read what is not public who may. @returns true when that is new */
  restrict(): boolean {
    return restrictAccess(this.#folder.path, this.#isOwnerOnly)
  }

  /** Says up to when all files are known to be as they were built, and that nothing else is there. */
  settle({ paths, manifestHash, isUncertain, part }: Omit<Change, 'staged'>): void {
    if (isUncertain) this.#removeEmptyFolders()
    // As they are by now: some were moved in.
    const real = new RealFolders(this.#folder.path)
    const { digest } = FolderFingerprints.of(part?.ownPaths(paths) ?? paths, real)
    const stampAfter = part?.stampAfter(digest)
    if (stampAfter === null) return
    this.#touch(`${stampName}.new`, (file) => {
      rmSync(file, { force: true })
      writeNewFile(file, (stats) => {
        const stamp = stampAfter ?? { time: stats.ctimeMs, folders: digest }
        return stampBytes(stats, stamp, manifestHash)
      })
      renameSync(file, join(this.#folder.path, stampName))
    })
  }

  /** Nothing of ours is there yet, so that whole folders can be moved. */
  #isFresh({ isManifestNew }: Change): boolean {
    const { previous, isUnfinished, path } = this.#folder
    if (!isManifestNew || previous !== null || isUnfinished) return false
    return !this.#stage.names().some((name) => existsSync(join(path, name)))
  }

  /** Everything that can be refused or needs space comes before the first file is moved. */
  #prepareFolders(paths: readonly string[]): void {
    for (const path of paths) {
      const file = join(this.#folder.path, path)
      touching(file, untouched, () => this.#folders.makeFolderOf(path))
    }
  }

  #mark(): void {
    const file = join(this.#folder.path, unfinishedName)
    // The mark of a build that was killed stays: it says that its files are there, too.
    touching(file, untouched, () => {
      if (!existsSync(file)) writeNewFile(file, new Uint8Array())
    })
  }

  /** Each folder at once; nobody follows them before the manifest is there. */
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
    // Deepest first, so that a folder is seen empty when its last sub-folder has gone.
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
      this.#touch(folder, removeIfEmpty)
    }
  }

  #removeEmptyFolders(): void {
    // As they are by now: some were removed.
    const folders = new RealFolders(this.#folder.path)
    for (const folder of [bundleFolder, mediaFolder, ...Object.values(versionRoots)]) {
      if (folders.hasFolderOf(`${folder}/x`)) this.#removeEmptyBelow(folder)
      // Next to these a user may keep folders of their own.
      if (folder !== bundleFolder) this.#touch(dirname(folder), removeIfEmpty)
    }
  }

  /** Removes a folder without a file in it, at any depth; links are not followed. */
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
