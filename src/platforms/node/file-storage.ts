// The function's files on a disk, read where they lie.
// Knows nothing of what they hold, but that a name with a hash in it says what the bytes are.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../../runtime/storage.ts'
import { nativeSearch } from './native-search.ts'

/** A storage that holds files open, once they were read, until it is closed. */
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

/** Files held open at once; more are opened each time they are read. */
export const heldFilesMax = 768

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
  const use = <T>(name: string, read: (descriptor: number) => T): T => {
    readAt = performance.now()
    const known = held.get(name)
    if (known !== undefined) return read(known)
    const descriptor = openSync(join(folder, name), 'r')
    // To open a file costs more than to read a text of it.
    const isKept = hashOf(name) !== undefined && held.size < heldFilesMax
    if (isKept) held.set(name, descriptor)
    try {
      return read(descriptor)
    } finally {
      if (!isKept) closeSync(descriptor)
    }
  }
  const readChecked = (descriptor: number, name: string): Uint8Array => {
    const bytes = readExactly(descriptor, name, 0, fstatSync(descriptor).size)
    if (!checked.has(name)) checkContent(bytes, name)
    checked.add(name)
    return bytes
  }
  return {
    read: (name) => use(name, (descriptor) => readChecked(descriptor, name)),
    readRange: (name, offset, length) =>
      use(name, (descriptor) => {
        if (!checked.has(name)) readChecked(descriptor, name)
        return readExactly(descriptor, name, offset, length)
      }),
    readInto: (name, offset, bytes) =>
      use(name, (descriptor) => fill(descriptor, name, offset, bytes)),
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
function checkContent(bytes: Uint8Array, name: string): void {
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (!hash.startsWith(hashOf(name) ?? ''))
    throw new Error(`${name} was changed after it was built.`)
}

/** The part of a name that says what the bytes are. */
function hashOf(name: string): string | undefined {
  return /\/([0-9a-f]{32})\.\w+$/.exec(name)?.[1]
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
