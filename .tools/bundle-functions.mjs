// Bundles each host's program into one file, `.lib/functions/HOST.js`: a deployment needs no node_modules. What answers
// agents is a separate file, `mcp.mjs`, which a program loads only where that is switched on.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { recordPackages } from './notices.mjs'

const options = {
  bundle: true,
  format: 'esm',
  // Without Node's own modules but for those that are named as such.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['node:*'],
  target: 'es2023',
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
}

/** Programs import the file next to them. */
const agentsApart = {
  name: 'agents-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/mcp\/agents\.ts$/ }, () => ({ path: './mcp.mjs', external: true }))
  },
}

const functions = await build({
  ...options,
  entryPoints: readdirSync('src/platforms')
    .map((host) => `src/platforms/${host}/entry.ts`)
    .filter((path) => existsSync(path)),
  outbase: 'src/platforms',
  outdir: '.lib/functions',
  entryNames: '[dir]',
  plugins: [agentsApart],
})

const agents = await build({
  ...options,
  entryPoints: ['src/mcp/agents.ts'],
  outfile: '.lib/functions/mcp.mjs',
  minify: true,
})
recordPackages('functions', functions.metafile)
recordPackages('mcp', agents.metafile)

// The library's modules load the same file: whoever installs quarry needs no SDK.
writeFileSync(
  '.lib/mcp/agents.js',
  "export { messageBytesMax, respondToAgent } from '../functions/mcp.mjs'\n",
)
