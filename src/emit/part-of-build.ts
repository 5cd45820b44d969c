// A build that looks at the files of one workspace alone, and so vouches for the others only as the last stamp did.
// Changes nothing on the disk.
import { mediaFolder, versionRoots } from '../api/paths.ts'
import { type BuildStamp, FolderFingerprints, replaceFingerprints } from './build-stamp.ts'
import type { RealFolders } from './real-folders.ts'

/** The folders of one workspace in an output folder, and the stamp of the last build. */
export class PartOfBuild {
  readonly #stamp: BuildStamp | null
  readonly #isOwn: (path: string) => boolean
  readonly #before: string

  /**
   * @param stamp null where the last build left none that is valid
   * @param last paths of all files of the last build
   * @param real folders as they are before anything is changed
   */
  constructor(
    workspace: string,
    stamp: BuildStamp | null,
    last: Iterable<string>,
    real: RealFolders,
  ) {
    this.#stamp = stamp
    this.#isOwn = isInFoldersOf(workspace)
    this.#before = FolderFingerprints.of(this.ownPaths(last), real).digest
  }

  /** Those of the files that are in folders of the workspace. */
  *ownPaths(paths: Iterable<string>): Generator<string> {
    for (const path of paths) {
      if (this.#isOwn(path)) yield path
    }
  }

  /**
   * The next stamp. Its time is that of the last one: files of the workspace are newer, and so are read by the next build
   * of everything. Where a folder of the workspace had been put in another's place, the stamp is valid for no build.
   *
   * @param after digest of the workspace's folders
   * @returns null where the last build left no stamp
   */
  stampAfter(after: string): BuildStamp | null {
    if (this.#stamp === null) return null
    const { time, folders } = this.#stamp
    return { time, folders: replaceFingerprints(folders, this.#before, after) }
  }
}

/** Tells the paths of a workspace's files below the output folder; those of the function are in other folders. */
export function isInFoldersOf(workspace: string): (path: string) => boolean {
  const folders = [...Object.values(versionRoots), mediaFolder].map(
    (root) => `${root}/${workspace}/`,
  )
  return (path) => folders.some((folder) => path.startsWith(folder))
}
