// Reads the manifest of the last build.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UseError } from '../config.ts'
import { decodeManifest, type Manifest } from '../emit/manifest.ts'

/** @throws UseError if there is none, or it is of another version */
export function readManifest(out: string): Manifest {
  const path = join(out, 'manifest.json')
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch {
    throw new UseError(`There is no build in ${out}. Run npx quarry build first.`)
  }
  const manifest = decodeManifest(file)
  if (manifest === null) throw new UseError(`${path} is no manifest of this version.`)
  return manifest
}
