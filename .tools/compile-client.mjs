// `npm pack` of the client, and `npm run compile`, write its modules and declarations to `packages/client/lib`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../packages/client/', import.meta.url))
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' })
// tsc wraps imports of unknown modules, and bundlers then overlook the comments that tell them to leave these alone.
const site = `${folder}lib/site.js`
const wrapped = /^var __rewrite[\s\S]*?^};\n|__rewriteRelativeImportExtension\(([^)]*)\)/gm
writeFileSync(
  site,
  readFileSync(site, 'utf8').replace(wrapped, (_, inner = '') => inner),
)
