// Bundles what projects import, `quarry` and `quarry/…`, into `.lib/library/`: a file for each entry, files that several
// entries share, and their types. A package of hundreds of files takes long to install.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { agentsApart, installed, requireOfPackages } from './installed.mjs'
import { recordPackages } from './notices.mjs'

const outdir = '.lib/library'
const hosts = readdirSync('src/platforms').filter((host) =>
  existsSync(`src/platforms/${host}/handler.ts`),
)
/** Entries that run on every host, by name. */
const portable = {
  runtime: 'runtime',
  ...Object.fromEntries(hosts.map((host) => [host, `platforms/${host}/handler`])),
}
const forNode = { index: 'index', astro: 'astro', vite: 'vite' }

const options = {
  outdir,
  bundle: true,
  plugins: [agentsApart],
  splitting: true,
  format: 'esm',
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
}

rmSync(outdir, { recursive: true, force: true })
const libraries = await Promise.all([
  build({
    ...options,
    entryPoints: paths(portable, 'src/', '.ts'),
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    target: 'es2023',
  }),
  build({
    ...options,
    entryPoints: paths(forNode, 'src/', '.ts'),
    platform: 'node',
    target: 'node20',
    external: [...installed, '#client'],
    banner: { js: requireOfPackages },
  }),
])
for (const [at, { metafile }] of libraries.entries()) recordPackages(`library-${at}`, metafile)
await bundleTypes()

/** From the declarations that `tsc` made. */
async function bundleTypes() {
  const bundle = await rollup({
    input: paths({ ...portable, ...forNode }, '.lib/', '.d.ts'),
    external: [/^#/, /^node:/],
    plugins: [dts()],
    // It warns of types that public ones name and no entry exports: those are internal.
    logLevel: 'silent',
  })
  const names = { entryFileNames: '[name].d.ts', chunkFileNames: 'shared/[name].ts' }
  await bundle.write({ dir: outdir, format: 'esm', ...names })
  await bundle.close()
}

function paths(entries, folder, extension) {
  const named = Object.entries(entries)
  return Object.fromEntries(named.map(([name, path]) => [name, `${folder}${path}${extension}`]))
}
