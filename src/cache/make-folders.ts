// Makes a folder and those that it is in.
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Does what `mkdirSync` does with `recursive`. That one never returns below `/proc`, nor for a relative path below a working
 * folder that is gone.
 *
 * @returns the first folder that was made; undefined if all were there
 * @throws the error of the system
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
