// A storage that reads the function's files from a folder, while they are written.
import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../snapshot/storage.ts'

/** Returns 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}

/** Returns a storage for a folder. No file stays open. */
export function folderStorage(folder: string): Storage {
  return {
    sha256,
    read: (name, from = 0, to) => {
      const descriptor = openSync(join(folder, name), 'r')
      try {
        const bytes = new Uint8Array((to ?? fstatSync(descriptor).size) - from)
        const count = readSync(descriptor, bytes, 0, bytes.length, from)
        return bytes.subarray(0, count)
      } finally {
        closeSync(descriptor)
      }
    },
  }
}
