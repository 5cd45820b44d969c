// Measurements of a build, collected while it ran.
import type { BodyEvent, Stage, Trace } from '../../pipeline/trace.ts'

/** A part of a build and what it took. */
export interface StageTime {
  readonly stage: Stage
  readonly milliseconds: number
}

/** A body that was rendered, and what it cost. */
export type RenderedBodyCost = Omit<Extract<BodyEvent, { kind: 'rendered' }>, 'kind'>

/** A trace that keeps every event. */
export class Measures implements Trace {
  #stages: StageTime[] = []
  #rendered: RenderedBodyCost[] = []
  #cached = 0

  /** In the order in which they ended. */
  get stages(): readonly StageTime[] {
    return this.#stages
  }

  /** The costliest first; among equals by file. */
  get rendered(): readonly RenderedBodyCost[] {
    return this.#rendered.toSorted(
      (a, b) => b.milliseconds - a.milliseconds || (a.file < b.file ? -1 : 1),
    )
  }

  /** Bodies that were taken from the cache. */
  get cached(): number {
    return this.#cached
  }

  readonly onStage = (stage: Stage, milliseconds: number): void => {
    // A build that met a damaged cache begins again.
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
