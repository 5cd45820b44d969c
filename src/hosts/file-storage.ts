// A storage that reads the function's files from disk.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../runtime/storage.ts'
import { nativeSearch } from './native-search.ts'

/** A storage that keeps files open after a partial read, until it is closed. */
export interface FileStorage extends Storage {
  hold(names: readonly string[]): void
  /** Time of the last read, by `performance.now()`. */
  lastReadAt(): number
  close(): void
}

/**
 * Maximum number of open files; 230,000 posts of 2.4 kB have this many. Opening the text files for each phrase took
 * two thirds of its time at 100,000 posts (2026-11).
 */
const heldFilesMax = 3072

/** Descriptors reserved for connections when the process may open fewer files than `heldFilesMax`. */
const freeFiles = 256

/** Returns a storage for a folder. */
export function createFileStorage(folder: string): FileStorage {
  const held = new Map<string, number>()
  let heldMax = heldFilesMax
  let readAt = performance.now()
  const use = <T>(name: string, isHeld: boolean, read: (descriptor: number) => T): T => {
    readAt = performance.now()
    const known = held.get(name)
    if (known !== undefined) return read(known)
    const descriptor = openSync(join(folder, name), 'r')
    const isKept = isHeld && held.size < heldMax
    if (isKept) held.set(name, descriptor)
    try {
      return read(descriptor)
    } finally {
      if (!isKept) closeSync(descriptor)
    }
  }
  const holdAll = (names: readonly string[]) => {
    for (const name of names) {
      if (held.size >= heldMax) return
      if (!held.has(name)) held.set(name, openSync(join(folder, name), 'r'))
    }
  }
  const leaveFree = () => {
    heldMax = Math.max(0, held.size - freeFiles)
    for (const [name, descriptor] of [...held].slice(heldMax)) {
      closeSync(descriptor)
      held.delete(name)
    }
  }
  return {
    // Whole files are read once. The next build has another root under the same name.
    read: (name) =>
      use(name, false, (descriptor) =>
        readExactly(descriptor, name, 0, fstatSync(descriptor).size),
      ),
    // Opening a file costs more than reading a text from it.
    readRange: (name, offset, length) =>
      use(name, true, (descriptor) => readExactly(descriptor, name, offset, length)),
    readInto: (name, offset, bytes) =>
      use(name, true, (descriptor) => fill(descriptor, name, offset, bytes)),
    makeSearchable: nativeSearch(),
    sha256: (bytes) => createHash('sha256').update(bytes).digest(),
    hold: (names) => {
      try {
        holdAll(names)
      } catch (error) {
        if (!isTooMany(error)) throw error
        leaveFree()
      }
    },
    lastReadAt: () => readAt,
    close: () => {
      for (const descriptor of held.values()) closeSync(descriptor)
      held.clear()
    },
  }
}

/** True when the process has reached its limit of open files. */
function isTooMany(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMFILE'
}

function readExactly(descriptor: number, name: string, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  fill(descriptor, name, offset, bytes)
  return bytes
}

function fill(descriptor: number, name: string, offset: number, bytes: Uint8Array): void {
  let read = 0
  while (read < bytes.length) {
    const count = readSync(descriptor, bytes, read, bytes.length - read, offset + read)
    if (count === 0) throw new RangeError(`${name} ends before byte ${offset + bytes.length}`)
    read += count
  }
}
