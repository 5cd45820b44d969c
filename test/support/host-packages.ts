// Programs in npm packages, such as runtimes of hosts, in a separate cache, because they are large, and a site does
// not need them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages with exact versions, the last ones for Node 20. */
const packages = {
  wrangler: ['wrangler@4.86.0'],
  deno: ['deno@2.9.6'],
  bun: ['bun@1.4.5'],
  vercel: ['@vercel/routing-utils@6.6.0', '@next/routing@16.4.3'],
  openapi: ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'],
  node20: [`node-linux-${process.arch}@20.20.2`],
  node26: [`node-linux-${process.arch}@26.10.0`],
} as const

const cache = join(import.meta.dirname, '../../node_modules/.cache/hosts')

/**
 * Returns the `node_modules` of a host's packages. Installs them if they are missing.
 *
 * @throws Error if the registry does not have them
 */
export function provideHostPackages(name: keyof typeof packages): string {
  const versions = packages[name].join('_').replace(/[^\w.-]/g, '_')
  const folder = join(cache, `${name}-${versions}`)
  if (!existsSync(folder)) install(packages[name], folder)
  return join(folder, 'node_modules')
}

/** Returns the path of Deno. */
export function denoProgram(): string {
  const system = { linux: 'linux-ARCH-glibc', darwin: 'darwin-ARCH', win32: 'win32-ARCH' }
  const name = system[process.platform as keyof typeof system]
  return join(provideHostPackages('deno'), `@deno/${name.replace('ARCH', process.arch)}/deno`)
}

/** Returns the path of Bun. */
export function bunProgram(): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return join(provideHostPackages('bun'), `@oven/bun-${system}-${arch}/bin/bun`)
}

/** Returns the path of a major version of Node: of the running one, if that is its major version. */
export function nodeProgram(major: '20' | '26'): string {
  if (process.version.startsWith(`v${major}.`)) return process.execPath
  return join(provideHostPackages(`node${major}`), `node-linux-${process.arch}/bin/node`)
}

/** Installs into a temporary folder first, so that the folder is complete even if two tests begin together. */
function install(specifiers: readonly string[], folder: string): void {
  const stage = `${folder}.${process.pid}`
  mkdirSync(stage, { recursive: true })
  writeFileSync(join(stage, 'package.json'), '{"private":true}')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--silent']
  execFileSync('npm', ['install', ...flags, ...specifiers], { cwd: stage, stdio: 'pipe' })
  try {
    renameSync(stage, folder)
  } catch {
    rmSync(stage, { recursive: true, force: true })
  }
}
