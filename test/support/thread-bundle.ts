// Sources bundled as those of the render thread are, or with their packages as they are.
// Knows nothing of what is in them.
import { build, type Plugin } from 'esbuild'

const tools = new URL('../../.tools/quick-micromark.mjs', import.meta.url)
const { quickMicromark }: { quickMicromark: Plugin } = await import(tools.href)

/** @param isQuick as in the render thread; false for the packages as they are */
export async function bundleForThread(
  entry: string,
  outfile: string,
  isQuick: boolean,
): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: isQuick ? [quickMicromark] : [],
    logLevel: 'silent',
  })
}
