// Recursive creation of folders.
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Replaces `mkdirSync` with `recursive`, which never returns below `/proc`, nor for a relative path if the working
 * folder was removed.
 *
 * @returns the first created folder; undefined if all existed
 * @throws system errors
 */
export function makeFolders(path: string): string | undefined {
  const folder = resolve(path)
  try {
    mkdirSync(folder)
    return folder
  } catch (error) {
    if (isFolder(folder)) return undefined
    const parent = dirname(folder)
    if (parent === folder || isFolder(parent)) throw error
    const first = makeFolders(parent)
    return makeFolders(folder) === undefined ? first : (first ?? folder)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
