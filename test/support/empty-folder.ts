// A separate folder for a test or for a file of tests, with some files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atEnd } from './cleanup.ts'

/** Returns a folder that is removed at the end. @param files texts by path below the folder */
export function emptyFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  parent: string = tmpdir(),
): string {
  const folder = mkdtempSync(join(parent, 'quarry-folder-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) writeBelow(folder, path, text)
  return folder
}

/** Writes a file, and the folders that it needs. @param path path below the folder */
export function writeBelow(folder: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
