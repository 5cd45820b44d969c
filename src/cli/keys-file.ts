// Atomic changes of a workspace's `keys.yml`, by one process at a time.
import { lstat, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from '../build/lock.ts'
import { keysFileName, readKeysFile, readKeysText } from '../content/keys-file.ts'
import type { RawYaml, Read } from '../content/raw.ts'
import { readTextFile } from '../content/read-file.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { readKeys, type StatedKey } from '../model/keys.ts'
import { Problems } from '../model/problems.ts'

/** Location of a `keys.yml`. */
export interface KeysPlace {
  /** The content folder: absolute, with links resolved. */
  readonly root: string
  /** Id of an existing workspace. */
  readonly workspace: string
}

/** Content of a `keys.yml`. */
export interface KeysFile {
  /** Empty if there is no file. */
  readonly text: string
  readonly keys: readonly StatedKey[]
}

/** The outcome of an edit of `keys.yml`, and its messages. */
export interface KeysChange<T> {
  readonly text: string
  readonly result: T
}

/**
 * Replaces the text of a workspace's `keys.yml`. Writes nothing if the text is unchanged.
 *
 * @param change called while no other process changes the file
 * @returns the result of `change`, after the file is synced to disk
 * @throws BuildError if the file has errors; it is not changed
 * @throws LockError if another process holds the lock for too long
 */
export async function changeKeysFile<T>(
  place: KeysPlace,
  change: (file: KeysFile) => KeysChange<T>,
): Promise<T> {
  const folder = join(place.root, place.workspace)
  return withLock(join(folder, `.${keysFileName}.lock`), async () => {
    const { keys } = keysOf(place, await readKeysFile(place.root, place.workspace))
    // The raw text, with its own line endings.
    const file = `${place.workspace}/${keysFileName}`
    const before = { keys, text: readTextFile(place.root, file).value ?? '' }
    const { text, result } = change(before)
    if (text === before.text) return result
    // Parses the new text, so that an invalid edit fails here and not in the next build.
    keysOf(place, readKeysText(file, text))
    await replaceFile(folder, text)
    return result
  })
}

/** @throws BuildError if there are errors */
function keysOf({ workspace: id }: KeysPlace, { value, diagnostics }: Read<RawYaml>): KeysFile {
  const problems = new Problems()
  const source = value === undefined ? { id } : { id, keys: value }
  const keys = readKeys([source], problems).get(id) ?? []
  const all = [...diagnostics, ...problems.diagnostics]
  if (all.some(isError)) throw new BuildError(all)
  return { text: value?.source ?? '', keys }
}

/** Syncs the new file to disk before it replaces the old one. */
async function replaceFile(folder: string, text: string): Promise<void> {
  const target = join(folder, keysFileName)
  const temporary = join(folder, `.${keysFileName}.new`)
  const mode = await lstat(target).then(
    (stats) => stats.mode,
    () => undefined,
  )
  // Only the lock holder writes here: an existing file is left over from a process that died.
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
