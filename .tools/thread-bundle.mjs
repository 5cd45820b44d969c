// How a thread's file is bundled, with all the packages that it needs, and its lazy parts, each in a file of its own
// with all that it needs itself: a start opens one file.
import { dirname, join, parse, resolve } from 'node:path'
import { build } from 'esbuild'
import { recordPackages } from './notices.mjs'

/** @returns every file that was written, the thread's own first */
export async function bundleForThread(entry, outfile) {
  const parts = new Map()
  const { warnings, metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [apart(parts, outfile)],
    // Native code is not bundled, nor what runs the thread.
    external: ['satteri', 'tinypool'],
    legalComments: 'inline',
    // What goes wrong is thrown, with all that would be printed.
    logLevel: 'silent',
    metafile: true,
  })
  recordPackages(parse(outfile).name, metafile)
  for (const { text, location } of warnings) process.stderr.write(`${location?.file}: ${text}\n`)
  const files = [outfile]
  for (const [source, file] of parts) files.push(...(await bundleForThread(source, file)))
  return files
}

/** Leaves sources that are imported with `import()` out of a bundle. @param parts filled with them and their files */
function apart(parts, outfile) {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined
        const source = resolve(resolveDir, path)
        const name = `${parse(outfile).name}-${parse(source).name}.js`
        parts.set(source, join(dirname(outfile), name))
        return { path: `./${name}`, external: true }
      })
    },
  }
}
