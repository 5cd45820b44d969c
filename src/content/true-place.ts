// Verifies that an open file is the one at a path, with no symbolic link on the path.
import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * Reports whether an open file is at `path`.
 *
 * Folders on the path may have been replaced by links between listing and opening, which no flag of `open` detects.
 * Linux knows the path of a descriptor regardless; elsewhere, path and file are compared.
 *
 * @param file a descriptor @param path absolute, its root with links resolved
 */
export function isAtPath(file: number, path: string): boolean {
  const actual = pathOfDescriptor(file)
  return actual === undefined ? isSameFile(file, path) : actual === path
}

/** Reports whether `path` leads to the open file without a link. */
export function isSameFile(file: number, path: string): boolean {
  if (realpathSync(path) !== path) return false
  const open = fstatSync(file, { bigint: true })
  const there = lstatSync(path, { bigint: true })
  return open.ino === there.ino && open.dev === there.dev
}

function pathOfDescriptor(file: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return undefined
  }
}
