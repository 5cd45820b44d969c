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

/**
 * Waits until everything that was written to the file system of a folder is on its disk (syncfs(2)). Does nothing where
 * there is no command `sync`, as on Windows: after a power cut, the next build replaces what is empty.
 *
 * Cost: 0.1 s for 5,000 new files. With fdatasync(2) for each, in four threads, they took 4 s (2026-11).
 */
export async function syncDisk(folder: string): Promise<void> {
  // Windows would run a program of that name in the working folder.
  if (process.platform === 'win32') return
  const { execFile } = await import('node:child_process')
  await new Promise<void>((resolve) => {
    execFile('sync', ['-f', folder], () => resolve())
  })
}

/** True for the content of a file that lost its data in a power cut: no bytes, or zeros. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
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
