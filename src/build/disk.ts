// Files and folders of the output: written whole or not at all, never through a link, and errors that name the file.
import {
  chmodSync,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** The output folder is unusable or not writable. The message says why, and the fix. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/**
 * Runs an operation on a file, and names the file if the system refuses it.
 *
 * @param state a sentence about the remaining state
 * @throws OutputError for every system error
 */
export function touching<T>(file: string, state: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explained(error, file, state)
  }
}

/** Converts a system error to the OutputError of `touching`; returns other errors unchanged. */
export function explained(error: unknown, file: string, state: string): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const reason = error instanceof Error ? error.message : String(error)
  const [why, remedy] = explanations[code] ?? [reason, 'Mend that and build again.']
  return new OutputError(`${file} cannot be written: ${why} (${code}). ${remedy} ${state}`, {
    cause: error,
  })
}

/** Returns the code of a system error; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = error instanceof Error && 'code' in error && 'syscall' in error
  return hasCode && typeof error.code === 'string' ? error.code : undefined
}

const diskFull = ['the disk is full', 'Free some space and try again.'] as const
const notAllowed = [
  'it is not allowed',
  'Let the user who builds write there, or choose another folder with --out.',
] as const

const explanations: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  EIO: ['the disk failed', 'Check the disk and build again.'],
}

/**
 * Writes a file that does not exist yet, and verifies its length: a full disk may silently write less than requested.
 *
 * @throws system errors, also EIO if the file is too short; the file is removed then
 */
export function writeNewFile(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'wx')
  try {
    let written = 0
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
    if (fstatSync(descriptor).size === bytes.length) return
    const message = `EIO: the file is shorter than what was written, write '${path}'`
    throw Object.assign(new Error(message), { code: 'EIO', syscall: 'write' })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Folders below a root, each inspected once. Links among them would lead out of it, and are refused. */
export class RealFolders {
  readonly #root: string
  /** True for a folder that exists, by path. */
  readonly #known = new Map<string, boolean>([['', true]])

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
    return this.#has(folderOf(path))
  }

  /** Creates the folder of a file. @throws OutputError as `hasFolderOf` does */
  makeFolderOf(path: string): void {
    const folder = folderOf(path)
    if (this.#has(folder)) return
    this.makeFolderOf(folder)
    mkdirSync(join(this.#root, folder))
    this.#known.set(folder, true)
  }

  #has(folder: string): boolean {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const has = this.#has(folderOf(folder)) && isFolder(join(this.#root, folder))
    this.#known.set(folder, has)
    return has
  }
}

function isFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.isDirectory()) return stats !== undefined
  const what = stats.isSymbolicLink() ? 'a link, which is never followed' : 'no folder'
  throw new OutputError(`${path} is ${what}. Remove it and build again.`)
}

/** Empty for a file at the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/**
 * Restricts files and folders to their owner, or makes them as accessible as `folder` again. What lies below keeps its
 * mode, as a file in `private` may be a hard link to one in `public`.
 *
 * @param names in the folder; links are left alone
 * @param isOwnerOnly undefined keeps every mode
 * @throws OutputError on a system error
 */
export function restrictAccess(
  folder: string,
  names: readonly string[],
  isOwnerOnly: boolean | undefined,
): void {
  if (isOwnerOnly === undefined || process.platform === 'win32') return
  for (const name of names) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink()) continue
    const isClosed = (stats.mode & others) === 0
    const open = lstatSync(folder).mode & (stats.isFile() ? others & ~execute : others)
    const mode = isOwnerOnly ? stats.mode & ~others : stats.mode | (isClosed ? open : 0)
    if (mode === stats.mode) continue
    touching(path, 'The last build is as it was.', () => chmodSync(path, mode & 0o7777))
  }
}

/** Mode bits of the group and of others. */
const others = 0o077
const execute = 0o111
