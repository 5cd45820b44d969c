// Pools that close themselves after a test, and jobs for them.
import { vi } from 'vitest'
import type { Outcome, RenderJob, RenderPool, RenderPoolOptions } from '../../src/markdown/pool.ts'
import { atEnd } from '../support/cleanup.ts'

/** Pools of builds share their threads in tests. */
const { createRenderPool } = await vi.importActual<typeof import('../../src/markdown/pool.ts')>(
  '../../src/markdown/pool.ts',
)

/** Takes minutes; small enough to be read at once. */
export const endless: string = '[[[]]]'.repeat(17_000)

/** A pool of two workers, unless told otherwise. */
export function openPool(options: RenderPoolOptions = {}): RenderPool {
  const pool = createRenderPool({ workers: 2, ...options })
  atEnd(() => pool.close())
  return pool
}

/** Outcomes by key, of a pool of its own. */
export async function render(
  jobs: Parameters<RenderPool['render']>[0],
  options?: RenderPoolOptions,
): Promise<readonly Outcome[]> {
  const outcomes = await collect(openPool(options).render(jobs))
  return outcomes.toSorted((a, b) => a.key - b.key)
}

/** A job for each body; keys are 0, 10, 20…, bodies begin on lines 1, 2, 3…. */
export function jobsOf(bodies: readonly string[]): readonly RenderJob[] {
  return bodies.map((body, index) => ({
    key: index * 10,
    file: `posts/${index}.md`,
    body,
    bodyLine: index + 1,
  }))
}

/** Everything that a source gives, in order. */
export async function collect<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
