// Threads that make search segments while the main one does something else.
// Knows nothing of what a segment is.
import { Worker } from 'node:worker_threads'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import type { SegmentInput, SegmentResult } from './segment.ts'

/** From a thread: one for each input. */
export type SegmentReply =
  | { readonly kind: 'made'; readonly made: SegmentResult }
  /** @param damaged the file of the cache that is not what it was; null for any other error */
  | { readonly kind: 'failed'; readonly error: unknown; readonly damaged: string | null }

interface Job {
  readonly input: SegmentInput
  readonly resolve: (made: SegmentResult) => void
  readonly reject: (error: unknown) => void
}

/** A thread, and what it is at work on. */
interface Thread {
  readonly worker: Worker
  job: Job | undefined
}

/** Threads that make segments; each is started when there is something for it to do. */
export class SegmentThreads {
  readonly #threadsMax: number
  readonly #threads: Thread[] = []
  readonly #waiting: Job[] = []
  #failure: unknown

  /** @param threadsMax how many there are at most */
  constructor(threadsMax: number) {
    this.#threadsMax = Math.max(1, threadsMax)
  }

  /**
   * Makes a segment; those that wait are made in the order in which they were given.
   *
   * @throws CacheDamageError when cached bytes are not those that were written
   * @throws Error when the threads were closed
   */
  make(input: SegmentInput): Promise<SegmentResult> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#waiting.push({ input, resolve, reject })
      const idle = this.#threads.find(({ job }) => job === undefined)
      if (idle !== undefined) this.#next(idle)
      else if (this.#threads.length < this.#threadsMax) this.#next(this.#start())
    })
  }

  /** Ends the threads; what they were to make fails. */
  async close(): Promise<void> {
    this.#fail(new Error('The threads that make search segments were closed.'))
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #start(): Thread {
    // Compiled, also when this module is not: threads load no TypeScript.
    const file = new URL(import.meta.resolve('#segment-worker'))
    const worker = new Worker(file, { name: 'quarry-search', execArgv: [] })
    const thread: Thread = { worker, job: undefined }
    worker.on('message', (reply: SegmentReply) => {
      const { job } = thread
      this.#next(thread)
      if (job !== undefined) settle(job, reply)
    })
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('A thread that makes search segments ended.')))
    this.#threads.push(thread)
    return thread
  }

  /** Gives a thread the next job, if there is one. */
  #next(thread: Thread): void {
    thread.job = this.#waiting.shift()
    if (thread.job !== undefined) thread.worker.postMessage(thread.job.input)
  }

  /** Fails every job, now and from now on. */
  #fail(error: unknown): void {
    this.#failure ??= error
    const atWork = this.#threads.flatMap(({ job }) => job ?? [])
    for (const { reject } of [...atWork, ...this.#waiting.splice(0)]) reject(error)
  }
}

function settle({ resolve, reject }: Job, reply: SegmentReply): void {
  if (reply.kind === 'made') resolve(reply.made)
  else reject(reply.damaged === null ? reply.error : new CacheDamageError(reply.damaged))
}
