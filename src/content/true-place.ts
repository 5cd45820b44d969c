// Makes sure that an open file is the one that stands at a path, with no symbolic link on the way to it.
// Knows nothing of what is in the file.
import type { FileHandle } from 'node:fs/promises'
import { lstat, readlink, realpath } from 'node:fs/promises'

/**
 * True when the open file stands at `path`.
 *
 * Folders on the way may have been swapped for links between listing and opening, which no flag of `open` tells.
 * Linux knows the path of a descriptor, whatever is swapped; elsewhere path and file are compared.
 *
 * @param path absolute, its root free of links
 */
export async function standsAt(handle: FileHandle, path: string): Promise<boolean> {
  const actual = await pathOfDescriptor(handle.fd)
  return actual === undefined ? isSameFile(handle, path) : actual === path
}

/** True when `path` leads to the open file without a link. */
export async function isSameFile(handle: FileHandle, path: string): Promise<boolean> {
  if ((await realpath(path)) !== path) return false
  const [open, there] = await Promise.all([
    handle.stat({ bigint: true }),
    lstat(path, { bigint: true }),
  ])
  return open.ino === there.ino && open.dev === there.dev
}

async function pathOfDescriptor(descriptor: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}
