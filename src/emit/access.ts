// Who may read the files that are not public.
import { chmodSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleFolder } from '../api/bundle.ts'
import { versionRoots } from '../api/paths.ts'
import { touching } from './output-error.ts'

/**
 * Lets the owner alone read `private`, `function` and the manifest, or opens them again as far as `folder` is open.
 * Files below keep their modes: a file in `private` may be the same file as one in `public`.
 *
 * @param folder an output folder, or a stage
 * @param isOwnerOnly undefined to leave every mode as it is
 * @returns true when a mode changed; never on Windows, which has no such modes
 * @throws OutputError when the system refuses
 */
export function restrictAccess(folder: string, isOwnerOnly: boolean | undefined): boolean {
  if (isOwnerOnly === undefined || process.platform === 'win32') return false
  const changes = closedNames.map((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink()) return false
    const isClosed = (stats.mode & others) === 0
    const open = lstatSync(folder).mode & (stats.isFile() ? others & ~execute : others)
    const mode = isOwnerOnly ? stats.mode & ~others : stats.mode | (isClosed ? open : 0)
    if (mode === stats.mode) return false
    touching(path, 'The last build is as it was.', () => chmodSync(path, mode & 0o7777))
    return true
  })
  return changes.includes(true)
}

const closedNames = [dirname(versionRoots.v2), bundleFolder, 'manifest.json']

/** Bits of the group and of everyone else. */
const others = 0o077
const execute = 0o111
