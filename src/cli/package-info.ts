// The metadata of the package: its name, its version and where its own files lie.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package that is running. */
export interface PackageInfo {
  readonly name: string
  readonly version: string
  /** Absolute: the folder with its `package.json`, `docs` and `templates`. */
  readonly folder: string
}

/** Reads the package's own `package.json`; it lies at one place for the source and for what is installed. */
export function packageInfo(): PackageInfo {
  const folder = fileURLToPath(new URL('../../', import.meta.url))
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version }: { name: string; version: string } = JSON.parse(text)
  return { name, version, folder }
}
