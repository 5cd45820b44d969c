// How a thread's file is bundled, with all the packages that it needs.
// Knows nothing of what threads there are.
import { build } from 'esbuild'
import { quickMicromark } from './quick-micromark.mjs'

/** @param isQuick false for the Markdown parser as its packages have it, to compare with */
export async function bundleForThread(entry, outfile, isQuick = true) {
  const { warnings } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: isQuick ? [quickMicromark] : [],
    legalComments: 'inline',
    // What goes wrong is thrown, with all that would be printed.
    logLevel: 'silent',
  })
  for (const { text, location } of warnings) process.stderr.write(`${location?.file}: ${text}\n`)
}
