// The function's files on a disk, read where they lie.
// Knows nothing of what they hold.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../../runtime/storage.ts'

/** A storage that holds files open until it is closed. */
export interface FileStorage extends Storage {
  /**
   * Opens files that will be read later, so that a build which removes them takes nothing from those who
   * still read them.
   *
   * @throws when one is not there
   */
  hold(names: readonly string[]): void
  close(): void
}

/** Files held open at once; more are opened when they are read. */
export const heldFilesMax = 512

/** A storage over a folder. */
export function createFileStorage(folder: string): FileStorage {
  const held = new Map<string, number>()
  const use = <T>(name: string, read: (descriptor: number) => T): T => {
    const known = held.get(name)
    if (known !== undefined) return read(known)
    const descriptor = openSync(join(folder, name), 'r')
    try {
      return read(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
  return {
    read: (name) =>
      use(name, (descriptor) => readExactly(descriptor, name, 0, fstatSync(descriptor).size)),
    readRange: (name, offset, length) =>
      use(name, (descriptor) => readExactly(descriptor, name, offset, length)),
    hold: (names) => {
      for (const name of names.slice(0, heldFilesMax)) {
        if (!held.has(name)) held.set(name, openSync(join(folder, name), 'r'))
      }
    },
    close: () => {
      for (const descriptor of held.values()) closeSync(descriptor)
      held.clear()
    },
  }
}

function readExactly(descriptor: number, name: string, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let read = 0
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, offset + read)
    if (count === 0) throw new RangeError(`${name} ends before byte ${offset + length}`)
    read += count
  }
  return bytes
}
