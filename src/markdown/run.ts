// One run of a pool: keeps its workers fed, gives outcomes out, and finds the job that a worker died of.
import { type Batch, batchesAround } from './batches.ts'
import { diagnose } from './diagnose.ts'
import { failedProblem, memoryProblem, timeoutProblem } from './failures.ts'
import type { Outcome } from './job.ts'
import type { Problem } from './problem.ts'
import type { BatchEnd, Budgets } from './render-workers.ts'

/** Workers that render batches, without rejecting, and drop all of them. */
export interface Workers {
  readonly size: number
  run(batch: Batch): Promise<BatchEnd>
  stop(): Promise<void>
}

/**
 * Outcomes of all jobs, in no order.
 *
 * At most two batches for each worker are under way: one that it renders, one that waits for it. Nothing
 * more is pulled until the caller asks for more outcomes. When the caller leaves early, no job goes on.
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

  /** The next batch to end, or null when all have. */
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

  /** Outcomes that an ended batch gives; what is left of it is run again. */
  conclude({ batch, end }: BatchResult, budgets: Budgets): readonly Outcome[] {
    if (end.kind === 'done') return end.outcomes
    if (end.kind === 'fault') throw fault(end.error)
    if (end.kind === 'dropped') {
      this.#again.push(batch)
      return []
    }
    return this.#bury(batch, end, budgets)
  }

  /** Ends what is still under way. */
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
   * Blames the job that a worker died of. Time is measured for each job, so there a first death is enough;
   * memory may be full of what came before, so a job is blamed for it only after it was alone.
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
