// Runs before each file of tests.
import { afterAll, vi } from 'vitest'
import type { RenderPool } from '../../src/markdown/pool.ts'
import { atEndOfFile, endOfFile } from './cleanup.ts'

// The builds of a file share their threads, because starting one takes more time than the rest of a small build.
vi.mock('../../src/markdown/pool.ts', async (original) => {
  const actual = await original<typeof import('../../src/markdown/pool.ts')>()
  const pools = new Map<string, RenderPool>()
  const createRenderPool: typeof actual.createRenderPool = (options) => {
    const key = JSON.stringify(options)
    const known = pools.get(key)
    const pool = known ?? actual.createRenderPool(options)
    pools.set(key, pool)
    if (known === undefined)
      atEndOfFile(() => {
        pools.delete(key)
        return pool.close()
      })
    return { ...pool, close: async () => {} }
  }
  return { ...actual, createRenderPool }
})

afterAll(endOfFile)
