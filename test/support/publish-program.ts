// Publication as a program of its own, so that it can be killed.
// Knows nothing of why it is.
import { build as bundle } from 'esbuild'
import type { PublishedBuild } from './publish-build.ts'

/**
 * Makes a program of it.
 *
 * @param file where the program goes to, ending in `.cjs`
 * @returns the command for one publication; it ends with 2 and the error when that failed
 */
export async function publishProgram(
  file: string,
): Promise<(build: PublishedBuild) => readonly string[]> {
  const contents = `
    import { publishBuild } from './publish-build.ts'
    const [built, out, content] = process.argv.slice(2)
    publishBuild({ built, out, content }).catch((error) => {
      process.stderr.write(error.name + ': ' + error.message)
      process.exitCode = 2
    })`
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' } as const
  await bundle({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile: file })
  return ({ built, out, content }) => [process.execPath, file, built, out, content]
}
