// Writes a new file whole or not at all: a full disk may take less than it was given and say nothing.
import { closeSync, fstatSync, openSync, rmSync, type Stats, writeSync } from 'node:fs'

/**
 * Writes a file that is not there yet, and looks how long it has become.
 *
 * @param content bytes, or what makes them of the file's own state
 * @throws Error of the system, also EIO when the file is shorter than it was said to be; no file is left then
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
