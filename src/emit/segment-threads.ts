// Threads that build search segments in parallel with the main thread.
import { CacheDamageError } from '../cache/stored-bytes.ts'
import { WorkerPool } from '../workers/worker-pool.ts'
import type { SegmentInput, SegmentResult } from './segment.ts'

/** Reply of a thread, which cannot throw a typed error. */
export type SegmentReply =
  | { readonly kind: 'made'; readonly made: SegmentResult }
  /** @param path of the damaged cache file */
  | { readonly kind: 'damaged'; readonly path: string }

/** Builds segments in threads, in the order of the calls. */
export class SegmentThreads {
  readonly #pool: WorkerPool<SegmentInput, SegmentReply>

  /** @param threads maximum number of threads */
  constructor(threads: number) {
    const file = new URL(import.meta.resolve('#segment-worker'))
    this.#pool = new WorkerPool({ file, threads: Math.max(1, threads) })
  }

  /** @throws CacheDamageError if the cache is damaged; WorkerPoolError if the threads are closed */
  async make(input: SegmentInput): Promise<SegmentResult> {
    const reply = await this.#pool.run(input)
    if (reply.kind === 'damaged') throw new CacheDamageError(reply.path)
    return reply.made
  }

  /** Terminates the threads; unfinished segments fail. */
  async close(): Promise<void> {
    await this.#pool.close()
  }
}
