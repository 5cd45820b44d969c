// A build that compares only the files of one workspace, and relies on the last stamp for the others. Read-only.
import { mediaFolder, versionRoots } from '../api/paths.ts'
import { type BuildStamp, FolderFingerprints, replaceFingerprints } from './build-stamp.ts'
import type { RealFolders } from './real-folders.ts'

/** The folders of one workspace in an output folder, and the stamp of the last build. */
export class PartOfBuild {
  readonly #stamp: BuildStamp | null
  readonly #isOwn: (path: string) => boolean
  readonly #before: string

  /**
   * @param stamp null if the last build left no valid stamp
   * @param last paths of all files of the last build
   * @param real folders before any change
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

  /** Yields the files in folders of the workspace. */
  *ownPaths(paths: Iterable<string>): Generator<string> {
    for (const path of paths) {
      if (this.#isOwn(path)) yield path
    }
  }

  /**
   * Returns the next stamp, with the time of the last one: the workspace's files are newer, so the next full build
   * reads them. If a folder of the workspace was replaced, the stamp is valid for no build.
   *
   * @param after digest of the workspace's folders
   * @returns null if the last build left no stamp
   */
  stampAfter(after: string): BuildStamp | null {
    if (this.#stamp === null) return null
    const { time, folders } = this.#stamp
    return { time, folders: replaceFingerprints(folders, this.#before, after) }
  }
}

/** Returns a predicate for the paths of a workspace's files below the output folder, without those of the function. */
export function isInFoldersOf(workspace: string): (path: string) => boolean {
  const folders = [...Object.values(versionRoots), mediaFolder].map(
    (root) => `${root}/${workspace}/`,
  )
  return (path) => folders.some((folder) => path.startsWith(folder))
}
