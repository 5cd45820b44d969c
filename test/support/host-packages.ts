// Programs that come as npm packages, hosts' own runtimes and editors' tools, in a cache of their own: they are large,
// and a site needs none.
// Knows nothing of what is done with them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages with their exact versions: the last ones for Node 20. */
const packages = {
  wrangler: ['wrangler@4.86.0'],
  deno: ['deno@2.9.6'],
  bun: ['bun@1.4.5'],
  vercel: ['@vercel/routing-utils@6.6.0', '@next/routing@16.4.3'],
  openapi: ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'],
  node20: [`node-linux-${process.arch}@20.20.2`],
  node22: [`node-linux-${process.arch}@22.23.3`],
  node24: [`node-linux-${process.arch}@24.21.0`],
  node26: [`node-linux-${process.arch}@26.10.0`],
  editors: [
    'yaml-language-server@1.25.0',
    'remark-cli@12.0.1',
    'remark-frontmatter@5.0.0',
    'remark-lint-frontmatter-schema@3.15.4',
  ],
} as const

export type HostPackages = keyof typeof packages

const cache = join(import.meta.dirname, '../../node_modules/.cache/hosts')

/**
 * The `node_modules` of a host's packages, installed if need be.
 *
 * @throws Error when the registry does not give them
 */
export function provideHostPackages(name: HostPackages): string {
  const versions = packages[name].join('_').replace(/[^\w.-]/g, '_')
  const folder = join(cache, `${name}-${versions}`)
  if (!existsSync(folder)) install(packages[name], folder)
  return join(folder, 'node_modules')
}

/** Deno's own program. */
export function denoProgram(): string {
  const system = { linux: 'linux-ARCH-glibc', darwin: 'darwin-ARCH', win32: 'win32-ARCH' }
  const name = system[process.platform as keyof typeof system]
  return join(provideHostPackages('deno'), `@deno/${name.replace('ARCH', process.arch)}/deno`)
}

/** Bun's own program. */
export function bunProgram(): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return join(provideHostPackages('bun'), `@oven/bun-${system}-${arch}/bin/bun`)
}

/** Node's own program, of a major version. */
export function nodeProgram(major: '20' | '22' | '24' | '26'): string {
  return join(provideHostPackages(`node${major}`), `node-linux-${process.arch}/bin/node`)
}

/** In a folder beside, so that what is there is whole, also when two tests begin at once. */
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
