// What becomes of a pool: used lazily, left early, closed, and nothing of it stays behind.
// Knows nothing of what is rendered.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect } from 'vitest'
import { createRenderPool, type RenderJob } from '../../src/markdown/pool.ts'
import { collect } from './collect.ts'
import { endless, it, jobsOf } from './pools.ts'

describe('a pool', () => {
  it('pulls no more jobs than it has use for', async ({ open }) => {
    let [pulled, ahead, received] = [0, 0, 0]
    function* jobs() {
      for (const job of jobsOf(Array.from({ length: 500 }, () => 'a'))) {
        pulled += 1
        yield job
      }
    }
    for await (const _ of open({ workers: 2, batchBytes: 4 }).render(jobs())) {
      received += 1
      ahead = Math.max(ahead, pulled - received)
    }
    expect(received).toBe(500)
    expect(ahead).toBeLessThanOrEqual(5 * 4)
  })

  it.each([1, 2, 3])('has %i threads for bodies of any length', async (workers) => {
    let started = 0
    const count = () => {
      started += 1
    }
    process.on('worker', count)
    const pool = createRenderPool({ workers, batchBytes: 1 })
    const bodies = ['a', large.body, 'b', large.body, 'c', large.body, 'd', 'e', 'f']
    const outcomes = await collect(pool.render(jobsOf(bodies)))
    await pool.close()
    process.off('worker', count)
    expect(outcomes).toHaveLength(bodies.length)
    expect(started).toBe(workers)
  })

  it('keeps no outcome after the caller took it', async ({ open }) => {
    const bodies = Array.from({ length: 30 }, () => 'word '.repeat(20_000))
    // Other test files in this process may hold buffers.
    const before = heldBytes()
    let bytes = 0
    for await (const { body } of open({ batchBytes: 1 }).render(jobsOf(bodies)))
      bytes += body?.html.bytes.length ?? 0
    expect(bytes).toBeGreaterThan(2_500_000)
    // V8 frees buffers some time after a collection.
    await expect.poll(() => heldBytes() - before).toBeLessThan(bytes / 2)
  })

  it('closes the source when the caller leaves early', async ({ open }) => {
    let isClosed = false
    function* jobs() {
      try {
        for (;;) yield { key: 1, file: 'a.md', body: 'a', bodyLine: 1 }
      } finally {
        isClosed = true
      }
    }
    for await (const _ of open().render(jobs())) break
    expect(isClosed).toBe(true)
  })

  it('can be used again after the caller left early', async ({ open }) => {
    const pool = open({ batchBytes: 1 })
    for await (const _ of pool.render(jobsOf(['a', endless, endless]))) break
    expect(await collect(pool.render(jobsOf(['a', 'b'])))).toHaveLength(2)
  })

  it('passes on what the source throws', async ({ open }) => {
    function* jobs() {
      yield* jobsOf(['a', 'b'])
      throw new Error('unreadable')
    }
    await expect(collect(open({ batchBytes: 1 }).render(jobs()))).rejects.toThrow('unreadable')
  })

  it('refuses jobs once it is closed', async ({ open }) => {
    const pool = open()
    await pool.close()
    await expect(collect(pool.render(jobsOf(['a'])))).rejects.toThrow('closed')
  })

  it('ends a run when it is closed', async ({ open }) => {
    const pool = open()
    const run = collect(pool.render(jobsOf([endless])))
    setImmediate(() => pool.close())
    await expect(run).rejects.toThrow('closed')
  })

  it.each([{ workers: 0 }, { secondsPerBody: Number.NaN }, { heapLimitMb: -1 }, { batchBytes: 0 }])(
    'refuses %j',
    (options) => {
      expect(() => createRenderPool(options)).toThrow(RangeError)
    },
  )

  it('fails with its reason where a worker cannot run', async ({ open }) => {
    const run = collect(open({ heapLimitMb: 2, secondsPerBody: 60 }).render([large]))
    await expect(run).rejects.toThrow(/worker/)
  })
})

/** Large bodies are the ones whose worker has the heap that was asked for. */
const large: RenderJob = { key: 0, file: 'a.md', body: 'a '.repeat(20_000), bodyLine: 1 }

describe('a process', () => {
  const pool = new URL('../../.lib/markdown/pool.js', import.meta.url)
  const jobs = "[{ key: 1, file: 'a.md', body: 'a', bodyLine: 1 }]"

  it.each([
    ['is done but did not close', `for await (const _ of pool.render(${jobs})) {}`],
    ['never took an outcome', `pool.render(${jobs})`],
    ['leaves the loop', `for await (const _ of pool.render(${jobs})) break`],
    ['closed while it rendered', `pool.render(${jobs}).next().catch(() => {}); pool.close()`],
    [
      'closed before it saw an outcome',
      `pool.render(${jobs}).next().catch(() => {})
      await new Promise((resolve) => setImmediate(resolve))
      for (const until = Date.now() + 800; Date.now() < until; );
      await pool.close()`,
    ],
  ])('ends when the caller %s', (_, use) => {
    const script = `
      import { createRenderPool } from ${JSON.stringify(pool.href)}
      const pool = createRenderPool({ workers: 2 })
      ${use}`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

/** Bytes of buffers that are left after a collection of garbage. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}
