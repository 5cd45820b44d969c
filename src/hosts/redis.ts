// Counts requests in Redis, so that several instances share limits. Without Redis, all requests pass.
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate, RateLimiter, RateLimits } from '../runtime/rate-limit.ts'

/**
 * Returns limiters with fixed windows: each begins with the first request of a bucket. After `close`, all requests pass.
 *
 * @param url `redis://user:password@host:port/database`, or `rediss://` for TLS @throws TypeError for other URLs
 * @param onError called once when Redis fails, and again only after it has recovered
 * @param timeoutMs the longest time that a request waits for Redis
 */
export function createRedisLimits(
  url: string,
  rates: Readonly<Record<keyof RateLimits, Rate>>,
  onError: (error: Error) => void,
  timeoutMs = 50,
): RateLimits & { close(): void } {
  // The message omits the URL, which may contain a password.
  if (!URL.canParse(url) || !/^rediss?:\/\/./.test(url))
    throw new TypeError('The address of Redis must be a redis:// or rediss:// URL.')
  // Without a connection, requests pass immediately. A connection without replies is opened again.
  const limits = { commandTimeout: timeoutMs, socketTimeout: 5000, maxRetriesPerRequest: 0 }
  const client = new Redis(url, { ...limits, enableOfflineQueue: false })
  let isDown = false
  const fail = ({ code, message }: NodeJS.ErrnoException) => {
    // Omits the error itself: the error of a failed login contains the password in its arguments.
    const text = `Redis is unavailable, so requests have no rate limit until it recovers: ${message || code}`
    if (!isDown) onError(new Error(text))
    isDown = true
  }
  client.on('error', fail)
  const limiterOf = (name: keyof RateLimits): RateLimiter => {
    const { limit, windowSeconds: duration } = rates[name]
    const rate = { points: limit, duration, keyPrefix: `quarry:${name}` }
    const limiter = new RateLimiterRedis({ storeClient: client, ...rate })
    const take: RateLimiter['take'] = async (bucket, count = 1) => {
      // The hash hides addresses.
      const key = createHash('sha256').update(bucket).digest('base64url').slice(0, 22)
      try {
        // The library throws the state of a refused request.
        const taken = await limiter.consume(key, count).catch((refusal) => refusal)
        if (!(taken instanceof RateLimiterRes)) throw taken
        const isAllowed = taken.consumedPoints <= limit
        // A refused request does not count.
        const state = isAllowed ? taken : await limiter.reward(key, count)
        isDown = false
        const remaining = Math.max(0, limit - state.consumedPoints)
        const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
        return { isAllowed, limit, remaining, resetSeconds }
      } catch (error) {
        // Without a connection, the error of the connection is reported.
        if (client.status === 'ready') fail(error as Error)
        return null
      }
    }
    return { take }
  }
  const close = () => client.disconnect()
  return { requests: limiterOf('requests'), failures: limiterOf('failures'), close }
}
