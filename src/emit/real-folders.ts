// Folders below the output folder. Links among them would lead out of it, and are refused.
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OutputError } from './output-error.ts'

/** Folders below a root, each inspected once. */
export class RealFolders {
  readonly #root: string
  /** Results of `markOf` by path. The root exists; its mark is never used. */
  readonly #marks = new Map<string, string | null>([['', '']])

  /** @param root absolute, with links resolved */
  constructor(root: string) {
    this.#root = root
  }

  /**
   * Reports whether the folder of a file exists.
   *
   * @param path of the file, below the root, with `/`
   * @throws OutputError if a folder on the path is a link or a file
   */
  hasFolderOf(path: string): boolean {
    return this.markOf(folderOf(path)) !== null
  }

  /**
   * Returns the device and inode of a folder, which identify it; null if it does not exist.
   *
   * @param folder below the root, with `/`
   * @throws OutputError as `hasFolderOf` does
   */
  markOf(folder: string): string | null {
    const cached = this.#marks.get(folder)
    if (cached !== undefined) return cached
    const mark = this.markOf(folderOf(folder)) === null ? null : this.#look(folder)
    this.#marks.set(folder, mark)
    return mark
  }

  /**
   * Creates the folder of a file.
   *
   * @throws OutputError as `hasFolderOf` does
   */
  makeFolderOf(path: string): void {
    this.#make(folderOf(path))
  }

  #make(folder: string): void {
    if (this.markOf(folder) !== null) return
    this.#make(folderOf(folder))
    mkdirSync(join(this.#root, folder))
    this.#marks.delete(folder)
  }

  #look(folder: string): string | null {
    const path = join(this.#root, folder)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return null
    if (stats.isDirectory()) return `${stats.dev}:${stats.ino}`
    const what = stats.isSymbolicLink() ? 'a link, which is never followed' : 'no folder'
    throw new OutputError(`${path} is ${what}. Remove it and build again.`)
  }
}

/** Empty for a file at the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
