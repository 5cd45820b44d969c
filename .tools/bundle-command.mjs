// Bundles the command line into `.lib/command/`: what every start needs in one file, what one command alone needs in
// files of its own, so that a command opens a handful of files rather than hundreds. Knows nothing of the commands.
import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'

const outdir = '.lib/command'
const program = resolve('src/cli/program.ts')

/**
 * Parts that are loaded later are told that the program is there by then. What it needs would otherwise be cut
 * by who else needs it, into two dozen files, all of which are opened by every command.
 */
const oneStart = {
  name: 'one-start',
  setup({ onResolve, onLoad }) {
    const later = new Set()
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(resolve(resolveDir, path))
    })
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const contents = `import ${JSON.stringify(program)}\n${readFileSync(path, 'utf8')}`
      return { contents, loader: 'ts' }
    })
  },
}

rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: ['src/cli/main.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [oneStart],
  // Loaded by few, and from files of their own.
  external: ['jiti', 'ioredis', 'rate-limiter-flexible'],
  // Packages in CommonJS ask for Node's modules while they run.
  banner: {
    js: "import { createRequire as createPackageRequire } from 'node:module'\nconst require = createPackageRequire(import.meta.url)",
  },
  legalComments: 'inline',
  logLevel: 'warning',
})
