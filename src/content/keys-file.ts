// Reads a workspace's `keys.yml`. Rejects a file with a key in clear before anything can repeat the key.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { findClearKeys } from '../api/keys.ts'
import { diagnosticAt, type Problem } from '../diagnostics.ts'
import type { RawYaml, Read } from './raw.ts'
import { readTextFile } from './read-file.ts'
import { plainText, positionIn } from './source.ts'
import { readYaml } from './yaml.ts'

/** File name in a workspace's folder. */
export const keysFileName = 'keys.yml'

/**
 * Parses the text of a `keys.yml`.
 *
 * A key in clear, anywhere in the text, is an error without a value. Its diagnostic omits the source line.
 */
export function readKeysText(file: string, text: string): Read<RawYaml> {
  const plain = plainText(text)
  const diagnostics = findClearKeys(plain)
    .slice(0, 100)
    .map((offset) => diagnosticAt(file, positionIn(plain, offset), keyInClear))
  return diagnostics.length > 0 ? { diagnostics } : readYaml(file, text)
}

/**
 * Reads a workspace's `keys.yml`.
 *
 * @param root the content folder: absolute, with links resolved
 * @returns neither value nor diagnostics if there is no such file
 */
export function readKeysFile(root: string, workspace: string): Read<RawYaml> {
  const file = `${workspace}/${keysFileName}`
  const isMissing = lstatSync(join(root, file), { throwIfNoEntry: false }) === undefined
  if (isMissing) return { diagnostics: [] }
  const { value, diagnostics } = readTextFile(root, file)
  return value === undefined ? { diagnostics } : readKeysText(file, value)
}

const keyInClear: Problem = {
  code: 'key-in-clear',
  message: 'This is a key in plain text; only its SHA-256 belongs in this file.',
  hint: 'Remove it, and stop using the key: "quarry keys create" creates another.',
}
