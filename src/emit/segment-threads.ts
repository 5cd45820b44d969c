// Threads that make search segments while the main one does something else.
import { CacheDamageError } from '../cache/stored-bytes.ts'
import { WorkerPool } from '../workers/worker-pool.ts'
import type { SegmentInput, SegmentResult } from './segment.ts'

/** From a thread, which cannot throw an error with a class. */
export type SegmentReply =
  | { readonly kind: 'made'; readonly made: SegmentResult }
  /** @param path of the damaged file of the cache */
  | { readonly kind: 'damaged'; readonly path: string }

/** Threads that make segments, in the order in which they are given. */
export class SegmentThreads {
  readonly #pool: WorkerPool<SegmentInput, SegmentReply>

  /** @param threads how many there are at most */
  constructor(threads: number) {
    const file = new URL(import.meta.resolve('#segment-worker'))
    this.#pool = new WorkerPool({ file, threads: Math.max(1, threads) })
  }

  /** @throws CacheDamageError when the cache is damaged; WorkerPoolError when the threads were closed */
  async make(input: SegmentInput): Promise<SegmentResult> {
    const reply = await this.#pool.run(input)
    if (reply.kind === 'damaged') throw new CacheDamageError(reply.path)
    return reply.made
  }

  /** Ends the threads; unfinished segments fail. */
  async close(): Promise<void> {
    await this.#pool.close()
  }
}
