// Measures the time that busy threads actually got on a shared machine.

/**
 * Measures time as experienced by the threads of this process. It runs slower than the clock on a busy machine and
 * stops while the machine sleeps, so that other processes cause no timeouts.
 */
export class Pace {
  #wallMs = performance.now()
  #cpu = process.cpuUsage()
  #loop = performance.eventLoopUtilization()

  /**
   * Milliseconds that each busy thread got since the last call: its share of the process's time.
   *
   * @param threads number of busy threads besides the main thread, which counts by its utilization
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

/** Time that the process got since the last call. */
export interface Elapsed {
  readonly wallMs: number
  readonly processorMs: number
  /** Busy threads besides the main thread. */
  readonly threads: number
  /** Utilization of the main thread, 0 to 1. */
  readonly utilization: number
}

/** The processor time of each busy thread, assuming equal shares; never more than the wall-clock time. */
export function shareMs({ wallMs, processorMs, threads, utilization }: Elapsed): number {
  return Math.min(wallMs, processorMs / (threads + utilization))
}
