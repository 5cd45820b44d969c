// `quarry import`: runs quarry-import if it is installed.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UseError } from '../diagnostics.ts'

/** The used part of quarry-import. */
interface QuarryImport {
  runImports(words: readonly string[], name: string): Promise<void>
}

/** Runs quarry-import. @param words arguments after `import` @throws UseError if it is not installed */
export async function runImport(words: readonly string[]): Promise<void> {
  const { runImports }: QuarryImport = await import(pathToFileURL(installed()).href)
  await runImports(words, 'quarry import')
}

/** Returns the path of quarry-import in the project, or next to quarry. */
function installed(): string {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      return createRequire(from).resolve('quarry-import')
    } catch {}
  }
  throw new UseError(
    'quarry import needs the package quarry-import, which is not installed here and not on npm yet. node_modules/quarry/docs/importing.md explains how to install it from a clone.',
  )
}
