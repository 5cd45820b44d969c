// The metadata of a file or a folder, and how reliable it is.
import { lstatSync } from 'node:fs'

/** Times in milliseconds since 1970: declared here, so that who uses our types needs none of Node's. */
export interface PathStats {
  readonly mtimeMs: number
  /** The time of the last change to the file or its metadata; no program can set it. */
  readonly ctimeMs: number
  /** In bytes. */
  readonly size: number
  readonly ino: number
  readonly dev: number
  isDirectory(): boolean
}

/** The metadata of a path, never through a link; undefined where nothing is there, or access is denied. */
export function statsOf(path: string): PathStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Whether a later change would have another time: all that were made by then are clearly older. Times in whole seconds
 * say little: images of disks have times that somebody chose, the same in each of them.
 *
 * @param moment in milliseconds since 1970
 */
export function areReliable(
  { mtimeMs, ctimeMs }: Pick<PathStats, 'mtimeMs' | 'ctimeMs'>,
  moment: number,
): boolean {
  return ctimeMs % 1000 !== 0 && Math.max(mtimeMs, ctimeMs) < moment - stepMilliseconds
}

/** Some file systems keep times in steps of two seconds. */
const stepMilliseconds = 2500
