// The remote cache of a command, read before its work and written after it.
import type { CacheAccess } from '../cache/cache-access.ts'

/** A command with a cache. */
export interface CachedWork {
  /** Cache folder; null for none. */
  readonly cache: string | null
  readonly caching: CacheAccess
  /** Number of the list to write; null writes nothing. */
  readonly part: number | null
  /** Reads no packs. @default false */
  readonly isUnread?: boolean | undefined
}

/**
 * Runs work between a read and a write of the remote cache. Failed work writes nothing.
 *
 * @throws UseError for an invalid URL; the errors of the work
 */
export async function withRemoteCache<Result>(
  { cache, caching, part, isUnread }: CachedWork,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!process.env['QUARRY_CACHE_REMOTE'] || cache === null) return work()
  // Imported here, as most builds have no remote cache.
  const { openRemoteCache } = await import('../remote-cache/remote-cache.ts')
  const remote = openRemoteCache(cache, { ...caching, part: part ?? 0, isUnread }, process.env)
  await remote.pull()
  const result = await work()
  if (part !== null) await remote.push()
  return result
}
