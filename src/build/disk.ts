// Functions for files of the output. They are written whole or not at all, never through a link. Errors name the file.
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Storage } from '../snapshot/storage.ts'

/** The output folder is unusable or not writable. The message has the reason and the fix. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/**
 * Converts a system error to an OutputError that names the file; returns other errors unchanged.
 *
 * @param state a sentence about the remaining state
 */
export function explainError(error: unknown, state: string): unknown {
  if (codeOf(error) === undefined) return error
  const { path, dest = path, message } = error as NodeJS.ErrnoException & { readonly dest?: string }
  return new OutputError(`${dest} cannot be written: ${message}. ${state}`, { cause: error })
}

/** Returns the code of a system error; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = error instanceof Error && 'code' in error && 'syscall' in error
  return hasCode && typeof error.code === 'string' ? error.code : undefined
}

/** Runs a function. @returns false if it throws */
export function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Writes a file that does not exist yet. Removes it if it cannot be written whole. @throws system errors */
export function writeNewFile(
  path: string,
  bytes: string | Uint8Array,
  options: { readonly flush?: boolean; readonly mode?: number | undefined } = {},
): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx', ...options })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') rmSync(path, { force: true })
    // Only the errors of some calls name the file.
    throw Object.assign(error as Error, { path })
  }
}

/** Replaces a file as a whole, or creates it and its folder. @throws system errors */
export function replaceFile(...[path, bytes, options]: Parameters<typeof writeNewFile>): void {
  const fresh = join(dirname(path), `.${basename(path)}.${process.pid}.new`)
  mkdirSync(dirname(path), { recursive: true })
  // The file may have been left by a dead process with the same id.
  rmSync(fresh, { force: true })
  writeNewFile(fresh, bytes, options)
  renameSync(fresh, path)
}

/** Folders below a root, each inspected once. Links are refused because they could lead out of the root. */
export class RealFolders {
  readonly #root: string
  /** Whether each folder exists. */
  readonly #known = new Map<string, boolean>()

  /** @param root absolute, with links resolved */
  constructor(root: string) {
    this.#root = root
  }

  /** Reports whether a folder below the root exists. @throws OutputError if a folder on the path is a link */
  has(folder: string): boolean {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const path = join(this.#root, folder)
    const real = realPath(path)
    if (real !== path)
      throw new OutputError(
        `${path} leads to ${real} through a link, which is never followed. Remove it and build again.`,
      )
    const has = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    this.#known.set(folder, has)
    return has
  }

  /** Creates a folder. @throws OutputError as `has` does; system errors */
  make(folder: string): void {
    if (this.has(folder)) return
    mkdirSync(join(this.#root, folder), { recursive: true })
    this.#known.set(folder, true)
  }
}

/** Returns a storage for a folder. */
export function createFileStorage(folder: string): Storage {
  return { read: (name, from, to) => readRange(join(folder, name), from, to) }
}

/** Reads bytes of a file; returns fewer bytes if the file is shorter. */
export function readRange(file: string, from = 0, to?: number): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = new Uint8Array((to ?? fstatSync(descriptor).size) - from)
    let read = 0
    while (read < bytes.length) {
      const count = readSync(descriptor, bytes, read, bytes.length - read, from + read)
      if (count === 0) return bytes.subarray(0, read)
      read += count
    }
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** Resolves links in the existing part of a path. @param path absolute */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path ? path : join(realPath(parent), basename(path))
}
