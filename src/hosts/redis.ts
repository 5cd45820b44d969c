// Counts requests in Redis, so that several instances share a limit. Without Redis, all requests pass.
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate, RateLimiter, RateState } from '../runtime/rate-limit.ts'

/** Options of `createRedisRateLimiter`. */
export interface RedisRateLimitOptions extends Rate {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string
  /** Prefix of all keys; separate limits need different prefixes. @default 'quarry:rate' */
  readonly prefix?: string
  /** Called once when Redis fails, and again only after it has recovered. */
  readonly onError: (error: Error) => void
  /** The longest time that a request waits for Redis, in milliseconds. @default 50 */
  readonly timeoutMs?: number
}

/**
 * Returns a limiter with fixed windows: each begins with the first request of a bucket.
 *
 * @returns a limiter that allows all requests after `close`
 * @throws TypeError if `url` is not a Redis URL
 */
export function createRedisRateLimiter(
  options: RedisRateLimitOptions,
): RateLimiter & { close(): void } {
  const { url, limit, windowSeconds, prefix = 'quarry:rate', onError, timeoutMs = 50 } = options
  // The message omits the URL, which may contain a password.
  if (!URL.canParse(url) || !/^rediss?:\/\/./.test(url))
    throw new TypeError('The address of Redis must be a redis:// or rediss:// URL.')
  // Without a connection, requests pass immediately. A connection without replies is opened again.
  const limits = { commandTimeout: timeoutMs, socketTimeout: 5000, maxRetriesPerRequest: 0 }
  const retryStrategy = (times: number) => Math.min(times * 100, 1000)
  const client = new Redis(url, { ...limits, retryStrategy, enableOfflineQueue: false })
  let isDown = false
  const fail = ({ code, message }: NodeJS.ErrnoException) => {
    // Omits the error itself: the error of a failed login contains the password in its arguments.
    const text = `Redis is unavailable, so requests have no rate limit until it recovers: ${message || code}`
    if (!isDown) onError(new Error(text))
    isDown = true
  }
  client.on('error', fail)
  const rate = { points: limit, duration: windowSeconds, keyPrefix: prefix }
  const limiter = new RateLimiterRedis({ storeClient: client, ...rate })
  const take = async (bucket: string, count = 1): Promise<RateState | null> => {
    // The hash hides addresses.
    const key = createHash('sha256').update(bucket).digest('base64url').slice(0, 22)
    try {
      // The library throws the state of a refused request.
      const taken = await limiter.consume(key, count).catch((refusal) => refusal)
      if (!(taken instanceof RateLimiterRes)) throw taken
      const isAllowed = taken.consumedPoints <= limit
      // A refused request does not count.
      if (!isAllowed) await limiter.reward(key, count)
      isDown = false
      const used = isAllowed ? taken.consumedPoints : taken.consumedPoints - count
      const resetSeconds = Math.max(1, Math.ceil(taken.msBeforeNext / 1000))
      return { isAllowed, limit, remaining: Math.max(0, limit - used), resetSeconds }
    } catch (error) {
      // Without a connection, the error of the connection is reported.
      if (client.status === 'ready') fail(error as Error)
      return null
    }
  }
  return { take, close: () => client.disconnect() }
}
