// Writes files below a folder atomically, never over another file.
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join, posix } from 'node:path'
import { codeOf, RealFolders, writeNewFile } from 'quarry/authoring'
import type { FileOutcome } from './ledger.ts'

/** A folder that receives files. The next import removes what an interrupted one left. */
export class Placement {
  readonly #root: string
  readonly #folders: RealFolders
  /** The file that is being written. */
  readonly #temporary: string

  /** @param root absolute; created when missing. The caller holds the lock of the folder. */
  constructor(root: string) {
    mkdirSync(root, { recursive: true })
    this.#root = realpathSync(root)
    this.#folders = new RealFolders(this.#root)
    this.#temporary = join(this.#root, '.quarry-import')
    rmSync(this.#temporary, { recursive: true, force: true })
  }

  /**
   * Writes a file, unless one exists.
   *
   * @param path relative to the root, with `/`
   * @throws OutputError when a folder on the path is a link or a file
   */
  place(path: string, content: string | Uint8Array): FileOutcome {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const target = join(this.#root, path)
    const stats = lstatSync(target, { throwIfNoEntry: false })
    // A symbolic link counts as different content.
    if (stats !== undefined)
      return stats.isFile() && readFileSync(target).equals(bytes) ? 'present' : 'kept'
    this.#folders.make(posix.dirname(path))
    writeNewFile(this.#temporary, bytes)
    try {
      // A link never replaces an existing file; a rename would.
      linkSync(this.#temporary, target)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return 'kept'
      // File systems without hard links, such as exFAT. The lock excludes other imports.
      renameSync(this.#temporary, target)
    } finally {
      rmSync(this.#temporary, { force: true })
    }
    return 'written'
  }
}
