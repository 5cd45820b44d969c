// Puts files below a folder, whole and never over another file.
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
import { codeOf } from '../emit/output-error.ts'
import { RealFolders } from '../emit/real-folders.ts'
import { writeNewFile } from '../emit/whole-file.ts'
import type { FileOutcome } from './report.ts'

/** The temporary folder below the root: left by an import that was killed, removed by the next one. */
const stageName = '.quarry-import'

/** A folder that files are put into. */
export class Placement {
  readonly #root: string
  readonly #folders: RealFolders
  #count = 0

  /** @param root absolute; made when it is not there. The caller holds the lock of the folder. */
  constructor(root: string) {
    mkdirSync(root, { recursive: true })
    this.#root = realpathSync(root)
    this.#folders = new RealFolders(this.#root)
    rmSync(join(this.#root, stageName), { recursive: true, force: true })
    mkdirSync(join(this.#root, stageName))
  }

  /**
   * Puts a file, unless a file is there.
   *
   * @param path below the root, with `/`
   * @throws OutputError when a folder on the way is a link or a file
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

/** Null when nothing is at the path. A symbolic link is other content. */
function compare(target: string, bytes: Uint8Array): FileOutcome | null {
  const stats = lstatSync(target, { throwIfNoEntry: false })
  if (stats === undefined) return null
  const isSame = stats.isFile() && stats.size === bytes.length && readFileSync(target).equals(bytes)
  return isSame ? 'present' : 'kept'
}

/** A link never replaces a file; a rename would. @returns false when something is at the target */
function moveIn(staged: string, target: string): boolean {
  try {
    linkSync(staged, target)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // File systems without links, such as exFAT. The lock keeps other imports away.
    renameSync(staged, target)
    return true
  } finally {
    rmSync(staged, { force: true })
  }
  return true
}
