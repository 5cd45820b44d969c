// Events of a running build, for measurements; nothing is measured without a listener.
/** The stages of a build, in order; skipped stages are not reported. */
export type Stage = 'scan' | 'render' | 'assemble' | 'responses' | 'index' | 'publish'

/** The number of files, and of files that no build has seen with this content. */
export interface FileCounts {
  readonly files: number
  readonly newFiles: number
}

/** Callbacks for events of a build. */
export interface Trace {
  /** Called with the number of files. */
  readonly onScan?: ((found: FileCounts) => void) | undefined
  /** Called with the number of runs of each rule by name, after the last write. */
  readonly onRules?: ((runs: ReadonlyMap<string, number>) => void) | undefined
  /** Called at the end of a stage with its duration in milliseconds. */
  readonly onStage?: ((stage: Stage, milliseconds: number) => void) | undefined
}

/** Measures the time between the ends of consecutive stages. */
export class Stopwatch {
  readonly #trace: Trace | undefined
  #startedAt: number = performance.now()

  constructor(trace: Trace | undefined) {
    this.#trace = trace
  }

  /** Ends a stage and begins the next one. */
  lap(stage: Stage): void {
    const now = performance.now()
    this.#trace?.onStage?.(stage, now - this.#startedAt)
    this.#startedAt = now
  }
}
