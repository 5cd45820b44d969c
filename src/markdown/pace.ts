// How much time busy threads really had on a machine that others use too.

/**
 * Measures time as it went by for threads of this process: on a busy machine it runs slower than the clock,
 * while the machine sleeps it stands still. So nobody is late because of others.
 */
export class Pace {
  #wallMs = performance.now()
  #cpu = process.cpuUsage()
  #loop = performance.eventLoopUtilization()

  /**
   * Milliseconds that each of the busy threads had since the last call: its share of what the process had.
   *
   * @param threads how many were busy besides the main thread, which counts as far as it was
   */
  elapsedMs(threads: number): number {
    const wallMs = performance.now() - this.#wallMs
    const { user, system } = process.cpuUsage(this.#cpu)
    const { utilization } = performance.eventLoopUtilization(this.#loop)
    this.#wallMs += wallMs
    this.#cpu = process.cpuUsage()
    this.#loop = performance.eventLoopUtilization()
    return shareMs({ wallMs, processorMs: (user + system) / 1000, threads, utilization })
  }
}

/** Time that the process had since the last call. */
export interface Elapsed {
  readonly wallMs: number
  readonly processorMs: number
  /** Busy threads besides the main thread. */
  readonly threads: number
  /** Share of the time that the main thread was busy, 0 to 1. */
  readonly utilization: number
}

/** The processor time of each busy thread, if all had the same; never more than went by on the clock. */
export function shareMs({ wallMs, processorMs, threads, utilization }: Elapsed): number {
  return Math.min(wallMs, processorMs / (threads + utilization))
}
