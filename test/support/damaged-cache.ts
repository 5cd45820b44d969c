// A cache damaged on purpose: bytes of its packs changed where they lie.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Changes the first byte of every such part of the packs in a folder, in place; says how many there were. */
export function damagePacks(folder: string, part: string): number {
  let damaged = 0
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.pack'))) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at)) {
      bytes[at] = 1
      damaged += 1
    }
    writeFileSync(path, bytes)
  }
  return damaged
}
