// Measurements of a running build.
import type { BodyEvent, Stage, Trace } from '../../pipeline/trace.ts'

/** A stage of a build and its duration. */
export interface StageTime {
  readonly stage: Stage
  readonly milliseconds: number
}

/** A rendered body and its cost. */
export type RenderedBodyCost = Omit<Extract<BodyEvent, { kind: 'rendered' }>, 'kind'>

/** A trace that stores every event. */
export class Measures implements Trace {
  #stages: StageTime[] = []
  #rendered: RenderedBodyCost[] = []
  #cached = 0

  /** In order of completion. */
  get stages(): readonly StageTime[] {
    return this.#stages
  }

  /** Most expensive first, then by file. */
  get rendered(): readonly RenderedBodyCost[] {
    return this.#rendered.toSorted(
      (a, b) => b.milliseconds - a.milliseconds || (a.file < b.file ? -1 : 1),
    )
  }

  /** Number of bodies from the cache. */
  get cached(): number {
    return this.#cached
  }

  readonly onStage = (stage: Stage, milliseconds: number): void => {
    // After a damaged cache, a build starts again.
    if (stage === 'scan') {
      this.#stages = []
      this.#rendered = []
      this.#cached = 0
    }
    this.#stages.push({ stage, milliseconds })
  }

  readonly onBody = (event: BodyEvent): void => {
    if (event.kind === 'cached') this.#cached += 1
    else {
      const { kind, ...cost } = event
      this.#rendered.push(cost)
    }
  }
}
