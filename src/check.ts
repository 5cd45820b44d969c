// Finds every problem of the content, with what earlier builds found out of it.
// Knows nothing of the output folder.
import { Cache } from './cache/cache.ts'
import { CacheDamageError } from './cache/stored-bytes.ts'
import type { Settings } from './config.ts'
import { Scanner } from './content/scan.ts'
import { resolveFolder } from './content/tree.ts'
import type { Diagnostic } from './diagnostics.ts'
import { type LoadOptions, SiteLoader } from './pipeline/site.ts'
import { readToolId } from './pipeline/tool-id.ts'

/**
 * Checks the content and renders all of it; nothing but the cache is written.
 *
 * @returns warnings, sorted
 * @throws BuildError with every problem when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export async function checkContent(
  settings: Settings,
  options: Pick<LoadOptions, 'onProgress'> = {},
): Promise<readonly Diagnostic[]> {
  try {
    return await checkWith(Cache.open(settings.cache), settings, options)
  } catch (error) {
    if (!(error instanceof CacheDamageError)) throw error
    return checkWith(Cache.open(null), settings, options)
  }
}

async function checkWith(
  cache: Cache,
  settings: Settings,
  options: Pick<LoadOptions, 'onProgress'>,
): Promise<readonly Diagnostic[]> {
  try {
    const root = await resolveFolder(settings.content)
    const loader = new SiteLoader(root, cache, readToolId(), { ...settings, ...options })
    try {
      return (await loader.load(await new Scanner(root).scan())).diagnostics
    } finally {
      await loader.close()
      cache.save({ isComplete: false })
    }
  } finally {
    cache.close()
  }
}
