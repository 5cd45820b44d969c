// Bundles the command line, the library for Node and the modules of threads in one run, so that they share files.
import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { agentsApart, installed, legible, requireOfPackages } from './options.mjs'

/** Entries, by their files below `.lib`. */
const entryPoints = {
  'command/main': 'src/cli/main.ts',
  'library/index': 'src/index.ts',
  'library/astro': 'src/astro.ts',
  'library/vite': 'src/vite.ts',
  'render-worker': 'src/markdown/worker.ts',
  'segment-worker': 'src/emit/segment-worker.ts',
}

/** Modules that are loaded by `import()` together, by the name of their file: a file for each would be fifty. */
const parts = {
  edit: sources('pipeline', [
    ...['site', 'write-site', 'write-changes'],
    ...['lost-slugs', 'render-threads'],
  ]),
  content: [
    ...sources('content', ['data-file', 'front-matter']),
    ...sources('model', ['drafts', 'library', 'post-summary']),
  ],
  'serve-commands': sources('cli', ['dev-command', 'serve-command']),
  'content-commands': sources('cli', [
    ...['doctor-command', 'keys-command', 'make-deployments'],
    ...['explain/explain-command', 'explain/served-explanation', 'schema/schema-command'],
  ]),
  'other-commands': sources('cli', ['notify-command', 'init/init-command']),
  segment: ['src/emit/segment.ts'],
  'authored-html': ['src/markdown/authored-html.ts'],
  mdx: ['src/markdown/mdx.ts'],
  import: [
    'src/cli/import-command.ts',
    ...sources('import', ['ghost/ghost', 'marble/marble', 'wordpress/wordpress']),
    ...sources('import/static', ['docusaurus', 'folder-sites', 'hugo', 'jekyll', 'static-site']),
  ],
}

const { edit, content } = parts
const program = ['src/cli/program.ts', 'src/build.ts']
/** Small modules of threads that are also in the main one. */
const inThreads = [
  'src/diagnostics.ts',
  ...sources('api', ['bytes']),
  ...sources('cache', ['digested', 'stored-bytes']),
  ...sources('content', ['relative-path']),
  ...sources('emit', ['blocks']),
  ...sources('markdown', ['anchors', 'failures', 'packing']),
  ...sources('query', ['post-terms', 'visible-text']),
]

/**
 * Modules that are loaded with a part or a source: their files are open by then, or small. esbuild makes a file for
 * each set of entries that share modules. These imports make sets equal: 75 files instead of 220.
 */
const loadedWith = {
  'src/cli/build-command.ts': program,
  'src/cli/check-command.ts': program,
  'src/cli/mcp-command.ts': [...program, ...edit, 'src/cli/open-build.ts'],
  'src/config/config-schema.ts': ['src/build.ts', 'src/config/import-config.ts'],
  'src/content/entries.ts': ['src/build.ts'],
  'src/emit/segment-worker.ts': inThreads,
  'src/markdown/worker.ts': inThreads,
  'src/astro.ts': [...edit, ...content],
  'src/vite.ts': [...edit, ...content],
  edit: ['src/build.ts', ...inThreads],
  content: ['src/build.ts', 'src/content/front-matter-record.ts', ...inThreads],
  'serve-commands': [...program, ...edit],
  'content-commands': [...program, ...edit, ...content],
  'other-commands': [...program, ...inThreads],
  segment: edit,
  'authored-html': ['src/markdown/worker.ts'],
  mdx: ['src/markdown/worker.ts'],
  import: [...program, ...content, ...inThreads],
}

/** Writes the files below `.lib`. @returns the result of esbuild */
export async function bundleNode() {
  return build({
    ...legible,
    entryPoints,
    outdir: '.lib',
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [partsTogether, oneYaml, noOtherPrograms, agentsApart],
    external: [...installed, '#client'],
    banner: { js: requireOfPackages },
    logLevel: 'warning',
    metafile: true,
  })
}

/** Files on which rendering depends: sources, and sources of packages; of a package outside the bundle, its version. */
export function rendererFiles({ inputs }) {
  const files = new Set(['src/markdown/worker.ts'])
  for (const file of files)
    for (const { path, external = false } of inputs[file].imports) if (!external) files.add(path)
  return [...files].filter((path) => path in inputs && existsSync(path))
}

function sources(folder, names) {
  return names.map((name) => `src/${folder}/${name}.ts`)
}

const partsTogether = {
  name: 'parts-together',
  setup({ onResolve, onLoad }) {
    const entries = Object.entries(parts)
    const partOf = new Map(
      entries.flatMap(([part, paths]) => paths.map((path) => [resolve(path), part])),
    )
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const part = kind === 'dynamic-import' ? partOf.get(resolve(resolveDir, path)) : undefined
      return part === undefined ? undefined : { path: part, namespace: 'part' }
    })
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: lines('export * from', parts[path]) + lines('import', loadedWith[path]),
      resolveDir: resolve('.'),
    }))
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const imports = loadedWith[relative('.', path).replaceAll('\\', '/')]
      if (imports === undefined) return undefined
      return { contents: readFileSync(path, 'utf8') + lines('\nimport', imports), loader: 'ts' }
    })
  },
}

function lines(start, paths) {
  return paths.map((path) => `${start} ${JSON.stringify(resolve(path))}\n`).join('')
}

/** gray-matter loads its own reader of YAML, which is never called: 110 kB of code. */
const oneYaml = {
  name: 'one-yaml',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]js-yaml[\\/]index\.js$/ }, () => ({ contents: noYaml }))
  },
}

const noYaml = `function refuse() { throw new Error('gray-matter was given no reader of YAML.') }
module.exports = { safeLoad: refuse, safeDump: refuse }
`

/** commander loads `child_process`, and with it Node's network, for commands that are programs: quarry has none. */
const noOtherPrograms = {
  name: 'no-other-programs',
  setup({ onLoad }) {
    const filter = /[\\/]node_modules[\\/]commander[\\/]lib[\\/]command\.js$/
    onLoad({ filter }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes(loadSpawn)) throw new Error(`${path} has no "${loadSpawn}"`)
      return { contents: source.replace(loadSpawn, noSpawn) }
    })
  },
}

const loadSpawn = "const childProcess = require('node:child_process');"
const noSpawn = `const childProcess = { spawn() { throw new Error('No command is a program of its own.') } };`
