// A pool of worker threads, built on tinypool.
import type { Tinypool } from 'tinypool'

/** Options of a pool. */
export interface WorkerPoolOptions {
  /** A compiled module whose default export runs a task. Threads load no TypeScript. */
  readonly file: URL
  /** Maximum number of threads. A thread starts when a task finds no idle one. */
  readonly threads: number
  /** Heap limit per thread, in MB. @default V8's limit */
  readonly heapLimitMb?: number | undefined
}

/** No thread could start, or the pool is closed. */
export class WorkerPoolError extends Error {
  override readonly name = 'WorkerPoolError'
}

/**
 * Runs at most one task per thread. Tinypool gets no more tasks than there are threads: a task queued behind a thread
 * that dies would never run. Idle threads do not keep the process alive.
 */
export class WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions
  #pool: Promise<Tinypool> | undefined
  #failure: unknown
  /** One reject function per task in progress. */
  readonly #underWay = new Set<(failure: unknown) => void>()
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#free = options.threads
  }

  /**
   * Runs a task after all earlier tasks have started.
   *
   * @param signal terminates the thread of the task when it aborts
   * @throws WorkerPoolError; the error of the task; or V8's error when its thread died
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

  /** Fails every task in progress and every later one. */
  #fail(failure: unknown): void {
    this.#failure ??= failure
    for (const reject of this.#underWay) reject(this.#failure)
  }

  /**
   * Rejects when the pool fails. `Promise.race` with a promise of the failure would keep every result in memory for the
   * lifetime of the pool, as that promise holds each race.
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

  /** Waits for an idle thread. */
  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((start) => this.#waiting.push(start))
  }

  /** Terminates all threads. Unfinished tasks fail. */
  async close(): Promise<void> {
    this.#fail(new WorkerPoolError('The worker pool is closed.'))
    await (await this.#pool)?.destroy()
  }

  /** Imports tinypool with the first task: most builds run none. */
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
      // Threads inherit no loaders and no inspector.
      execArgv: [],
      ...(heapLimitMb === undefined ? {} : { resourceLimits: limitsOf(heapLimitMb) }),
    })
    // A thread that dies before it runs a task.
    pool.on('error', (cause) => this.#fail(new WorkerPoolError(reasonOf(cause), { cause })))
    return pool
  }
}

/** Longest timer delay: threads live as long as their pool. */
const idleMilliseconds = 2 ** 31 - 1

/**
 * Node grants a full heap 16 MB more until the worker has terminated. One third of the young generation, 16 MB, can be
 * promoted at once. More would abort the whole process.
 */
function limitsOf(heapLimitMb: number) {
  return { maxOldGenerationSizeMb: heapLimitMb, maxYoungGenerationSizeMb: 48 }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
