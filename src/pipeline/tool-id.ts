// The identity of this version of quarry: names that change with its code, so that caches of other versions are not
// used.
import { readFileSync } from 'node:fs'

/** Names of a version. Both change with Node's version of Unicode, on which slugs and normalized texts depend. */
export interface ToolId {
  /** Changes with any code. */
  readonly tool: string
  /** Changes with everything that rendering depends on, including packages. */
  readonly renderer: string
}

/** The names of the running version, computed when it was compiled. */
export function readToolId(): ToolId {
  const file = new URL(import.meta.resolve('#tool-id'))
  const { tool, renderer }: ToolId = JSON.parse(readFileSync(file, 'utf8'))
  return { tool: `${tool} ${unicode}`, renderer: `${renderer} ${unicode}` }
}

const unicode = `ICU ${process.versions['icu']}, Unicode ${process.versions['unicode']}`
