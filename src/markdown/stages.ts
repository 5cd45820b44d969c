// Parts of the renderer that few bodies need: each is loaded when the first body needs it.

/** The parts that are loaded. */
export interface Stages {
  html?: typeof import('./authored-html.ts')
}

/** A part that has to be loaded before a body can be rendered. */
export type StageName = keyof Stages

/** Thrown where a body needs a part that is not loaded. */
export class StageNeeded extends Error {
  override readonly name = 'StageNeeded'
  readonly stage: StageName

  constructor(stage: StageName) {
    super(`The renderer needs its part "${stage}".`)
    this.stage = stage
  }
}

/** Loads a part. */
export async function loadStage(stages: Stages, _name: StageName): Promise<void> {
  stages.html ??= await import('./authored-html.ts')
}

/** Runs a renderer, as often as it needs a part that is not loaded: at most once for each. */
export async function withStages<T>(stages: Stages, run: () => T): Promise<T> {
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof StageNeeded)) throw error
      await loadStage(stages, error.stage)
    }
  }
}
