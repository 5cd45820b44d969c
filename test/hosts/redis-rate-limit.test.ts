import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  createRedisRateLimiter,
  type RedisRateLimiter,
  type RedisRateLimitOptions,
} from '../../src/hosts/redis.ts'
import { createMemoryRateLimiter } from '../../src/runtime/rate-limit-memory.ts'
import { provideRedis, RedisServer } from '../support/redis-server.ts'

const missing = provideRedis()

/** Enough for a slow machine: only tests of what happens without Redis wait for it. */
const patientMs = 5000

describe('createRedisRateLimiter, without Redis', () => {
  it.each(['', 'localhost:6379', 'http://localhost', 'redis://', 'redis://host:notaport'])(
    'refuses the address %j',
    (url) => {
      expect(() => limiterOf({ url, ...someRate })).toThrow(TypeError)
    },
  )

  it('does not repeat an address, which may hold a password', () => {
    expect(() => limiterOf({ url: 'http://user:secret@host', ...someRate })).toThrow(
      /^The address of Redis must be a URL of redis:\/\/ or rediss:\/\/\.$/,
    )
  })

  it('connects to nothing before the first request', async () => {
    const { limiter, errors } = limiterOf({ url: nowhere, ...someRate })
    limiter.close()
    expect(errors).toEqual([])
  })

  it('lets every request pass and says so once', async () => {
    const { limiter, errors } = limiterOf({ url: nowhere, ...someRate })
    const states = await takeMany([limiter], 'a', 30)
    expect(states.filter((state) => state !== null)).toEqual([])
    expect(errors.map(({ message }) => message)).toEqual([
      'Redis fails, so requests pass without a limit until it is back: connect ECONNREFUSED 127.0.0.1:1',
    ])
  })

  it('lets requests pass once it is closed', async () => {
    const { limiter } = limiterOf({ url: nowhere, ...someRate })
    await limiter.take('a')
    limiter.close()
    expect(await limiter.take('a')).toBeNull()
  })
})

