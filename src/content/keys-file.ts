// Reads a workspace's `keys.yml`. Rejects a file with a key in clear before anything can repeat the key.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { findClearKeys } from '../api/keys.ts'
import type { RawYaml, Read } from './raw.ts'
import { readTextFile } from './read-file.ts'
import { createSource, diagnoseAt, type Problem, plainText, positionAt } from './source.ts'
import { readYaml } from './yaml.ts'

/** File name in a workspace's folder. */
export const keysFileName = 'keys.yml'

/**
 * Parses the text of a `keys.yml`.
 *
 * A key in clear, anywhere in the text, is an error without a value. Its diagnostic omits the source line.
 */
export function readKeysText(file: string, text: string): Read<RawYaml> {
  const source = createSource(file, plainText(text))
  const diagnostics = findClearKeys(source.text)
    .slice(0, MAX_PROBLEMS)
    .map((offset) => diagnoseAt(file, positionAt(source, offset), KEY_IN_CLEAR))
  return diagnostics.length > 0 ? { diagnostics } : readYaml(file, text)
}

/**
 * Reads a workspace's `keys.yml`.
 *
 * @param root the content folder: absolute, with links resolved
 * @returns neither value nor diagnostics if there is no such file
 */
export async function readKeysFile(root: string, workspace: string): Promise<Read<RawYaml>> {
  const file = `${workspace}/${keysFileName}`
  if (await isMissing(join(root, file))) return { diagnostics: [] }
  const { value, diagnostics } = readTextFile(root, file)
  return value === undefined ? { diagnostics } : readKeysText(file, value)
}

const MAX_PROBLEMS = 100

const KEY_IN_CLEAR: Problem = {
  code: 'key-in-clear',
  message: 'This is a key in plain text; only its SHA-256 belongs in this file.',
  hint: 'Remove it, and stop using the key: "quarry keys create" creates another.',
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
