// Opens the last build for the commands that read it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, createFileStorage } from '../build/disk.ts'
import { decodeManifest, type Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { serveBuilds } from '../hosts/folder.ts'
import { type FollowedBuild, followBuild } from '../hosts/origin.ts'
import type { ServedSite } from '../runtime/open-build.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import type { Storage } from '../snapshot/storage.ts'
import { messageOf } from './settings.ts'

/** Opens the build in a folder. @throws UseError with the fix if there is none, or it cannot be used */
export function openBuild(out: string): Promise<ServedSite> {
  const storage = createFileStorage(join(out, functionFolder))
  return usable(out, () => followBuild(storage, { isWhole: true }).latest())
}

/** Follows the builds in a folder. @param copy of an origin in that folder @throws UseError as `openBuild` does */
export function followBuilds(
  out: string,
  options: Parameters<typeof serveBuilds>[2],
  copy?: Storage,
): Promise<FollowedBuild> {
  const storage = copy ?? createFileStorage(join(out, functionFolder))
  return usable(out, () => serveBuilds(storage, copy ? 5000 : 500, options))
}

async function usable<T>(out: string, open: () => Promise<T>): Promise<T> {
  if (!existsSync(join(out, functionFolder, rootName)))
    throw new UseError(`There is no build in ${out}. Run npx quarry build first.`)
  try {
    return await open()
  } catch (error) {
    const fix = codeOf(error) === undefined ? '' : '. Build again, or copy the folder as a whole.'
    throw new UseError(`The build in ${out} cannot be served. ${messageOf(error)}${fix}`)
  }
}

/** Reads the manifest of the last build. @throws UseError if there is none, or it is of another version */
export function readManifest(out: string): Manifest {
  const path = join(out, 'manifest.json')
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch {
    throw new UseError(`There is no build in ${out}. Run npx quarry build first.`)
  }
  const manifest = decodeManifest(file)
  if (manifest === null) throw new UseError(`${path} is not a manifest of this version of quarry.`)
  return manifest
}
