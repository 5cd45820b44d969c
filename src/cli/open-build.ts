// Opens the last build for the commands that read it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, createFileStorage } from '../build/disk.ts'
import { decodeManifest, type Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { serveBuilds } from '../hosts/folder.ts'
import {
  type FollowedBuild,
  type FollowOptions,
  followBuild,
  httpStorage,
} from '../hosts/origin.ts'
import { copiedStorage } from '../hosts/site-copy.ts'
import type { ServedSite } from '../runtime/open-build.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import { messageOf } from './settings.ts'

/** Opens the build in a folder. @throws UseError with the fix if there is no usable build */
export function openBuild(out: string): Promise<ServedSite> {
  const storage = createFileStorage(join(out, functionFolder))
  return usable(out, () => followBuild(storage, { isWhole: true }).latest())
}

/**
 * Follows the builds in a folder for a server: reads the root regularly, and uses only builds that can be opened whole.
 *
 * @param from URL of an origin, whose builds are copied to the folder
 * @throws UseError if there is no usable build
 */
export async function followBuilds(
  out: string,
  from: string | undefined,
  options: FollowOptions,
): Promise<FollowedBuild> {
  const folder = join(out, functionFolder)
  const files = createFileStorage(folder)
  if (from === undefined) return usable(out, () => serveBuilds(files, 500, options))
  if (existsSync(join(out, 'manifest.json')))
    throw new UseError(
      `${out} contains another build. Choose another folder with --out for the copy of ${from}.`,
    )
  const authorization = process.env['QUARRY_SITE_AUTHORIZATION'] || undefined
  const copy = copiedStorage(httpStorage({ url: from, authorization }), folder)
  try {
    return await serveBuilds(copy, 5000, { ...options, last: files })
  } catch (error) {
    throw new UseError(
      `${from} cannot be served, and ${out} has no earlier copy. ${messageOf(error)}`,
    )
  }
}

async function usable<T>(out: string, open: () => Promise<T>): Promise<T> {
  requireBuild(out, join(out, functionFolder, rootName))
  try {
    return await open()
  } catch (error) {
    const fix = codeOf(error) === undefined ? '' : '. Build again, or copy the whole folder.'
    throw new UseError(`The build in ${out} cannot be served. ${messageOf(error)}${fix}`)
  }
}

/** Reads the manifest of the last build. @throws UseError if there is none, or if it has another version */
export function readManifest(out: string): Manifest {
  const path = join(out, 'manifest.json')
  requireBuild(out, path)
  const manifest = decodeManifest(readFileSync(path))
  if (manifest === null) throw new UseError(`${path} is not a manifest of this version of quarry.`)
  return manifest
}

/** @param path path of a file that every build has */
function requireBuild(out: string, path: string): void {
  if (!existsSync(path))
    throw new UseError(`There is no build in ${out}. Run npx quarry build first.`)
}
