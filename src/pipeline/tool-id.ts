// The identity of this version of quarry: names that change with its code, so that nothing is taken from a cache that
// another one filled.
import { readFileSync } from 'node:fs'

/** Names of a version. Both change with what Node knows of Unicode: by that, slugs are made and texts are folded. */
export interface ToolId {
  /** Changes with all code. */
  readonly tool: string
  /** Changes with all that rendering depends on, its packages too. */
  readonly renderer: string
}

/** The names of the version that runs; they were made when it was compiled. */
export function readToolId(): ToolId {
  const file = new URL(import.meta.resolve('#tool-id'))
  const { tool, renderer }: ToolId = JSON.parse(readFileSync(file, 'utf8'))
  return { tool: `${tool} ${unicode}`, renderer: `${renderer} ${unicode}` }
}

const unicode = `ICU ${process.versions['icu']}, Unicode ${process.versions['unicode']}`
