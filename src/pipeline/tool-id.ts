// What this version of quarry is: names that change with its code, so that nothing is taken from a cache that
// another one filled. Knows nothing of caches.
import { readFileSync } from 'node:fs'

/** Names of a version, hexadecimal; written when it is compiled. */
export interface ToolId {
  /** Changes with all code. */
  readonly tool: string
  /** Changes with all that rendering depends on, its packages too. */
  readonly renderer: string
}

/** The names of the version that runs. */
export function readToolId(): ToolId {
  const file = new URL(import.meta.resolve('#tool-id'))
  const { tool, renderer }: ToolId = JSON.parse(readFileSync(file, 'utf8'))
  return { tool, renderer }
}
