// Reads a workspace's `keys.yml`, and refuses one in which a key is in clear before anything else could
// repeat it.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { findClearKeys } from '../api/clear-key.ts'
import type { RawYaml, Read } from './raw.ts'
import { readTextFile } from './read-file.ts'
import { createSource, diagnoseAt, type Problem, plainText, positionAt } from './source.ts'
import { readYaml } from './yaml-file.ts'

/** The file's name in a workspace's folder. */
export const keysFileName = 'keys.yml'

/**
 * The value of a `keys.yml`.
 *
 * A key in clear, wherever in the text it stands, is an error that leaves no value; its diagnostic has no text
 * of the line.
 */
export function readKeysText(file: string, text: string): Read<RawYaml> {
  const source = createSource(file, plainText(text))
  const diagnostics = findClearKeys(source.text)
    .slice(0, MAX_PROBLEMS)
    .map((offset) => diagnoseAt(file, positionAt(source, offset), KEY_IN_CLEAR))
  return diagnostics.length > 0 ? { diagnostics } : readYaml(file, text)
}

/**
 * A workspace's `keys.yml`.
 *
 * @param root the content folder: absolute, free of links
 * @returns neither value nor diagnostics where there is no such file
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
  message: 'A key stands here in clear; only its SHA-256 belongs into this file.',
  hint: 'Take it out, and do not use it any more: "quarry keys create" makes another.',
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