describe.skipIf(missing !== null)('createRedisRateLimiter', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await RedisServer.start()
  })
  afterAll(() => redis?.remove())

  it('counts down, then refuses', async () => {
    const { limiter } = limiterOf({ url: redis.url, limit: 2, windowSeconds: 30 })
    const states = [await limiter.take('down'), await limiter.take('down')]
    expect(states).toEqual([
      { isAllowed: true, limit: 2, remaining: 1, resetSeconds: 30 },
      { isAllowed: true, limit: 2, remaining: 0, resetSeconds: 30 },
    ])
    const refused = await limiter.take('down')
    expect(refused).toMatchObject({ isAllowed: false, limit: 2, remaining: 0 })
    expect(refused?.resetSeconds).toBeGreaterThanOrEqual(1)
    expect(refused?.resetSeconds).toBeLessThanOrEqual(30)
    expect(await limiter.take('another')).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  it('counts several at once, all of them or none, as the limiter in memory does', async () => {
    const rate = { limit: 10, windowSeconds: 60 }
    const { limiter } = limiterOf({ url: redis.url, ...rate })
    const memory = createMemoryRateLimiter(rate)
    for (const count of [4, 7, 5, 2, 1, 1]) {
      const { resetSeconds, ...expected } = memory.take('several', count)
      const state = await limiter.take('several', count)
      expect(state, String(count)).toMatchObject(expected)
      expect(state?.resetSeconds).toBeGreaterThanOrEqual(resetSeconds - 5)
      expect(state?.resetSeconds).toBeLessThanOrEqual(resetSeconds)
    }
  })

  it('lets instances that count several at the same time take the limit and no more', async () => {
    const rate = { url: redis.url, limit: 50, windowSeconds: 60 }
    const instances = [limiterOf(rate).limiter, limiterOf(rate).limiter]
    const states = await Promise.all(
      Array.from({ length: 20 }, (_, index) => instances[index % 2]?.take('several shared', 7)),
    )
    expect(states.filter((state) => state?.isAllowed === true)).toHaveLength(7)
    expect(states.filter((state) => state?.remaining === 1)).toHaveLength(14)
  })

  it('shares one limit among instances that ask at the same time', async () => {
    const rate = { url: redis.url, limit: 50, windowSeconds: 60 }
    const instances = [limiterOf(rate).limiter, limiterOf(rate).limiter]
    const states = await takeMany(instances, 'shared', 200)
    const allowed = states.filter((state) => state?.isAllowed === true)
    const left = allowed.map((state) => state?.remaining ?? -1).sort((a, b) => a - b)
    expect(left).toEqual(Array.from({ length: 50 }, (_, index) => index))
    expect(states.filter((state) => state?.isAllowed === false)).toHaveLength(150)
  })

  it('counts apart what has another prefix', async () => {
    const rate = { url: redis.url, limit: 1, windowSeconds: 60 }
    const { limiter: first } = limiterOf({ ...rate, prefix: 'one' })
    const { limiter: second } = limiterOf({ ...rate, prefix: 'two' })
    const states = [await first.take('same'), await second.take('same')]
    expect(states.map((state) => state?.isAllowed)).toEqual([true, true])
  })

  it('allows, in any second, the limit and no more', async () => {
    const limit = 5
    const rate = { url: redis.url, limit, windowSeconds: 1 }
    const instances = [limiterOf(rate).limiter, limiterOf(rate).limiter]
    // Redis saw each request between the two instants that are noted here.
    const allowed: { readonly sentAt: number; readonly respondedAt: number }[] = []
    while (allowed.length < 3 * limit) {
      const sentAt = performance.now()
      const states = await takeMany(instances, 'sliding', 2)
      const respondedAt = performance.now()
      for (const state of states) if (state?.isAllowed) allowed.push({ sentAt, respondedAt })
      await pause(10)
    }
    const spans = allowed
      .slice(limit)
      .map(({ respondedAt }, index) => respondedAt - (allowed[index]?.sentAt ?? 0))
    // Redis counts in whole milliseconds, so a second may lack one.
    expect(Math.min(...spans)).toBeGreaterThan(998)
  })

  it('keeps no address, and nothing longer than the window', async () => {
    const { limiter } = limiterOf({
      url: redis.url,
      limit: 2,
      windowSeconds: 20,
      prefix: 'private',
    })
    for (const bucket of ['203.0.113.77 acme', `203.0.113.78 ${'long'.repeat(2000)}`]) {
      await takeMany([limiter], bucket, 4)
    }
    const client = clientOf(redis)
    const keys = await client.keys('private*')
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      expect(key).toMatch(/^private:[\w-]{22}$/)
      expect(await client.lrange(key, 0, -1)).toHaveLength(2)
      const expiresInMs = await client.pttl(key)
      expect(expiresInMs).toBeGreaterThan(0)
      expect(expiresInMs).toBeLessThanOrEqual(20_000)
    }
  })

  it('says that a command fails, and not what a login was', async () => {
    const client = clientOf(redis)
    await client.acl('SETUSER', 'reader', 'on', '>open sesame', '~*', '-@all', '+ping')
    const url = redis.url.replace('//', '//reader:open%20sesame@')
    const { limiter, errors } = limiterOf({ url, ...someRate })
    const wrong = limiterOf({ url: url.replace('open', 'closed'), ...someRate })
    expect(await limiter.take('a')).toBeNull()
    expect(await wrong.limiter.take('a')).toBeNull()
    expect(errors[0]?.message).toMatch(/NOPERM/)
    expect(wrong.errors[0]?.message).toMatch(/WRONGPASS/)
    expect(JSON.stringify([...errors, ...wrong.errors].map(everythingIn))).not.toMatch(/sesame/)
  })
})

