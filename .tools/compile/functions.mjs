// Bundles each host's program into one file, `.lib/functions/HOST.js`: a deployment needs no `node_modules`. A program
// loads `feeds.mjs` with the first request for a feed, and `mcp.mjs` where agents are on. Bundles the handlers that
// projects import, `quarry/HOST`, into `.lib/library`.
import { existsSync, readdirSync } from 'node:fs'
import { build } from 'esbuild'
import { agentsApart, legible } from './options.mjs'

const options = {
  ...legible,
  bundle: true,
  format: 'esm',
  // Without Node's own modules, except those that are named as such.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['node:*'],
  target: 'es2023',
  logLevel: 'warning',
  metafile: true,
}

/** Programs import the files next to them. */
const partsApart = {
  name: 'parts-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/mcp\/agents\.ts$/ }, () => ({ path: './mcp.mjs', external: true }))
    onResolve({ filter: /\/feeds\.ts$/ }, () => ({ path: './feeds.mjs', external: true }))
  },
}

/** Sources of the programs, by name. */
export function programs() {
  return ofHosts('entry')
}

/** Sources of what projects import on any host, by name. */
export function handlers() {
  return { runtime: 'src/runtime.ts', ...ofHosts('handler') }
}

function ofHosts(name) {
  const paths = readdirSync('src/platforms')
    .sort()
    .map((host) => [host, `src/platforms/${host}/${name}.ts`])
  return Object.fromEntries(paths.filter(([, path]) => existsSync(path)))
}

/** @returns results of esbuild */
export async function bundleFunctions() {
  const outdir = '.lib/functions'
  const parts = { mcp: 'src/mcp/agents.ts', feeds: 'src/api/feeds.ts' }
  const partOptions = { outExtension: { '.js': '.mjs' }, minify: true }
  return Promise.all([
    build({ ...options, entryPoints: programs(), outdir, plugins: [partsApart] }),
    build({ ...options, ...partOptions, entryPoints: parts, outdir }),
    build({
      ...options,
      entryPoints: handlers(),
      outdir: '.lib/library',
      chunkNames: 'handlers-[hash]',
      splitting: true,
      plugins: [agentsApart],
    }),
  ])
}
