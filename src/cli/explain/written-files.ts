// The files of a build, for explanations.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeManifest } from '../../emit/manifest.ts'
import type { Surroundings } from './explanation.ts'

/** Returns the files of the build in an output folder. @throws Error without a build */
export function writtenFiles(out: string): Pick<Surroundings, 'isWritten' | 'readFile'> {
  const manifest = decodeManifest(readFileSync(join(out, 'manifest.json')))
  return {
    isWritten: (path) => manifest?.files.has(path) === true,
    // Safe: the index found the resource first, so the path is that of a build.
    readFile: (path) => (existsSync(join(out, path)) ? readFileSync(join(out, path)) : null),
  }
}
