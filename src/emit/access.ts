// Permissions of the files that are not public.
import { chmodSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { versionRoots } from '../api/paths.ts'
import { functionFolder } from '../snapshot/format.ts'
import { touching } from './output-error.ts'

/**
 * Restricts `private`, `function` and the manifest to their owner, or makes them as accessible as `folder` again. Files
 * below keep their modes, as a file in `private` may be a hard link to one in `public`.
 *
 * @param folder an output folder or a stage
 * @param isOwnerOnly undefined keeps every mode
 * @returns true if a mode changed; never on Windows, which has no such modes
 * @throws OutputError on a system error
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

const closedNames = [dirname(versionRoots.v2), functionFolder, 'manifest.json']

/** Mode bits of the group and of others. */
const others = 0o077
const execute = 0o111
