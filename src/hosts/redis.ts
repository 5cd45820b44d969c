// Counts requests in Redis, so that several instances share a limit. Without Redis, all requests pass.
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiter, RateState } from '../runtime/rate-limit.ts'
import type { Rate } from '../runtime/rate-limit-setting.ts'

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

/** A rate limiter that holds a connection. */
export interface RedisRateLimiter extends RateLimiter {
  take(bucket: string, count?: number): Promise<RateState | null>
  /** Closes the connection; all further requests pass. */
  close(): void
}

/**
 * Returns a limiter with sliding windows in Redis 5 or later: as exact as the limiter in memory, by Redis's clock.
 *
 * Connects with the first request. While Redis is down all requests pass; one request per second waits to see whether
 * it is back. A key is the hash of its bucket, and expires with its window.
 *
 * Cost: one round trip per request; about 10 bytes in Redis for each request of the last window.
 *
 * @throws TypeError when `url` is not a Redis URL
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
    // The message omits the URL, which may contain a password.
    throw new TypeError('The address of Redis must be a URL of redis:// or rediss://.')
  }
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5000,
    // Closes and reopens a connection on which Redis accepts commands but sends no replies.
    socketTimeout: 5000,
    retryStrategy: (times) => Math.min(times * 100, reconnectMs),
    // Commands are not resent after a reconnect: their requests have passed.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableReadyCheck: false,
  })
}

/**
 * The window as a list of milliseconds, oldest first, of allowed requests only.
 *
 * KEYS: the bucket. ARGV: requests to count, seconds, limit. Returns two numbers. The first is the requests counted,
 * or limit + 1 and the requests left to refuse. The second is the milliseconds until there is room for them, or until
 * the window is free again. After the clock was set back, a future instant counts until it is one window ahead.
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
 * Resolves with the value of a promise that settles in time.
 *
 * The timeout measures Redis, not this process: when the event loop was busy, the timer fires before the sockets are
 * read. The sockets are therefore read once more before the wait ends.
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

/** The library rejects with a result when it refuses a request; real errors are rethrown. */
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

/** Gives all buckets keys of the same short length, and hides addresses. */
function hashOf(bucket: string): string {
  return createHash('sha256').update(bucket).digest('base64url').slice(0, 22)
}

/** Decides whether to wait for Redis. Instants are milliseconds of `performance`. */
interface Outage {
  /** False while Redis is known to be down, except for one request per second. */
  mayTry(now: number): boolean
  readonly begin: (error: unknown) => void
  /** Lets the next requests try Redis, after a reconnect. */
  readonly tryNow: () => void
  /** Ends an outage after a reply. Replies to requests from before the outage prove nothing. */
  end(requestedAt: number): void
}

function createOutage(onError: (error: Error) => void): Outage {
  let isReported = false
  let failedAt = Number.NEGATIVE_INFINITY
  let tryAt = Number.NEGATIVE_INFINITY
  return {
    mayTry: (now) => {
      if (now < tryAt) return false
      // During an outage, only one request at a time waits.
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

/** Omits the original error: that of a failed login contains the password in its command's arguments. */
function reportOf(error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = message || code || 'no reason given'
  return new Error(`Redis fails, so requests pass without a limit until it is back: ${reason}`)
}
