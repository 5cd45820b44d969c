// The folders below the output folder: a link among them would lead out of it, and is refused.
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OutputError } from './output-error.ts'

/** Folders below a root, each looked at once. */
export class RealFolders {
  readonly #root: string
  /** By path, as `markOf`. The root is there; nobody asks for its mark. */
  readonly #known = new Map<string, string | null>([['', '']])

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
    return this.markOf(folderOf(path)) !== null
  }

  /**
   * The disk of a folder and its number there, which another one in its place has not; null when it is not there.
   *
   * @param folder below the root, with `/`
   * @throws OutputError as `hasFolderOf` does
   */
  markOf(folder: string): string | null {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const mark = this.markOf(folderOf(folder)) === null ? null : this.#look(folder)
    this.#known.set(folder, mark)
    return mark
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
    if (this.markOf(folder) !== null) return
    this.#make(folderOf(folder))
    mkdirSync(join(this.#root, folder))
    this.#known.delete(folder)
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

/** Empty for what is at the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
