// Parts of the renderer that few bodies need, loaded on first use.

import type { ReadMdx } from './mdx.ts'
import { parseMarkdown, parserWith } from './processor.ts'

/** The loaded parts. */
export interface Stages {
  html?: typeof import('./authored-html.ts')
  mdx?: MdxStage
}

/** Reads MDX. */
export interface MdxStage {
  /** @param keepsHtml keeps HTML elements; otherwise only their content */
  read(body: string, keepsHtml: boolean): ReadMdx
}

/** A part of the renderer that is loaded on demand. */
export type StageName = keyof Stages

/** Thrown when a body needs a part that is not loaded. */
export class StageNeeded extends Error {
  override readonly name = 'StageNeeded'
  readonly stage: StageName

  constructor(stage: StageName) {
    super(`The renderer needs its part "${stage}".`)
    this.stage = stage
  }
}

/** Creates the part that reads MDX. */
export function mdxStage({ readMdx, withMdx }: typeof import('./mdx.ts')): MdxStage {
  const parseMdx = parserWith(withMdx)
  return { read: (body, keepsHtml) => readMdx(body, { parse: parseMarkdown, parseMdx, keepsHtml }) }
}

/** Loads a part. */
export async function loadStage(stages: Stages, name: StageName): Promise<void> {
  if (name === 'html') stages.html ??= await import('./authored-html.ts')
  else stages.mdx ??= mdxStage(await import('./mdx.ts'))
}

/** Runs a renderer, and retries after loading each missing part; at most once per part. */
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
