// Reads and renders a content folder in a fresh process, with one render thread or none, and prints the milliseconds.
// Usage: node load-site.mjs CONTENT RENDERER thread|none
import { pathToFileURL } from 'node:url'
import { Cache } from '../.lib/cache/cache.js'
import { Scanner } from '../.lib/content/scan.js'
import { markdownDefaults as markdown } from '../.lib/markdown/options.js'
import { renderThreads } from '../.lib/pipeline/render-threads.js'
import { SiteLoader } from '../.lib/pipeline/site.js'
import { readToolId } from '../.lib/pipeline/tool-id.js'

const [content = '', renderer = '', mode] = process.argv.slice(2)
const started = performance.now()
const pool = mode === 'none' ? await mainThread() : renderThreads({ workers: 1, markdown })
const cache = Cache.open(null)
const scan = await new Scanner(content).scan()
const loader = new SiteLoader(content, cache, readToolId(), { frontMatter: {}, markdown }, pool)
const { rendered } = await loader.load(scan)
const milliseconds = performance.now() - started
await loader.close()
cache.close()
process.stdout.write(JSON.stringify({ milliseconds, rendered }))

/** Renders in the main thread with the threads' code. */
async function mainThread() {
  const { default: renderBatch } = await import(pathToFileURL(renderer).href)
  return {
    async *render(jobs) {
      for await (const job of jobs) yield* renderBatch({ jobs: [job], markdown })
    },
    async close() {},
  }
}
