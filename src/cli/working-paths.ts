// Paths of diagnostics as the working folder sees them, so that terminals and editors open them.
import { join, relative, resolve } from 'node:path'
import { BuildError, type Diagnostic } from '../diagnostics.ts'

/**
 * Diagnostics whose files are below the working folder, with `/` on every system.
 *
 * @param content folder that `file` is below until then
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

/** The result of work on content. @throws what the work throws; a BuildError names files below the working folder */
export async function withWorkingPaths<T>(content: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw errorFromWorkingFolder(error, content)
  }
}

/** The same error; a BuildError names files below the working folder. */
export function errorFromWorkingFolder(error: unknown, content: string): unknown {
  if (!(error instanceof BuildError)) return error
  return new BuildError(fromWorkingFolder(error.diagnostics, content))
}
