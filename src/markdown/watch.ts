// Tells when a worker has been on one job for too long.
// Knows no clock: a machine that slept, or a main thread that was busy, makes no job late.

/** Watches one number that names the job under way, looked at in even intervals; 0 is none. */
export class Watch {
  readonly #looksMax: number
  #job = 0
  #looks = 0

  /** @param looksMax looks that a job may be seen at, after the first, before it is late; at least 1 */
  constructor(looksMax: number) {
    this.#looksMax = looksMax
  }

  /** Looks at the job under way; true when it has been the same one for too long. */
  isLate(job: number): boolean {
    if (job === 0 || job !== this.#job) {
      this.#job = job
      this.#looks = 0
      return false
    }
    this.#looks += 1
    return this.#looks >= this.#looksMax
  }
}
