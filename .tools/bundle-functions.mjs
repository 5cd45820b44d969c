// Bundles each host's program into one file, `.lib/functions/HOST.js`: a deployment needs no node_modules.
// Knows nothing of what the programs do.
import { existsSync, readdirSync } from 'node:fs'
import { build } from 'esbuild'

await build({
  entryPoints: readdirSync('src/platforms')
    .map((host) => `src/platforms/${host}/entry.ts`)
    .filter((path) => existsSync(path)),
  outbase: 'src/platforms',
  outdir: '.lib/functions',
  entryNames: '[dir]',
  bundle: true,
  format: 'esm',
  // Without Node's own modules but for those that are named as such.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['node:*'],
  target: 'es2023',
  legalComments: 'inline',
  logLevel: 'warning',
})
