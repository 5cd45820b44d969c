// Bundles the command line into `.lib/command/`: what every start needs in one file, what one command alone needs in
// files of its own, so that a command opens a handful of files rather than hundreds.
import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { agentsApart, installed, requireOfPackages } from './installed.mjs'
import { recordPackages } from './notices.mjs'

const outdir = '.lib/command'
const program = 'src/cli/program.ts'
/** What runs most often: no small file is opened for it that could stand in a larger one. */
const often = ['src/cli/build-command.ts', 'src/pipeline/site.ts', 'src/pipeline/write-site.ts']

/** A file that is smaller takes longer to find and open than to compile. */
const fileBytesMin = 16 * 1024

/**
 * Parts that are loaded later are told that the program is there by then. What it needs would otherwise be cut
 * by who else needs it, into two dozen files, all of which are opened by every command.
 *
 * @param beside source files that are loaded with the program
 */
function oneStart(beside) {
  return {
    name: 'one-start',
    setup({ onResolve, onLoad }) {
      const later = new Set()
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind === 'dynamic-import') later.add(resolve(resolveDir, path))
      })
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const first = later.has(path) ? [program] : path === resolve(program) ? beside : []
        if (first.length === 0) return undefined
        const imports = first.map((file) => `import ${JSON.stringify(resolve(file))}\n`)
        return { contents: imports.join('') + readFileSync(path, 'utf8'), loader: 'ts' }
      })
    },
  }
}

/**
 * gray-matter loads a reader of YAML of its own before it is told that it is given another, which it is by every call:
 * 110 kB of code that is read at every start and never run.
 */
const oneYaml = {
  name: 'one-yaml',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]js-yaml[\\/]index\.js$/ }, () => ({ contents: noYaml }))
  },
}

/**
 * commander loads what starts other programs, and with it Node's network, for commands that stand in files of their
 * own: we have none.
 */
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

const noYaml = `function refuse() { throw new Error('gray-matter was given no reader of YAML.') }
module.exports = { safeLoad: refuse, safeDump: refuse }
`

/** @returns what was written, and from what */
async function bundle(beside) {
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: ['src/cli/main.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [oneStart(beside), oneYaml, noOtherPrograms, agentsApart],
    external: installed,
    banner: { js: requireOfPackages },
    legalComments: 'inline',
    logLevel: 'warning',
    metafile: true,
  })
  recordPackages('command', metafile)
  return metafile.outputs
}

/** Sources of the small files that are often opened, but for what would take a large one along, or more of Node. */
function smallSources(outputs) {
  const started = opened(outputs, 'src/cli/main.ts')
  const builtins = new Set([...started].flatMap((file) => builtinsOf(outputs[file])))
  const all = new Set([...started, ...often.flatMap((entry) => [...opened(outputs, entry)])])
  const isSmall = ({ bytes, entryPoint }) => bytes < fileBytesMin && entryPoint === undefined
  const isTaken = (file) =>
    isSmall(outputs[file]) &&
    builtinsOf(outputs[file]).every((name) => builtins.has(name)) &&
    staticImports(outputs[file]).every((next) => started.has(next) || isTaken(next))
  return [...all]
    .filter(isTaken)
    .flatMap((file) => Object.keys(outputs[file].inputs))
    .filter((source) => source.startsWith('src/'))
}

/** The files that are opened for a source file: its own, and what that imports. */
function opened(outputs, source) {
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)
  const files = new Set([first])
  for (const file of files) for (const next of staticImports(outputs[file])) files.add(next)
  return files
}

/** Modules of Node that a file loads when it is opened. */
function builtinsOf(output) {
  return staticImports(output, true)
}

function staticImports({ imports }, isExternal = false) {
  return imports
    .filter(({ kind, external = false }) => kind === 'import-statement' && external === isExternal)
    .map(({ path }) => path)
}

const small = smallSources(await bundle([]))
await bundle(small)
