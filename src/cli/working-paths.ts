// Makes the paths of diagnostics relative to the working folder, so that terminals and editors can open them.
import { join, relative, resolve } from 'node:path'
import { BuildError, type Diagnostic } from '../diagnostics.ts'

/**
 * Returns diagnostics with paths relative to the working folder, with `/` on every system.
 *
 * @param content folder that `file` was relative to
 */
export function fromWorkingFolder(
  diagnostics: readonly Diagnostic[],
  content: string,
): readonly Diagnostic[] {
  const folder = relative(process.cwd(), resolve(content))
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    file: join(folder, diagnostic.file).replaceAll('\\', '/'),
  }))
}

/** Runs work on content. @throws its errors; a BuildError has paths relative to the working folder */
export async function withWorkingPaths<T>(content: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw errorFromWorkingFolder(error, content)
  }
}

/** Returns the error; a BuildError gets paths relative to the working folder. */
export function errorFromWorkingFolder(error: unknown, content: string): unknown {
  if (!(error instanceof BuildError)) return error
  return new BuildError(fromWorkingFolder(error.diagnostics, content))
}
