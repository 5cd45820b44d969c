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
import { join } from 'node:path'
import { codeOf, RealFolders, writeNewFile } from 'quarry/authoring'
import type { FileOutcome } from './ledger.ts'

/** The temporary folder below the root. The next import removes it after a crash. */
const stageName = '.quarry-import'

/** A folder that receives files. */
export class Placement {
  readonly #root: string
  readonly #folders: RealFolders
  #count = 0

  /** @param root absolute; created when missing. The caller holds the lock of the folder. */
  constructor(root: string) {
    mkdirSync(root, { recursive: true })
    this.#root = realpathSync(root)
    this.#folders = new RealFolders(this.#root)
    rmSync(join(this.#root, stageName), { recursive: true, force: true })
    mkdirSync(join(this.#root, stageName))
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
    const present = compare(target, bytes)
    if (present !== null) return present
    this.#folders.makeFolderOf(path)
    const staged = join(this.#root, stageName, String(this.#count++))
    writeNewFile(staged, bytes)
    return moveIn(staged, target) ? 'written' : (compare(target, bytes) ?? 'kept')
  }

  /** Removes the temporary folder. */
  close(): void {
    rmSync(join(this.#root, stageName), { recursive: true, force: true })
  }
}

/** Null when nothing exists at the path. A symbolic link counts as different content. */
function compare(target: string, bytes: Uint8Array): FileOutcome | null {
  const stats = lstatSync(target, { throwIfNoEntry: false })
  if (stats === undefined) return null
  const isSame = stats.isFile() && stats.size === bytes.length && readFileSync(target).equals(bytes)
  return isSame ? 'present' : 'kept'
}

/** Links, because a link never replaces an existing file; a rename would. @returns false when the target exists */
function moveIn(staged: string, target: string): boolean {
  try {
    linkSync(staged, target)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // File systems without hard links, such as exFAT. The lock excludes other imports.
    renameSync(staged, target)
    return true
  } finally {
    rmSync(staged, { force: true })
  }
  return true
}
