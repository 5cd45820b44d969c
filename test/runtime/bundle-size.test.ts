import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '../../src')
const bytesMax = 34_000

/** What a worker needs to answer requests. */
const entry = "export * from './runtime.ts'"

describe('the function for a worker', () => {
  it(`is smaller than ${bytesMax} bytes, minified and compressed, and needs nothing of Node`, async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: entry, resolveDir: source, loader: 'ts' },
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      target: 'es2024',
      // Without Node's own modules: an import of one fails here.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      // A file next to the function, which it loads with the first request for a feed.
      external: ['./feeds.ts'],
    })
    const [{ contents } = { contents: new Uint8Array(0) }] = outputFiles
    const size = gzipSync(contents).length
    const packages = Object.keys(metafile.inputs).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    )
    process.stdout.write(`worker: ${contents.length} bytes, ${size} compressed\n`)
    expect([...new Set(packages)].sort()).toEqual(['@noble/hashes', 'fast-decode-uri-component'])
    expect(contents.length).toBeGreaterThan(5000)
    expect(size).toBeLessThan(bytesMax)
  })
})
