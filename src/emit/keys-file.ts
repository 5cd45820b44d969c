// Changes a workspace's `keys.yml`: one process at a time, and the file is whole at every moment.
import { lstat, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keysFileName, readKeysFile, readKeysText } from '../content/keys-file.ts'
import type { RawYaml, Read } from '../content/raw.ts'
import { readTextFile } from '../content/read-file.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { readKeys, type StatedKey } from '../model/keys.ts'
import { Problems } from '../model/problems.ts'
import { withLock } from './file-lock.ts'

/** Where a `keys.yml` stands. */
export interface KeysPlace {
  /** The content folder: absolute, free of links. */
  readonly root: string
  /** Id of a workspace that is there. */
  readonly workspace: string
}

/** A `keys.yml` as it is. */
export interface KeysFile {
  /** Empty when there is no file. */
  readonly text: string
  readonly keys: readonly StatedKey[]
}

/** The outcome of an edit of `keys.yml`, and its messages. */
export interface KeysChange<T> {
  readonly text: string
  readonly result: T
}

/**
 * Replaces the text of a workspace's `keys.yml`; nothing is written where it stays the same.
 *
 * @param change called while no other process changes the file
 * @returns the change's result, once the file is on the disk
 * @throws BuildError when the file has errors: it is left as it is
 * @throws LockError when another process is at it for too long
 */
export async function changeKeysFile<T>(
  place: KeysPlace,
  change: (file: KeysFile) => KeysChange<T>,
): Promise<T> {
  const folder = join(place.root, place.workspace)
  return withLock(join(folder, `.${keysFileName}.lock`), async () => {
    const { keys } = keysOf(place, await readKeysFile(place.root, place.workspace))
    // As it is on the disk, with its own line ends.
    const file = `${place.workspace}/${keysFileName}`
    const before = { keys, text: readTextFile(place.root, file).value ?? '' }
    const { text, result } = change(before)
    if (text === before.text) return result
    // The new text is parsed: an edit that went wrong is noticed here, not by the next build.
    keysOf(place, readKeysText(file, text))
    await replaceFile(folder, text)
    return result
  })
}

/** @throws BuildError when there are errors */
function keysOf({ workspace: id }: KeysPlace, { value, diagnostics }: Read<RawYaml>): KeysFile {
  const problems = new Problems()
  const source = value === undefined ? { id } : { id, keys: value }
  const keys = readKeys([source], problems).get(id) ?? []
  const all = [...diagnostics, ...problems.diagnostics]
  if (all.some(isError)) throw new BuildError(all)
  return { text: value?.source ?? '', keys }
}

/** The new text is on the disk before it takes the old one's place. */
async function replaceFile(folder: string, text: string): Promise<void> {
  const target = join(folder, keysFileName)
  const temporary = join(folder, `.${keysFileName}.new`)
  const mode = await lstat(target).then(
    (stats) => stats.mode,
    () => undefined,
  )
  // Only the holder of the lock writes here: what is there was left by one that died.
  await rm(temporary, { force: true })
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
