// Finds every problem of the content, with what earlier builds found out of it.
import type { Cache } from './cache/cache.ts'
import type { CacheAccess } from './cache/cache-access.ts'
import type { Settings } from './config.ts'
import { Scanner } from './content/scan.ts'
import type { Diagnostic } from './diagnostics.ts'
import { CacheSource } from './pipeline/cache-source.ts'
import { findContent } from './pipeline/content-place.ts'
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
  options: CheckOptions = {},
): Promise<readonly Diagnostic[]> {
  const source = new CacheSource(settings.cache, options.caching)
  for (;;) {
    try {
      return await checkWith(source.open(), settings, options)
    } catch (error) {
      if (!source.recovers(error)) throw error
    }
  }
}

/** How content is checked. */
export interface CheckOptions extends Pick<LoadOptions, 'onProgress'> {
  /** How the cache is used. */
  readonly caching?: CacheAccess | undefined
}

async function checkWith(
  cache: Cache,
  settings: Settings,
  options: CheckOptions,
): Promise<readonly Diagnostic[]> {
  try {
    const { root, mounts } = await findContent(settings)
    const loader = new SiteLoader(root, cache, readToolId(), { ...settings, ...options })
    try {
      return (await loader.load(await new Scanner(root, { mounts }).scan())).diagnostics
    } finally {
      await loader.close()
      cache.save({ isComplete: false })
    }
  } finally {
    cache.close()
  }
}
