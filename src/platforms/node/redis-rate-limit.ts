// Counts requests in Redis, so that several instances share a limit.
// A Redis that is gone stops no request.
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiter, RateState } from '../../runtime/rate-limit.ts'
import type { Rate } from '../../runtime/rate-limit-setting.ts'

/** The settings of a limiter in Redis. */
export interface RedisRateLimitOptions extends Rate {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string
  /** Begins every key; limits that are counted apart need different ones. @default 'quarry:rate' */
  readonly prefix?: string
  /** Called once when Redis fails, and not again before it has worked. */
  readonly onError: (error: Error) => void
  /** The longest that a request waits for Redis. @default 50 */
  readonly timeoutMs?: number
}

/** A limiter that holds a connection. */
export interface RedisRateLimiter extends RateLimiter {
  take(bucket: string, count?: number): Promise<RateState | null>
  /** Ends the connection; requests pass from then on. */
  close(): void
}

/**
 * A limiter whose windows are kept in Redis 5 or later: as exact as the one in memory, by Redis's clock.
 *
 * It connects with the first request. While Redis is gone every request passes, and none but one a second
 * waits to see whether it is back. A key is the hash of its bucket, and expires with its window.
 *
 * Cost: one round trip a request; about 10 bytes in Redis for each request of the last window.
 *
 * @throws TypeError when the URL is none of Redis
 */
export function createRedisRateLimiter(options: RedisRateLimitOptions): RedisRateLimiter {
  const outage = createOutage(options.onError)
  const client = createClient(options.url)
  client.on('error', outage.begin)
  client.on('ready', outage.tryNow)
  const limiter = createLimiter(client, options)
  const { timeoutMs = 50 } = options
  return {
    take: async (bucket, count = 1) => {
      const requestedAt = performance.now()
      if (!outage.mayTry(requestedAt)) return null
      try {
        const verdict = await withinTime(consume(limiter, hashOf(bucket), count), timeoutMs)
        outage.end(requestedAt)
        return stateOf(verdict, options.limit)
      } catch (error) {
        outage.begin(error)
        return null
      }
    },
    close: () => client.disconnect(),
  }
}

const reconnectMs = 1000

function createClient(url: string): Redis {
  if (!URL.canParse(url) || !/^rediss?:\/\/./.test(url)) {
    // Without what was got: a URL may hold a password.
    throw new TypeError('The address of Redis must be a URL of redis:// or rediss://.')
  }
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5000,
    // A server that takes commands and answers none is left, and looked for again.
    socketTimeout: 5000,
    retryStrategy: (times) => Math.min(times * 100, reconnectMs),
    // A command is not sent again after the connection broke: the request has passed.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableReadyCheck: false,
  })
}

/**
 * The window as a list of milliseconds, oldest first; only allowed requests are in it.
 *
 * KEYS: the bucket. ARGV: requests to count, seconds, limit. Returns the requests counted, or limit + 1 and those that
 * are left to refuse, and the milliseconds until there is room for them, or until the window is free again.
 * An instant ahead of the clock, which was set back, counts until it is a window ahead.
 */
const slidingWindow = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = ARGV[2] * 1000
local limit = tonumber(ARGV[3])
local count = tonumber(ARGV[1])
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and math.abs(now - oldest) >= window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local used = redis.call('LLEN', KEYS[1])
if used + count > limit then
  local last = redis.call('LINDEX', KEYS[1], used + count - limit - 1) or now
  return { limit + 1 + limit - used, last + window - now }
end
for request = 1, count do
  redis.call('RPUSH', KEYS[1], now)
end
redis.call('PEXPIRE', KEYS[1], window)
return { used + count, window }
`

function createLimiter(client: Redis, options: RedisRateLimitOptions): RateLimiterRedis {
  const { limit, windowSeconds, prefix = 'quarry:rate' } = options
  return new RateLimiterRedis({
    storeClient: client,
    points: limit,
    duration: windowSeconds,
    keyPrefix: prefix,
    customIncrTtlLuaScript: slidingWindow,
  })
}

/**
 * The value of a promise that settles in time.
 *
 * The time is that of Redis, not of this process: where the event loop was busy, the timer fires before the sockets
 * are read. So they are read once more before the wait ends.
 *
 * @throws Error when it takes longer
 */
function withinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no reply within ${timeoutMs} ms`))
    const timer = setTimeout(() => setImmediate(late), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** The library rejects with what it resolves to when a request is refused; errors are thrown on. */
async function consume(
  limiter: RateLimiterRedis,
  key: string,
  count: number,
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, count)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal
    throw refusal
  }
}

function stateOf(verdict: RateLimiterRes, limit: number): RateState {
  const { consumedPoints, msBeforeNext } = verdict
  const isAllowed = consumedPoints <= limit
  return {
    isAllowed,
    limit,
    remaining: isAllowed ? limit - consumedPoints : consumedPoints - limit - 1,
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  }
}

/** As short for a long bucket as for a short one, and no address in clear. */
function hashOf(bucket: string): string {
  return createHash('sha256').update(bucket).digest('base64url').slice(0, 22)
}

/** Whether Redis is worth a wait. Instants are milliseconds of `performance`. */
interface Outage {
  /** False while Redis is known to be gone, but for one request in each second. */
  mayTry(now: number): boolean
  readonly begin: (error: unknown) => void
  /** There is a connection again: the next requests try it. */
  readonly tryNow: () => void
  /** Redis answered; what was asked before the outage began proves nothing. */
  end(requestedAt: number): void
}

function createOutage(onError: (error: Error) => void): Outage {
  let isReported = false
  let failedAt = Number.NEGATIVE_INFINITY
  let tryAt = Number.NEGATIVE_INFINITY
  return {
    mayTry: (now) => {
      if (now < tryAt) return false
      // While Redis is gone, those who come next do not wait as well.
      if (isReported) tryAt = now + reconnectMs
      return true
    },
    begin: (error) => {
      failedAt = performance.now()
      tryAt = failedAt + reconnectMs
      if (!isReported) onError(reportOf(error))
      isReported = true
    },
    tryNow: () => {
      tryAt = Number.NEGATIVE_INFINITY
    },
    end: (requestedAt) => {
      if (requestedAt < failedAt) return
      isReported = false
      tryAt = Number.NEGATIVE_INFINITY
    },
  }
}

/** Without the error itself: one of a failed login holds the password among the command's arguments. */
function reportOf(error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = message || code || 'no reason given'
  return new Error(`Redis fails, so requests pass without a limit until it is back: ${reason}`)
}
