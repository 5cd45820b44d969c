// The last part of `npm run compile`: one file for each thread, with all the packages that it needs, so that it
// starts quickly, and one for each part that few bodies need; the renderer's hash says everything that rendering
// depends on; the names of this version; and the notices of all bundles.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeNotices } from './notices.mjs'
import { bundleForThread } from './thread-bundle.mjs'

const workers = {
  'src/markdown/worker.ts': '.lib/render-worker.js',
  'src/emit/segment-worker.ts': '.lib/segment-worker.js',
}
const files = {}
for (const [entry, outfile] of Object.entries(workers)) {
  files[outfile] = await bundleForThread(entry, outfile)
}

// The one package of the renderer that is not in its files.
const satteri = 'node_modules/satteri/package.json'
const renderer = hashOf([...files['.lib/render-worker.js'], satteri])
// Packages besides the renderer's are pinned in package.json.
const tool = hashOf(['package.json', '.lib/explorer/page.html', ...filesBelow('src')])
writeFileSync('.lib/tool-id.json', `${JSON.stringify({ tool, renderer })}\n`)
writeNotices()

function filesBelow(folder) {
  const names = readdirSync(folder, { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(folder, name))
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}
