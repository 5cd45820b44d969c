// Worker threads that run tasks, on tinypool.
import type { Tinypool } from 'tinypool'

/** The threads of a pool. */
export interface WorkerPoolOptions {
  /** A compiled module, whose default export runs a task: threads load no TypeScript. */
  readonly file: URL
  /** The most threads; each starts with the first task that no other one is free for. */
  readonly threads: number
  /** Heap of each thread, in MB. @default that of V8 */
  readonly heapLimitMb?: number | undefined
}

/** No thread can start, or the pool was closed. */
export class WorkerPoolError extends Error {
  override readonly name = 'WorkerPoolError'
}

/**
 * Runs one task a thread at a time. Tinypool is given no more tasks than threads: a task that it queues behind a thread
 * that dies would never run. Idle threads do not keep the process alive.
 */
export class WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions
  #pool: Promise<Tinypool> | undefined
  #failure: unknown
  /** Rejects a task under way each. */
  readonly #underWay = new Set<(failure: unknown) => void>()
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#free = options.threads
  }

  /**
   * Runs a task, after those that were given before.
   *
   * @param signal ends the thread of the task
   * @throws WorkerPoolError; what the task throws; the error that its thread ended with, by V8's code
   */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    await this.#unlessFailed(this.#turn())
    try {
      this.#pool ??= this.#start()
      const pool = await this.#pool
      signal?.throwIfAborted()
      const result = pool.run(task, signal === undefined ? undefined : { signal })
      return await this.#unlessFailed(result)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }

  /** Fails every task under way, and all that are to come. */
  #fail(failure: unknown): void {
    this.#failure ??= failure
    for (const reject of this.#underWay) reject(this.#failure)
  }

  /**
   * By hand: `Promise.race` with a promise of the failure would keep every result in memory for as long as the pool, as
   * each race stays registered with it.
   */
  async #unlessFailed<Value>(promise: Promise<Value>): Promise<Value> {
    let rejectThis: (failure: unknown) => void = () => {}
    try {
      return await new Promise<Value>((resolve, reject) => {
        rejectThis = reject
        this.#underWay.add(reject)
        promise.then(resolve, reject)
        if (this.#failure !== undefined) reject(this.#failure)
      })
    } finally {
      this.#underWay.delete(rejectThis)
    }
  }

  /** Waits for a thread to be free. */
  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((start) => this.#waiting.push(start))
  }

  /** Ends all threads; tasks that did not end fail. */
  async close(): Promise<void> {
    this.#fail(new WorkerPoolError('The worker pool is closed.'))
    await (await this.#pool)?.destroy()
  }

  /** Its package is loaded with the first task: most builds have none. */
  async #start(): Promise<Tinypool> {
    const { Tinypool } = await import('tinypool')
    const { file, threads, heapLimitMb } = this.#options
    const pool = new Tinypool({
      filename: file.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMilliseconds,
      useAtomics: false,
      trackUnmanagedFds: false,
      // The caller's loaders and inspectors are none of a thread's business.
      execArgv: [],
      ...(heapLimitMb === undefined ? {} : { resourceLimits: limitsOf(heapLimitMb) }),
    })
    // A thread that ends before it runs a task.
    pool.on('error', (cause) => this.#fail(new WorkerPoolError(reasonOf(cause), { cause })))
    return pool
  }
}

/** As long as a timer can be: threads end with their pool. */
const idleMilliseconds = 2 ** 31 - 1

/**
 * Node gives a full heap 16 MB more until the worker has ended. A third of the young generation can be promoted at once:
 * were it more than that, the whole process would be aborted.
 */
function limitsOf(heapLimitMb: number) {
  return { maxOldGenerationSizeMb: heapLimitMb, maxYoungGenerationSizeMb: 48 }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
