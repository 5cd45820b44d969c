// Bundles the types of what projects import into `.lib/library`, from the declarations that `tsc` made: a file for each
// entry, and files that several share.
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { handlers } from './functions.mjs'

/** Declarations of the entries, by name. */
export function declarations() {
  const sources = {
    index: 'src/index.ts',
    astro: 'src/astro.ts',
    vite: 'src/vite.ts',
    ...handlers(),
  }
  return Object.fromEntries(
    Object.entries(sources).map(([name, path]) => [
      name,
      path.replace(/^src/, '.lib').replace(/\.ts$/, '.d.ts'),
    ]),
  )
}

/** @returns the files that were read, and those that were written */
export async function bundleTypes() {
  const bundle = await rollup({
    input: declarations(),
    external: [/^#/, /^node:/],
    plugins: [dts()],
    // It warns of types that public ones name and no entry exports: those are internal.
    logLevel: 'silent',
  })
  const { output } = await bundle.write({
    dir: '.lib/library',
    format: 'esm',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared/[name].ts',
  })
  await bundle.close()
  return {
    inputs: bundle.watchFiles,
    outputs: output.map(({ fileName }) => `.lib/library/${fileName}`),
  }
}
