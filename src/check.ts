// Checks all content; writes nothing but the cache.
import type { Cache } from './cache/cache.ts'
import type { CacheAccess } from './cache/cache-access.ts'
import type { Settings } from './config.ts'
import { type Scan, Scanner } from './content/scan.ts'
import type { Diagnostic } from './diagnostics.ts'
import { CacheSource } from './pipeline/cache-source.ts'
import { findContent } from './pipeline/content-place.ts'
import { type LoadOptions, SiteLoader } from './pipeline/site.ts'
import { readToolId } from './pipeline/tool-id.ts'

/** Options of a check. */
export interface CheckOptions extends Pick<LoadOptions, 'onProgress'> {
  /** Cache access. */
  readonly caching?: CacheAccess | undefined
}

/**
 * Checks and renders all content, and writes nothing but the cache.
 *
 * @returns warnings, sorted
 * @throws BuildError with every problem when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export async function checkContent(
  settings: Settings,
  options: CheckOptions = {},
): Promise<readonly Diagnostic[]> {
  const check = (loader: SiteLoader, scan: Scan) => loader.load(scan)
  return (await withLoader(settings, options, check)).diagnostics
}

/** Runs a function with a content loader, and retries without the damaged parts of the cache. */
async function withLoader<Result>(
  settings: Settings,
  options: CheckOptions,
  run: (loader: SiteLoader, scan: Scan) => Promise<Result>,
): Promise<Result> {
  const source = new CacheSource(settings.cache, options.caching)
  for (;;) {
    try {
      return await runOnce(source.open(), settings, options, run)
    } catch (error) {
      if (!source.recovers(error)) throw error
    }
  }
}

async function runOnce<Result>(
  cache: Cache,
  settings: Settings,
  options: CheckOptions,
  run: (loader: SiteLoader, scan: Scan) => Promise<Result>,
): Promise<Result> {
  try {
    const { root, mounts } = await findContent(settings)
    const loader = new SiteLoader(root, cache, readToolId(), { ...settings, ...options })
    try {
      return await run(loader, await new Scanner(root, { mounts }).scan())
    } finally {
      await loader.close()
      cache.save({ isComplete: false })
    }
  } finally {
    cache.close()
  }
}
