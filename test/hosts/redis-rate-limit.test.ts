import { tmpdir } from 'node:os'
import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createRedisLimits } from '../../src/hosts/redis.ts'
import type { Rate, RateLimiter } from '../../src/runtime/rate-limit.ts'
import { freePort, type RunningProgram, startProgram } from '../support/process.ts'
import { provideProgram } from '../support/programs.ts'

const missing = provideProgram('redis-server')

/** Enough for a slow machine: only tests of what happens without Redis wait for it. */
const patientMs = 5000

it('createRedisLimits, without Redis lets every request pass and says so once', async () => {
  const { limiter, errors, close } = limiterOf({ url: nowhere, ...someRate })
  await expect.poll(() => errors.length).toBe(1)
  const states = await takeMany([limiter], 'a', 30)
  close()
  states.push(await limiter.take('a'))
  expect(states.filter((state) => state !== null)).toEqual([])
  expect(errors.map(({ message }) => message)).toEqual([
    'Redis is unavailable, so requests have no rate limit until it recovers: connect ECONNREFUSED 127.0.0.1:1',
  ])
})

describe.skipIf(missing !== null)('createRedisLimits', () => {
  let port = 0
  let redis: RunningProgram
  /** A Redis of one's own with nothing in it. */
  const startRedis = async () => {
    const words = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    redis = await startProgram('redis-server', ['--port', String(port), ...words], {
      cwd: tmpdir(),
      ready: port,
    })
  }

  beforeAll(async () => {
    port = await freePort()
    await startRedis()
  })
  afterAll(() => redis?.stop())

  const rateOf = (limit: number) => ({ url: `redis://127.0.0.1:${port}`, limit, windowSeconds: 30 })

  it('shares one limit among instances that ask at the same time', async () => {
    const instances = [await connected(rateOf(50)), await connected(rateOf(50))]
    const limiters = instances.map(({ limiter }) => limiter)
    const states = await takeMany(limiters, 'shared', 200)
    expect(countAllowed(states)).toBe(50)
    const refused = { isAllowed: false, limit: 50, remaining: 0 }
    expect(await limiters[0]?.take('shared')).toMatchObject(refused)
    expect(await instances[0]?.failures.take('shared')).toMatchObject({ remaining: 49 })
  })

  it('says that a command fails, and not what a login was', async () => {
    const client = new Redis(port)
    onTestFinished(() => client.disconnect())
    await client.acl('SETUSER', 'reader', 'on', '>open sesame', '~*', '-@all', '+ping', '+info')
    const url = `redis://reader:open%20sesame@127.0.0.1:${port}`
    const { limiter, errors } = limiterOf({ url, ...someRate })
    const wrong = limiterOf({ url: url.replace('open', 'closed'), ...someRate })
    const ask = async () => {
      expect([await limiter.take('a'), await wrong.limiter.take('a')]).toEqual([null, null])
      return [errors.length, wrong.errors.length]
    }
    await expect.poll(ask).toEqual([1, 1])
    expect(errors[0]?.message).toMatch(/NOPERM/)
    expect(wrong.errors[0]?.message).toMatch(/WRONGPASS/)
    expect(inspect([...errors, ...wrong.errors], { showHidden: true })).not.toMatch(/sesame/)
  })

  it('lets requests pass when Redis is killed, says so once each time, and limits when it is back', async () => {
    const { limiter, errors } = await connected({ ...rateOf(10), timeoutMs: 1000 })
    for (const outages of [1, 2]) {
      await untilCounting(limiter)
      expect(countAllowed(await takeMany([limiter], `before ${outages}`, 30))).toBe(10)
      await redis.stop()
      const startedAt = performance.now()
      for (let time = 0; time < 400; time++) expect(await limiter.take('in turn')).toBeNull()
      expect(performance.now() - startedAt).toBeLessThan(3000)
      await expect.poll(() => errors.length).toBe(outages)
      await startRedis()
    }
    await untilCounting(limiter)
  })
})

const someRate = { limit: 10, windowSeconds: 60 }

/** Nothing listens on the first port. */
const nowhere = 'redis://127.0.0.1:1'

type Given = Rate & Readonly<{ url: string; timeoutMs?: number }>

function limiterOf({ url, timeoutMs = patientMs, ...rate }: Given) {
  const errors: Error[] = []
  const onError = (error: Error): void => {
    errors.push(error)
  }
  const rates = { requests: rate, failures: rate }
  const { requests: limiter, failures, close } = createRedisLimits(url, rates, onError, timeoutMs)
  onTestFinished(close)
  return { limiter, failures, errors, close }
}

/** A limiter that reaches Redis. */
async function connected(given: Given) {
  const made = limiterOf(given)
  await untilCounting(made.limiter)
  return made
}

/** At the same time, spread over the instances. */
function takeMany(instances: readonly RateLimiter[], bucket: string, times: number) {
  const all = Array.from({ length: times }, (_, index) => instances[index % instances.length])
  return Promise.all(all.map((limiter) => limiter?.take(bucket) ?? null))
}

/** Returns when the limiter reaches Redis. */
async function untilCounting(limiter: RateLimiter): Promise<void> {
  const state = () => limiter.take(`probe ${crypto.randomUUID()}`)
  await expect.poll(state, { timeout: 20_000, interval: 25 }).not.toBeNull()
}

function countAllowed(states: Awaited<ReturnType<typeof takeMany>>): number {
  return states.filter((state) => state?.isAllowed === true).length
}
