// One run of a pool: feeds workers, returns outcomes, and identifies a job that killed its worker.
import { type Batch, batchesAround } from './batches.ts'
import { diagnose } from './diagnose.ts'
import { failedProblem, memoryProblem, timeoutProblem } from './failures.ts'
import type { Outcome } from './job.ts'
import type { Problem } from './problem.ts'
import type { BatchEnd, Budgets } from './render-workers.ts'

/** Workers that render batches without rejecting, and can drop all of them. */
export interface Workers {
  readonly size: number
  run(batch: Batch): Promise<BatchEnd>
  stop(): Promise<void>
}

/**
 * Returns the outcomes of all jobs, in no order.
 *
 * Each worker has at most two batches: one in progress and one waiting. Nothing more is pulled until the caller asks
 * for more outcomes. When the caller leaves early, all jobs stop.
 *
 * @param batches pulled lazily, and closed at the end
 */
export async function* runBatches(
  batches: AsyncGenerator<Batch, void, undefined>,
  workers: Workers,
  budgets: Budgets,
): AsyncGenerator<Outcome, void, undefined> {
  const run = new Run(batches, workers)
  try {
    for (let done = await run.next(); done !== null; done = await run.next()) {
      yield* run.conclude(done, budgets)
    }
  } finally {
    await run.leave()
  }
}

interface BatchResult {
  readonly id: number
  readonly batch: Batch
  readonly end: BatchEnd
}

class Run {
  readonly #batches: AsyncGenerator<Batch, void, undefined>
  readonly #workers: Workers
  readonly #running = new Map<number, Promise<BatchResult>>()
  readonly #again: Batch[] = []
  #started = 0

  constructor(batches: AsyncGenerator<Batch, void, undefined>, workers: Workers) {
    this.#batches = batches
    this.#workers = workers
  }

  /** The next batch to end; null when all have ended. */
  async next(): Promise<BatchResult | null> {
    while (this.#running.size < 2 * this.#workers.size) {
      const batch = this.#again.pop() ?? (await this.#pull())
      if (batch === null) break
      this.#start(batch)
    }
    if (this.#running.size === 0) return null
    const finished = await Promise.race(this.#running.values())
    this.#running.delete(finished.id)
    return finished
  }

  /** Returns the outcomes of an ended batch; the rest of it is retried. */
  conclude({ batch, end }: BatchResult, budgets: Budgets): readonly Outcome[] {
    if (end.kind === 'done') return end.outcomes
    if (end.kind === 'fault') throw fault(end.error)
    if (end.kind === 'dropped') {
      this.#again.push(batch)
      return []
    }
    return this.#bury(batch, end, budgets)
  }

  /** Stops all running batches. */
  async leave(): Promise<void> {
    const isIdle = this.#running.size === 0
    await Promise.all([this.#batches.return(), isIdle ? null : this.#workers.stop()])
  }

  async #pull(): Promise<Batch | null> {
    const { value } = await this.#batches.next()
    return value ?? null
  }

  #start(batch: Batch): void {
    const id = this.#started
    this.#started += 1
    const finished = this.#workers.run(batch).then((end) => ({ id, batch, end }))
    this.#running.set(id, finished)
  }

  /**
   * Blames the job that killed a worker. Time is measured per job, so one timeout is enough. Memory may be full from
   * earlier jobs, so a job is blamed for it only after it ran alone.
   */
  #bury(batch: Batch, end: Died, budgets: Budgets): readonly Outcome[] {
    const quarantined = batch.jobs[end.index]
    this.#again.push(...batchesAround(batch, end.index))
    if (quarantined === undefined) return []
    if (end.death === 'timeout' || batch.isQuarantined === true) {
      return [
        { key: quarantined.key, diagnostics: diagnose(quarantined, [problemOf(end, budgets)]) },
      ]
    }
    this.#again.push({ jobs: [quarantined], isQuarantined: true })
    return []
  }
}

function fault(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`No render worker can run. ${reason}`, { cause })
}

type Died = Extract<BatchEnd, { kind: 'died' }>

function problemOf({ death, error }: Died, budgets: Budgets): Problem {
  if (death === 'timeout') return timeoutProblem(budgets.secondsPerBody)
  return death === 'memory' ? memoryProblem(budgets.heapLimitMb) : failedProblem(error)
}