describe.skipIf(missing !== null)('createRedisRateLimiter, when Redis stops in the middle', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await RedisServer.start()
  })
  afterAll(() => redis?.remove())

  it('lets requests pass at once when it is killed, says so once, and limits when it is back', async () => {
    const rate = { url: redis.url, limit: 10, windowSeconds: 60, timeoutMs: 1000 }
    const [first, second] = [limiterOf(rate), limiterOf(rate)]
    const instances = [first.limiter, second.limiter]
    await untilCounting(instances)
    expect(countAllowed(await takeMany(instances, 'before', 30))).toBe(10)

    await redis.kill()
    const { states, elapsedMs } = await timed(() => takeInTurn(instances, 'before', 400))
    expect(states.filter((state) => state !== null)).toEqual([])
    expect(elapsedMs).toBeLessThan(3000)
    expect([first.errors.length, second.errors.length]).toEqual([1, 1])

    await redis.restart()
    await untilCounting(instances)
    expect(countAllowed(await takeMany(instances, 'before', 30))).toBe(10)
    expect([first.errors.length, second.errors.length]).toEqual([1, 1])
  })

  it('says it again when it is killed again', async () => {
    const { limiter, errors } = limiterOf({ url: redis.url, ...someRate, timeoutMs: 1000 })
    for (const outages of [1, 2]) {
      await untilCounting([limiter])
      await redis.kill()
      await takeInTurn([limiter], 'again', 5)
      expect(errors).toHaveLength(outages)
      await redis.restart()
    }
  })

  it('waits for a Redis that hangs no longer than it may, and not with every request', async () => {
    const { limiter, errors } = limiterOf({ url: redis.url, ...someRate, timeoutMs: 200 })
    await untilCounting([limiter])
    redis.pause()
    onTestFinished(() => redis.resume())
    const together = await timed(() => takeMany([limiter], 'hung', 50))
    const inTurn = await timed(() => takeInTurn([limiter], 'hung', 100))
    expect([...together.states, ...inTurn.states].every((state) => state === null)).toBe(true)
    // To wait with every request in turn would take 20 s.
    expect(together.elapsedMs).toBeLessThan(10_000)
    expect(inTurn.elapsedMs).toBeLessThan(10_000)
    expect(errors).toHaveLength(1)

    redis.resume()
    await untilCounting([limiter])
    expect(await limiter.take('after')).toMatchObject({ isAllowed: true, remaining: 9 })
  })
})

const someRate = { limit: 10, windowSeconds: 60 }

/** Nothing listens on the first port. */
const nowhere = 'redis://127.0.0.1:1'

type Given = Omit<RedisRateLimitOptions, 'onError'>

function limiterOf(given: Given) {
  const errors: Error[] = []
  const onError = (error: Error): void => {
    errors.push(error)
  }
  const limiter = createRedisRateLimiter({ timeoutMs: patientMs, ...given, onError })
  onTestFinished(() => limiter.close())
  return { limiter, errors }
}

function clientOf(redis: RedisServer): Redis {
  const client = new Redis(redis.url)
  onTestFinished(() => client.disconnect())
  return client
}

type State = Awaited<ReturnType<RedisRateLimiter['take']>>

/** At the same time, spread over the instances. */
function takeMany(
  instances: readonly RedisRateLimiter[],
  bucket: string,
  times: number,
): Promise<readonly State[]> {
  const all = Array.from({ length: times }, (_, index) => instances[index % instances.length])
  return Promise.all(all.map((limiter) => limiter?.take(bucket) ?? null))
}

/** One after the other, at every instance. */
async function takeInTurn(
  instances: readonly RedisRateLimiter[],
  bucket: string,
  times: number,
): Promise<readonly State[]> {
  const states: State[] = []
  for (let time = 0; time < times; time++) {
    for (const limiter of instances) states.push(await limiter.take(bucket))
  }
  return states
}

async function timed(take: () => Promise<readonly State[]>) {
  const startedAt = performance.now()
  return { states: await take(), elapsedMs: performance.now() - startedAt }
}

/** Returns when every instance reaches Redis. */
async function untilCounting(instances: readonly RedisRateLimiter[]): Promise<void> {
  for (const limiter of instances) {
    const state = () => limiter.take(`probe ${crypto.randomUUID()}`)
    await expect.poll(state, { timeout: 20_000, interval: 25 }).not.toBeNull()
  }
}

function countAllowed(states: readonly State[]): number {
  return states.filter((state) => state?.isAllowed === true).length
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** What an eager logger would print. */
function everythingIn(error: Error): readonly unknown[] {
  return Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name))
}
