// How a new project comes by quarry: by its version from a registry, else by a tarball of what is running.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { UseError } from '../../config.ts'
import { StoppedError } from '../failures.ts'
import type { PackageInfo } from '../package-info.ts'
import type { Dependency } from './templates.ts'

/**
 * The dependency of the project.
 *
 * A version is named only where npm has recorded that the running package came from a registry: elsewhere the
 * name may be somebody else's. Otherwise the running package is packed into the project, so that it can be
 * installed wherever the project is cloned, in continuous integration too, and not on this machine alone.
 *
 * @param folder of the project; a tarball is written there
 * @throws UseError when npm cannot be run
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

/** True when npm's own record of the folder that the package lies in says so. */
function isFromRegistry({ name, folder }: PackageInfo): boolean {
  const modules = dirname(folder)
  const record = join(modules, '.package-lock.json')
  if (basename(modules) !== 'node_modules' || !existsSync(record)) return false
  const lock: { readonly packages?: Readonly<Record<string, LockEntry>> } = JSON.parse(
    readFileSync(record, 'utf8'),
  )
  const entry = lock.packages?.[`node_modules/${name}`]
  if (entry?.integrity === undefined) return false
  // npm may be set to leave a registry's addresses out of its records, but never a file's.
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
