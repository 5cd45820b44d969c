// The dependency of a new project on quarry: a registry version, or else a tarball of the running package.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { UseError } from '../../config.ts'
import { StoppedError } from '../failures.ts'
import type { PackageInfo } from '../package-info.ts'
import type { Dependency } from './templates.ts'

/**
 * Returns the dependency of the project.
 *
 * It names a version only if npm recorded that the running package came from a registry: elsewhere, the name may belong
 * to another package. Otherwise it packs the running package into the project, so that every clone of the project can
 * install it, in continuous integration too.
 *
 * @param folder of the project; a tarball is written there
 * @throws UseError if npm cannot be run
 */
export async function provideQuarry(
  self: PackageInfo,
  folder: string,
  signal: AbortSignal,
): Promise<Dependency> {
  if (isFromRegistry(self)) return { spec: `^${self.version}`, tarball: null }
  const tarball = await pack(self, folder, signal)
  return { spec: `file:${tarball}`, tarball }
}

/** Reports whether npm recorded that the running package came from a registry. */
function isFromRegistry({ name, folder }: PackageInfo): boolean {
  const modules = dirname(folder)
  const record = join(modules, '.package-lock.json')
  if (basename(modules) !== 'node_modules' || !existsSync(record)) return false
  const lock: { readonly packages?: Readonly<Record<string, LockEntry>> } = JSON.parse(
    readFileSync(record, 'utf8'),
  )
  const entry = lock.packages?.[`node_modules/${name}`]
  if (entry?.integrity === undefined) return false
  // npm may be configured to omit registry URLs from its records, but never file URLs.
  return entry.resolved === undefined || entry.resolved.includes(`/${name}/-/`)
}

interface LockEntry {
  readonly resolved?: string
  readonly integrity?: string
}

async function pack(self: PackageInfo, folder: string, signal: AbortSignal): Promise<string> {
  const words = ['pack', self.folder, '--ignore-scripts', '--json', '--pack-destination', folder]
  // On Windows npm is a script, which only a shell can run.
  const isWindows = process.platform === 'win32'
  const args = isWindows ? words.map((word) => `"${word}"`) : words
  try {
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: folder,
      shell: isWindows,
      signal,
    })
    const [packed]: readonly { readonly filename: string }[] = JSON.parse(stdout)
    return packed?.filename ?? `${self.name}-${self.version}.tgz`
  } catch (error) {
    if (signal.aborted) throw new StoppedError('Stopped. Nothing was created.')
    const [reason] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new UseError(
      `npm could not pack quarry for the new project: ${reason} See that npm runs, and try again.`,
    )
  }
}
