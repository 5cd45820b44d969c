// A build that looks at the files of one workspace alone, and so vouches for the others only as the last stamp did.
// Changes nothing on the disk.
import { mediaFolder, versionRoots } from '../api/paths.ts'
import type { RealFolders } from './real-folders.ts'
import { FolderMarks, replaceMarks, type Seal } from './seal.ts'

/** The folders of one workspace in an output folder, and the stamp of the last build. */
export class PartOfBuild {
  /** Null where the last build left none that is valid. */
  readonly seal: Seal | null
  readonly #folders: readonly string[]
  readonly #before: string

  /**
   * @param last paths of all files of the last build
   * @param real folders as they are before anything is changed
   */
  constructor(workspace: string, seal: Seal | null, last: Iterable<string>, real: RealFolders) {
    this.seal = seal
    this.#folders = workspaceFolders(workspace)
    this.#before = FolderMarks.of(this.ownPaths(last), real).digest
  }

  /** Those of the files that are in folders of the workspace. */
  *ownPaths(paths: Iterable<string>): Generator<string> {
    for (const path of paths) {
      if (this.#folders.some((folder) => path.startsWith(folder))) yield path
    }
  }

  /**
   * The next stamp. Its time is that of the last one: files of the workspace are newer, and so are read by the next build
   * of everything. Where a folder of the workspace had been put in another's place, the stamp is valid for no build.
   *
   * @param after digest of the workspace's folders
   */
  sealAfter(after: string): Seal | null {
    if (this.seal === null) return null
    const folders = replaceMarks(this.seal.folders, this.#before, after)
    return { time: this.seal.time, folders }
  }
}

/** Where files of a workspace are, below the output folder, with `/` at the end; not those of the function. */
export function workspaceFolders(workspace: string): readonly string[] {
  return [...Object.values(versionRoots), mediaFolder].map((root) => `${root}/${workspace}/`)
}
