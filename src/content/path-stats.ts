// Metadata of files and folders, and its reliability.
import { lstatSync } from 'node:fs'

/** Times in milliseconds since 1970. Declared here so that the public types do not need Node's. */
export interface PathStats {
  readonly mtimeMs: number
  /** Time of the last change to the file or its metadata; no program can set it. */
  readonly ctimeMs: number
  /** In bytes. */
  readonly size: number
  readonly ino: number
  readonly dev: number
  isDirectory(): boolean
}

/** Returns the metadata of a path without following links; undefined if it does not exist or access is denied. */
export function statsOf(path: string): PathStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Reports whether a later change would have another time, that is, all times are clearly older than a moment. Times in
 * whole seconds are not reliable: files in a disk image have chosen times, equal in every copy.
 *
 * @param moment in milliseconds since 1970
 */
export function areReliable(
  { mtimeMs, ctimeMs }: Pick<PathStats, 'mtimeMs' | 'ctimeMs'>,
  moment: number,
): boolean {
  return ctimeMs % 1000 !== 0 && Math.max(mtimeMs, ctimeMs) < moment - stepMilliseconds
}

/** Some file systems have a time resolution of two seconds. */
const stepMilliseconds = 2500
