// The function's files on a disk, read where they lie.
// Knows nothing of what they hold, but that a name with a hash in it says what the bytes are.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../../runtime/storage.ts'
import { nativeSearch } from './native-search.ts'

/** A storage that holds files open until it is closed. */
export interface FileStorage extends Storage {
  /**
   * Opens files that will be read later, so that a build which removes them takes nothing from those who
   * still read them.
   *
   * @throws when one is not there
   */
  hold(names: readonly string[]): void
  /** When something was last read, by `performance.now()`. */
  lastReadAt(): number
  close(): void
}

/** Files held open at once; more are opened when they are read. */
export const heldFilesMax = 512

/**
 * A storage over a folder.
 *
 * A file that is named by its content, `blocks/{hash}.bin`, is compared with its name when it is first read;
 * one that was changed is never answered from.
 */
export function createFileStorage(folder: string): FileStorage {
  const held = new Map<string, number>()
  const checked = new Set<string>()
  let readAt = performance.now()
  const use = <T>(name: string, read: (descriptor: number) => T, isChecked = true): T => {
    readAt = performance.now()
    const known = held.get(name)
    const descriptor = known ?? openSync(join(folder, name), 'r')
    try {
      if (isChecked && !checked.has(name)) checkContent(descriptor, name)
      if (isChecked) checked.add(name)
      return read(descriptor)
    } finally {
      if (known === undefined) closeSync(descriptor)
    }
  }
  return {
    read: (name) => use(name, (descriptor) => readWhole(descriptor, name)),
    readRange: (name, offset, length) =>
      use(name, (descriptor) => readExactly(descriptor, name, offset, length)),
    readInto: (name, offset, bytes) =>
      use(name, (descriptor) => fill(descriptor, name, offset, bytes), false),
    makeSearchable: nativeSearch(),
    hold: (names) => {
      for (const name of names.slice(0, heldFilesMax)) {
        if (!held.has(name)) held.set(name, openSync(join(folder, name), 'r'))
      }
    },
    lastReadAt: () => readAt,
    close: () => {
      for (const descriptor of held.values()) closeSync(descriptor)
      held.clear()
    },
  }
}

/** @throws Error when the bytes are not those that the name says; names without a hash say nothing */
function checkContent(descriptor: number, name: string): void {
  const [, expected] = /\/([0-9a-f]{32})\.\w+$/.exec(name) ?? []
  if (expected === undefined) return
  const hash = createHash('sha256').update(readWhole(descriptor, name)).digest('hex')
  if (!hash.startsWith(expected)) throw new Error(`${name} was changed after it was built.`)
}

function readWhole(descriptor: number, name: string): Uint8Array {
  return readExactly(descriptor, name, 0, fstatSync(descriptor).size)
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
