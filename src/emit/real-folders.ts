// The folders below the output folder: a link among them would lead out of it, and is refused.
// Knows nothing of the files in them.
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OutputError } from './output-error.ts'

/** Folders below a root, each looked at once. */
export class RealFolders {
  readonly #root: string
  /** By path: the folder's number, null where there is none. The root is there; nobody asks for its number. */
  readonly #known = new Map<string, number | null>([['', 0]])

  /** @param root absolute, free of links */
  constructor(root: string) {
    this.#root = root
  }

  /**
   * True when the folder that a file is in is there.
   *
   * @param path of the file, below the root, with `/`
   * @throws OutputError when a folder on the way is a link or a file
   */
  hasFolderOf(path: string): boolean {
    return this.inoOf(folderOf(path)) !== null
  }

  /**
   * The number of a folder, which another one in its place has not; null when it is not there.
   *
   * @param folder below the root, with `/`
   * @throws OutputError as `hasFolderOf` does
   */
  inoOf(folder: string): number | null {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const ino = this.inoOf(folderOf(folder)) === null ? null : this.#look(folder)
    this.#known.set(folder, ino)
    return ino
  }

  /**
   * Makes the folder that a file is to be in.
   *
   * @throws OutputError as `hasFolderOf` does
   */
  makeFolderOf(path: string): void {
    this.#make(folderOf(path))
  }

  #make(folder: string): void {
    if (this.inoOf(folder) !== null) return
    this.#make(folderOf(folder))
    mkdirSync(join(this.#root, folder))
    this.#known.delete(folder)
  }

  #look(folder: string): number | null {
    const path = join(this.#root, folder)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return null
    if (stats.isDirectory()) return stats.ino
    const what = stats.isSymbolicLink() ? 'a link, which is never followed' : 'no folder'
    throw new OutputError(`${path} is ${what}. Remove it and build again.`)
  }
}

/** Empty for what stands at the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
