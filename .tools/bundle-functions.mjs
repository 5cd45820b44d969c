// Bundles each host's program into one file, `.lib/functions/HOST.js`: a deployment needs no node_modules. Next to it are
// `feeds.mjs`, which a program loads with the first request for a feed, and `mcp.mjs`, which it loads where agents are on.
import { existsSync, readdirSync } from 'node:fs'
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

/** Programs import the files next to them. */
const partsApart = {
  name: 'parts-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/mcp\/agents\.ts$/ }, () => ({ path: './mcp.mjs', external: true }))
    onResolve({ filter: /\/feeds\.ts$/ }, () => ({ path: './feeds.mjs', external: true }))
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
  plugins: [partsApart],
})

const published = await build({
  ...options,
  entryPoints: ['aws-lambda-s3', 'cloudflare-r2'].map((name) => `src/publish/functions/${name}.ts`),
  outdir: '.lib/functions',
  plugins: [partsApart],
})

const agents = await build({
  ...options,
  entryPoints: ['src/mcp/agents.ts'],
  outfile: '.lib/functions/mcp.mjs',
  minify: true,
})
const feeds = await build({
  ...options,
  entryPoints: ['src/api/feeds.ts'],
  outfile: '.lib/functions/feeds.mjs',
  minify: true,
})
recordPackages('functions', functions.metafile)
recordPackages('published', published.metafile)
recordPackages('feeds', feeds.metafile)
recordPackages('mcp', agents.metafile)
