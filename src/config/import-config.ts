// Reads the file of a configuration.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UseError } from './use-error.ts'

/**
 * Imports a configuration in TypeScript, JavaScript or JSON.
 *
 * @param name the path as it is shown to the user
 * @throws UseError when it is not a file, or cannot be loaded
 */
export async function importConfig(path: string, name: string): Promise<unknown> {
  if (!isFile(path)) throw new UseError(`The configuration ${path} is not a file.`)
  try {
    if (path.endsWith('.json')) return JSON.parse(readText(path))
    const { createJiti } = await import('jiti')
    // Modules are not cached, so a corrected file is loaded again. Compiled text is cached under a hash of its source.
    const modules = join(dirname(path), 'node_modules')
    const fsCache = existsSync(modules) && join(modules, '.cache/jiti')
    const jiti = createJiti(pathToFileURL(path).href, { fsCache, moduleCache: false })
    return await jiti.import(path, { default: true })
  } catch (error) {
    const { syntaxErrorIn } = await import('./syntax-error.ts')
    const found = syntaxErrorIn(readText(path), error)
    if (found !== null) {
      throw new UseError(`${name}:${found.line}:${found.column} ${found.message}`, found)
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new UseError(`${path} cannot be loaded: ${reason}`)
  }
}

/** Without a byte order mark, which JSON does not allow and a place does not count. */
function readText(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // A link to nothing, or a loop of links.
    return false
  }
}
