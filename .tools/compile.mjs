// `npm run compile` writes the package to `.lib`. tsc emits the modules and declarations of `src`; esbuild bundles what
// runs in a thread, or on a host without `node_modules`. Types are checked by `npm run types`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { pageHtml } from '../packages/explorer/build.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const out = `.lib.${process.pid}`
process.on('exit', () => rmSync(out, { recursive: true, force: true }))
const read = (path) => readFileSync(path, 'utf8')
const compiler = 'node_modules/typescript/bin/tsc'
const tsc = (...flags) =>
  execFileSync(process.execPath, [compiler, '-p', ...flags], { stdio: 'inherit' })
await import('./compile-client.mjs')
tsc('.', '--noCheck', '--outDir', out, '--incremental', 'false', '--tsBuildInfoFile', 'null')

const legible = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160 }
const options = { bundle: true, format: 'esm', target: 'es2023', metafile: true, ...legible }
const portable = { platform: 'neutral', mainFields: ['module', 'main'], external: ['node:*'] }
const functions = { ...options, ...portable, outdir: `${out}/functions` }
/** Programs import the parts from files next to them. */
const parts = { mcp: 'src/mcp/agents.ts', feeds: 'src/api/feeds.ts' }
const setup = ({ onResolve }) => {
  onResolve({ filter: /\/mcp\/agents\.ts$/ }, () => ({ path: './mcp.mjs', external: true }))
  onResolve({ filter: /\/feeds\.ts$/ }, () => ({ path: './feeds.mjs', external: true }))
}
const files = "new URL('./function/', import.meta.url)"
/** The program of each host, by the file in `src/hosts` that it imports. */
const entries = {
  'aws-lambda': `import { createLambdaHandlers, originEvent } from './aws-lambda.ts'
    const read = (event) => originEvent(event, process.env.QUARRY_ORIGIN || undefined)
    export const { handler, streaming } = createLambdaHandlers(${files}, read)`,
  bun: `import { createBunServer } from './bun.ts'; export default createBunServer(${files})`,
  cloudflare: `import { createWorker } from './cloudflare.ts'; export default createWorker()`,
  deno: `import { createDenoServer } from './deno.ts'; export default createDenoServer(${files})`,
  netlify: `import { createNetlifyHandler } from './netlify.ts'; export default createNetlifyHandler(${files})`,
  vercel: `import { createVercelHandler } from './vercel.ts'; export default createVercelHandler(${files})`,
}
const setupEntries = ({ onResolve, onLoad }) => {
  onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'entry' }))
  onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
    contents: entries[path],
    resolveDir: 'src/hosts',
  }))
}
const plugins = [
  { name: 'parts', setup },
  { name: 'entries', setup: setupEntries },
]
const programs = Object.keys(entries).flatMap((host) => [
  { in: `entry:${host}`, out: `${host}-entry` },
  { in: `src/hosts/${host}.ts`, out: `${host}-handler` },
])
const small = { minify: true, lineLimit: 0 }
const browser = { 'quarry-function': 'src/hosts/browser.ts', 'quarry-feeds': 'src/api/feeds.ts' }
/** Visitors load feeds apart, and no hostile URL can slow down another visitor. */
const setupBrowser = ({ onResolve, onLoad }) => {
  onResolve({ filter: /\/feeds\.ts$/ }, ({ kind }) =>
    kind === 'entry-point' ? null : { path: './quarry-feeds.js', external: true },
  )
  onLoad({ filter: /fast-decode-uri-component/ }, () => ({
    contents:
      'export default (text) => { try { return decodeURIComponent(text) } catch { return null } }',
  }))
}
const worker = { 'quarry-sw': 'src/hosts/service-worker.ts' }
const thread = { 'render-worker': 'src/markdown/worker.ts' }
const bundles = await Promise.all([
  build({ ...functions, entryPoints: programs, plugins }),
  build({ ...functions, entryPoints: parts, outExtension: { '.js': '.mjs' }, minify: true }),
  build({
    ...functions,
    ...small,
    entryPoints: browser,
    plugins: [{ name: 'browser', setup: setupBrowser }],
  }),
  build({ ...functions, ...small, entryPoints: worker, format: 'iife' }),
  // The banner tells a module from CommonJS, of which packages in it are.
  build({
    ...options,
    entryPoints: thread,
    outdir: out,
    platform: 'node',
    // acorn-jsx would require a second copy.
    alias: { acorn: './node_modules/acorn/dist/acorn.mjs' },
    banner: { js: 'export {}' },
  }),
])
writeFileSync(`${out}/explorer-page.html`, await pageHtml())

const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs))
const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
const licences = [...new Set(folders)].sort().map((folder) => {
  const { name, version, license } = JSON.parse(read(`${folder}/package.json`))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  return [`${name} ${version} (${license})`, ...files.map((file) => read(`${folder}/${file}`))]
})
writeFileSync('THIRD-PARTY-NOTICES', `${licences.flat().join('\n\n')}\n`)

// The hash of this version of the code keys the build cache.
const hash = createHash('sha256').update(read('package.json'))
const emitted = readdirSync(out, { recursive: true }).filter((path) => path.endsWith('js'))
for (const path of emitted.sort()) hash.update(read(`${out}/${path}`))
writeFileSync(`${out}/tool-id`, hash.digest('hex'))
chmodSync(`${out}/cli/main.js`, 0o755)
rmSync('.lib', { recursive: true, force: true })
renameSync(out, '.lib')
tsc('packages/import')
