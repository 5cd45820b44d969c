// What a build tells of itself while it runs, to those who measure it; nothing is measured for nobody.
// Knows nothing of what is done with it.
import type { BodyEvent, RenderingListeners } from '../markdown/rendering.ts'

export type { BodyEvent }

/** The parts of a build, in their order; one that was not needed is not told of. */
export type Stage = 'scan' | 'render' | 'assemble' | 'answers' | 'index' | 'publish'

/** How many files there are, and how many of them no build has seen as they are. */
export interface FileCounts {
  readonly files: number
  readonly newFiles: number
}

/** Who is told. */
export interface Trace extends Pick<RenderingListeners, 'onBody'> {
  /** Told what content there is. */
  readonly onScan?: ((found: FileCounts) => void) | undefined
  /** Told how often each rule ran, by its name, once all is written. */
  readonly onRules?: ((runs: ReadonlyMap<string, number>) => void) | undefined
  /** Told when a stage has ended, and what it took in milliseconds. */
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
