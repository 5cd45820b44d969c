// The published files of a build, read from the output folder.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleFolder } from '../api/bundle.ts'
import { mediaFolder } from '../api/paths.ts'
import { UseError } from '../config/use-error.ts'
import type { FileEntry } from '../emit/file-entries.ts'
import { decodeManifest, encodeManifest, type Manifest, makeManifest } from '../emit/manifest.ts'

/** A build that can be published. */
export interface BuiltSite {
  /** The manifest, with the published files only. */
  readonly manifest: Manifest
  readonly manifestFile: Uint8Array
  /** The SHA-256 of the manifest, hexadecimal. */
  readonly sha256: string
  /** Reads a file. @throws UseError when it differs from the manifest, because another build has begun */
  read(path: string, entry: FileEntry): Promise<Uint8Array>
}

/**
 * Reads the manifest of an output folder.
 *
 * @param withResponses include the precomputed responses; otherwise only the files that `quarry serve` reads
 * @throws UseError when the folder has no build
 */
export function readBuiltSite(out: string, withResponses: boolean): BuiltSite {
  const whole = readManifest(join(out, 'manifest.json'))
  const manifest = withResponses ? whole : servedPart(whole)
  const manifestFile = encodeManifest(manifest)
  return {
    manifest,
    manifestFile,
    sha256: hash('sha256', manifestFile),
    read: async (path, { sha256 }) => {
      const bytes = await readFile(join(out, path)).catch(() => null)
      if (bytes !== null && hash('sha256', bytes) === sha256) return bytes
      throw new UseError(
        `${join(out, path)} is not as the manifest says. Publish when no build is running, or build again.`,
      )
    },
  }
}

function readManifest(file: string): Manifest {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch {
    throw new UseError(`There is no ${file}. Run npx quarry build first.`)
  }
  const manifest = decodeManifest(bytes)
  if (manifest === null) throw new UseError(`${file} is no manifest of this version. Build again.`)
  return manifest
}

/** The build without responses: the function's files, images and the API explorer. */
function servedPart(manifest: Manifest): Manifest {
  const files = new Map([...manifest.files].filter(([path]) => isServed(path)))
  return makeManifest({ ...manifest, files })
}

function isServed(path: string): boolean {
  const isFolder = [bundleFolder, mediaFolder].some((folder) => path.startsWith(`${folder}/`))
  return isFolder || /^public\/[^/]+$/.test(path)
}
