// Rate limits configured in the environment: in memory, or on Redis if instances share them.
import { UseError } from '../config.ts'
import type { RateLimits } from '../runtime/rate-limit.ts'
import { failedKeyRate, memoryLimits, parseRateLimit, type Rate } from '../runtime/rate-limit.ts'
import { environmentText } from './options.ts'

/** Limits that may hold a connection. */
export interface ClosableLimits extends RateLimits {
  close(): void
}

/**
 * Returns the limits of a server; null for none.
 *
 * @throws UseError if `QUARRY_RATE_LIMIT` or `QUARRY_REDIS_URL` is malformed
 */
export async function createRateLimits(
  environment: Readonly<Record<string, string | undefined>>,
  onError: (error: unknown) => void,
): Promise<ClosableLimits | null> {
  const setting = environmentText(environment, 'QUARRY_RATE_LIMIT')
  const rate = readRate(setting)
  if (rate === null) return null
  const url = environmentText(environment, 'QUARRY_REDIS_URL')
  if (url !== undefined) return createSharedLimits(url, rate, onError)
  const limits = memoryLimits(setting)
  return limits === null ? null : { ...limits, close: () => {} }
}

/** Imports the Redis client only if it is needed. */
async function createSharedLimits(
  url: string,
  rate: Rate,
  onError: (error: unknown) => void,
): Promise<ClosableLimits> {
  const { createRedisRateLimiter } = await import('../hosts/redis.ts')
  try {
    const shared = { url, onError }
    const requests = createRedisRateLimiter({ ...shared, ...rate, prefix: 'quarry:requests' })
    const failures = createRedisRateLimiter({
      ...shared,
      ...failedKeyRate,
      prefix: 'quarry:failures',
    })
    const close = () => {
      requests.close()
      failures.close()
    }
    return { requests, failures, close }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new UseError(`QUARRY_REDIS_URL cannot be used. ${reason}`)
  }
}

function readRate(text: string | undefined): Rate | null {
  try {
    return parseRateLimit(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new UseError(`QUARRY_RATE_LIMIT is ${JSON.stringify(text)}. ${reason}`)
  }
}
