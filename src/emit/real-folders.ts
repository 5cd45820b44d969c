// The folders below the output folder: a link among them would lead out of it, and is refused.
// Knows nothing of the files in them.
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OutputError } from './output-error.ts'

/** Folders below a root, each looked at once. */
export class RealFolders {
  readonly #root: string
  /** When a name in each folder, or in one on the way to it, last came, went or became another; absent ones have none. */
  readonly #changes = new Map<string, number | undefined>([['', Number.NEGATIVE_INFINITY]])

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
    return this.#changeOf(folderOf(path)) !== undefined
  }

  /**
   * True when the name of a file means what it meant at a moment: no folder on the way to it has changed since, but
   * for the root. Its bytes may have.
   *
   * @param time milliseconds since 1970, by the clock of the disk
   * @throws OutputError as `hasFolderOf` does
   */
  isNameOlderThan(path: string, time: number): boolean {
    const change = this.#changeOf(folderOf(path))
    return change !== undefined && change < time
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
    if (this.#changeOf(folder) !== undefined) return
    this.#make(folderOf(folder))
    mkdirSync(join(this.#root, folder))
    this.#changes.set(folder, Number.POSITIVE_INFINITY)
  }

  #changeOf(folder: string): number | undefined {
    if (this.#changes.has(folder)) return this.#changes.get(folder)
    const above = this.#changeOf(folderOf(folder))
    const own = above === undefined ? undefined : this.#lookAt(folder)
    const change = above === undefined || own === undefined ? undefined : Math.max(above, own)
    this.#changes.set(folder, change)
    return change
  }

  #lookAt(folder: string): number | undefined {
    const path = join(this.#root, folder)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.isDirectory()) return stats?.ctimeMs
    const what = stats.isSymbolicLink() ? 'a link, which is never followed' : 'no folder'
    throw new OutputError(`${path} is ${what}. Remove it and build again.`)
  }
}

/** Empty for what stands at the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
