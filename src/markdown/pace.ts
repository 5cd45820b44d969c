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
    return Math.min(wallMs, (user + system) / 1000 / (threads + utilization))
  }
}
