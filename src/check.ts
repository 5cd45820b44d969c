// Work on the content that writes nothing but the cache: a check of all of it, and the rendering of a part.
import type { Cache } from './cache/cache.ts'
import type { CacheAccess } from './cache/cache-access.ts'
import type { Settings } from './config.ts'
import { type Scan, Scanner } from './content/scan.ts'
import type { Diagnostic } from './diagnostics.ts'
import { CacheSource } from './pipeline/cache-source.ts'
import { findContent } from './pipeline/content-place.ts'
import type { Shard } from './pipeline/documents.ts'
import { type LoadOptions, type RenderedShard, SiteLoader } from './pipeline/site.ts'
import { readToolId } from './pipeline/tool-id.ts'

export type { RenderedShard, Shard }

/** How content is checked. */
export interface CheckOptions extends Pick<LoadOptions, 'onProgress'> {
  /** How the cache is used. */
  readonly caching?: CacheAccess | undefined
}

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
  const check = (loader: SiteLoader, scan: Scan) => loader.load(scan)
  return (await withLoader(settings, options, check)).diagnostics
}

/**
 * Renders the bodies of a part of the posts into the cache. A build that finds the caches of all parts renders nothing.
 *
 * @returns warnings of the bodies, sorted, and the number of bodies that were not in the cache
 * @throws BuildError with every problem of files and bodies of this part when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export function renderShard(
  settings: Settings,
  shard: Shard,
  options: CheckOptions = {},
): Promise<RenderedShard> {
  return withLoader(settings, options, (loader, scan) => loader.renderShard(scan, shard))
}

/** Runs with a loader of the content; again without what of the cache turns out to be damaged. */
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
