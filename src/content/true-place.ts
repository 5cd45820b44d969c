// Makes sure that an open file is the one that is at a path, with no symbolic link on the way to it.
import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * True when the open file is at `path`.
 *
 * Folders on the way may have been swapped for links between listing and opening, which no flag of `open` tells.
 * Linux knows the path of a descriptor, whatever is swapped; elsewhere path and file are compared.
 *
 * @param file a descriptor @param path absolute, its root free of links
 */
export function isAtPath(file: number, path: string): boolean {
  const actual = pathOfDescriptor(file)
  return actual === undefined ? isSameFile(file, path) : actual === path
}

/** True when `path` leads to the open file without a link. */
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
