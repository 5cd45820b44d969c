// Writes a new file completely or not at all: a full disk may silently write less than requested.
import { closeSync, fstatSync, openSync, rmSync, type Stats, writeSync } from 'node:fs'

/**
 * Writes a file that does not exist yet, and verifies its length.
 *
 * @param content bytes, or a function that returns them for the stats of the file
 * @throws system errors, also EIO if the file is too short; the file is removed then
 */
export function writeNewFile(
  path: string,
  content: Uint8Array | ((stats: Stats) => Uint8Array),
): void {
  const descriptor = openSync(path, 'wx')
  try {
    const bytes = typeof content === 'function' ? content(fstatSync(descriptor)) : content
    let written = 0
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
    if (fstatSync(descriptor).size !== bytes.length) throw shortWrite(path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function shortWrite(path: string): Error {
  return Object.assign(
    new Error(`EIO: the file is shorter than what was written, write '${path}'`),
    {
      code: 'EIO',
      syscall: 'write',
    },
  )
}
