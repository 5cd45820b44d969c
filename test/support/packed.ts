// The packages of this repository, packed by npm, and projects that install them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Folders of packages, relative to the root of the repository. */
const folders = {
  quarry: '.',
  'quarry-client': 'packages/client',
  'create-quarry': 'packages/create-quarry',
  'quarry-import': 'packages/import',
} as const

/** Packs a package in its compiled state. @returns the path of its tarball */
export function packPackage(name: keyof typeof folders, into: string): string {
  mkdirSync(into, { recursive: true })
  const flags = ['pack', '--ignore-scripts', '--silent', '--pack-destination', into]
  execFileSync('npm', flags, { cwd: join(root, folders[name]), stdio: 'pipe' })
  const [file] = readdirSync(into).filter((file) => /^-\d/.test(file.replace(name, '')))
  return join(into, file ?? '')
}

/** Installs packages, including tarballs, into a project. */
export function installInto(project: string, specifiers: readonly string[]): void {
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    // npm passes its settings to tests, but the project of a user does not have them.
    '--engine-strict=false',
  ]
  execFileSync('npm', ['install', ...flags, ...specifiers], { cwd: project, stdio: 'pipe' })
}
