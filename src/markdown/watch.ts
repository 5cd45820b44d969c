// Tells when a worker has been on one job for too long.
// Knows no clock: time comes from its caller.

/** Watches one number that names the job under way, looked at now and then; 0 is none. */
export class Watch {
  readonly #msMax: number
  #job = 0
  #ms = 0

  /** @param msMax time that a job may take, counted from the first look at it */
  constructor(msMax: number) {
    this.#msMax = msMax
  }

  /** Looks at the job under way, `ms` after the last look; true when it has been the same for too long. */
  isLate(job: number, ms: number): boolean {
    this.#ms = job !== 0 && job === this.#job ? this.#ms + ms : 0
    this.#job = job
    return this.#ms >= this.#msMax
  }
}
