// Opens the last build for the commands that read it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeManifest, type Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { type LiveSite, type LiveSiteOptions, NoBuildError, openLiveSite } from '../hosts/folder.ts'
import { messageOf } from './settings.ts'

/** Opens the build in a folder. @throws UseError with the fix if there is none, or it cannot be used */
export async function openBuild(out: string, options: LiveSiteOptions = {}): Promise<LiveSite> {
  try {
    return await openLiveSite(out, options)
  } catch (error) {
    if (error instanceof NoBuildError)
      throw new UseError(`${error.message} Run npx quarry build first.`)
    throw new UseError(`The build in ${out} cannot be served. ${messageOf(error)}`)
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
