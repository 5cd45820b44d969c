// The files of a build, for explanations.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeManifest } from '../../emit/manifest.ts'
import type { Surroundings } from './explanation.ts'

/** The files of the build in an output folder. @throws Error without a build in it */
export function writtenFiles(out: string): Pick<Surroundings, 'isWritten' | 'readFile'> {
  const manifest = decodeManifest(readFileSync(join(out, 'manifest.json')))
  return {
    isWritten: (path) => manifest?.files.has(path) === true,
    // The index has found the resource first: the path is a build's.
    readFile: (path) => (existsSync(join(out, path)) ? readFileSync(join(out, path)) : null),
  }
}
