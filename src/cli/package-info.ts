// Metadata of the package: name, version and folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The running package. */
export interface PackageInfo {
  readonly name: string
  readonly version: string
  /** Absolute: the folder of `package.json`, `docs` and `templates`. */
  readonly folder: string
}

/** Reads the package's own `package.json`, which has the same relative path in the source and when installed. */
export function packageInfo(): PackageInfo {
  const folder = fileURLToPath(new URL('../../', import.meta.url))
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version }: { name: string; version: string } = JSON.parse(text)
  return { name, version, folder }
}
