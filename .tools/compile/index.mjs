// `npm run compile`: modules and declarations by `tsc`, the bundles of the package, their types and notices, and the
// hashes that name this version. A step without changed inputs is left out.
import { spawn } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleFunctions, handlers, programs } from './functions.mjs'
import { bundleNode, rendererFiles } from './node.mjs'
import { packagesOf, writeNotices } from './notices.mjs'
import { bundlePage, pageFile } from './page.mjs'
import { filesBelow, filesOf, hashOf, step } from './steps.mjs'
import { bundleTypes, declarations } from './types.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const sources = filesBelow('src', '.ts')
/** For tests: which files a command opens, and which sources are in them. */
const metafilePath = '.lib/node-metafile.json'
const settings = ['tsconfig.json', 'packages/client/tsconfig.json']

const [types, bundles] = await Promise.all([makeModules(), makeBundles()])
const { page, functions, node } = bundles
const made = [types, page, functions, node]
const packages = packagesOf(made.flatMap(({ inputs }) => inputs))
const writeAll = () => ({ inputs: writeNotices(packages), outputs: ['THIRD-PARTY-NOTICES'] })
const notices = await step('notices', [], writeAll, packages.join('\n'))
const toolId = await step('tool-id', [...sources, pageFile], async () => {
  const id = {
    tool: hashOf(['package.json', pageFile, ...sources]),
    renderer: hashOf(node.renderer),
  }
  writeFileSync('.lib/tool-id.json', `${JSON.stringify(id)}\n`)
  return { inputs: node.renderer, outputs: ['.lib/tool-id.json'] }
})
removeOthers([...made, notices, toolId].flatMap(({ outputs }) => outputs))

async function makeModules() {
  const client = filesBelow('packages/client/src', '.ts')
  const { outputs } = await step('client', [...client, ...settings], async () => {
    await compile('packages/client/tsconfig.json')
    return { inputs: [], outputs: outputsOf(client, 'packages/client/src', 'packages/client/lib') }
  })
  const modules = sources.filter((path) => !path.startsWith('src/explorer/browser/'))
  const made = outputsOf(modules, 'src', '.lib')
  await step('modules', [...modules, ...settings, ...outputs], async (areOutputsIntact) => {
    // tsc only writes what has changed since its last run, and does not check the rest.
    if (!areOutputsIntact) rmSync('.lib/tsconfig.tsbuildinfo', { force: true })
    await compile('tsconfig.json')
    return { inputs: [], outputs: made }
  })
  return step('types', Object.values(declarations()), bundleTypes)
}

async function makeBundles() {
  const page = await step('page', ['src/explorer/browser/page.html'], async () => ({
    ...filesOf(await bundlePage()),
    outputs: [pageFile],
  }))
  const entries = Object.values({ ...programs(), ...handlers() })
  const functions = await step('functions', entries, async () => filesOf(await bundleFunctions()))
  const node = await step('node', [], async () => {
    const { metafile } = await bundleNode()
    writeFileSync(metafilePath, JSON.stringify(metafile))
    const { inputs, outputs } = filesOf([{ metafile }])
    return { inputs, outputs: [...outputs, metafilePath], renderer: rendererFiles(metafile) }
  })
  return { page, functions, node }
}

/** Removes files of the package that no step made: another version has left them. */
function removeOthers(outputs) {
  const names = new Set(outputs)
  for (const folder of ['command', 'functions', 'library', 'shared'])
    for (const path of filesBelow(`.lib/${folder}`, ''))
      if (!names.has(path) && statSync(path).isFile()) rmSync(path, { force: true })
}

/** Modules and declarations of sources. */
function outputsOf(paths, from, to) {
  return paths
    .map((path) => `${to}${path.slice(from.length, -'.ts'.length)}`)
    .flatMap((path) => [`${path}.js`, `${path}.d.ts`])
}

function compile(project) {
  const tsc = 'node_modules/typescript/bin/tsc'
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', project], { stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`tsc -p ${project} ended with ${code}.`))
    })
  })
}
