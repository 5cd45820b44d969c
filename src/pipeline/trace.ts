// The events of a running build, for those who measure it; without a listener nothing is measured.
import type { BodyEvent, RenderingListeners } from '../markdown/rendering.ts'

export type { BodyEvent }

/** The parts of a build, in their order; one that was not needed is not reported. */
export type Stage = 'scan' | 'render' | 'assemble' | 'responses' | 'index' | 'publish'

/** How many files there are, and how many of them no build has seen as they are. */
export interface FileCounts {
  readonly files: number
  readonly newFiles: number
}

/** Callbacks for events of a build. */
export interface Trace extends Pick<RenderingListeners, 'onBody'> {
  /** Called with the number of files. */
  readonly onScan?: ((found: FileCounts) => void) | undefined
  /** Called with the runs of each rule, by its name, after the last write. */
  readonly onRules?: ((runs: ReadonlyMap<string, number>) => void) | undefined
  /** Called at the end of a stage with its duration in milliseconds. */
  readonly onStage?: ((stage: Stage, milliseconds: number) => void) | undefined
}

/** The time between one stage's end and the next one's. */
export class Stopwatch {
  readonly #trace: Trace | undefined
  #startedAt: number = performance.now()

  constructor(trace: Trace | undefined) {
    this.#trace = trace
  }

  /** A stage has ended; the next begins. */
  lap(stage: Stage): void {
    const now = performance.now()
    this.#trace?.onStage?.(stage, now - this.#startedAt)
    this.#startedAt = now
  }
}
