// A storage that reads the function's files from disk.
import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../snapshot/storage.ts'

/** A storage that can hold its files open. */
export interface FileStorage extends Storage {
  /**
   * Opens files, so that they stay readable when they are removed; none if the process may not open as many.
   *
   * @throws when one does not exist
   */
  hold(names: readonly string[]): void
  close(): void
}

/** Returns a storage for a folder. */
export function createFileStorage(folder: string): FileStorage {
  const held = new Map<string, number>()
  const release = (names: readonly string[]) => {
    for (const name of names) closeSync(held.get(name) ?? -1)
    for (const name of names) held.delete(name)
  }
  return {
    read: (name, from, to) => {
      const known = held.get(name)
      return known === undefined
        ? readRange(join(folder, name), from, to)
        : readOpen(known, from, to)
    },
    sha256,
    hold: (names) => {
      try {
        for (const name of names) {
          if (!held.has(name)) held.set(name, openSync(join(folder, name), 'r'))
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error
        release([...held.keys()])
      }
    },
    close: () => release([...held.keys()]),
  }
}

/** Returns 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}

/** Reads bytes of a file; fewer when it is shorter. */
export function readRange(file: string, from?: number, to?: number): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    return readOpen(descriptor, from, to)
  } finally {
    closeSync(descriptor)
  }
}

function readOpen(descriptor: number, from = 0, to = fstatSync(descriptor).size): Uint8Array {
  const bytes = new Uint8Array(to - from)
  let read = 0
  while (read < bytes.length) {
    const count = readSync(descriptor, bytes, read, bytes.length - read, from + read)
    if (count === 0) return bytes.subarray(0, read)
    read += count
  }
  return bytes
}
