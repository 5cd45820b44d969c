// A cache damaged on purpose: bytes of its packs changed where they lie.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PackReader } from '../../src/cache/pack-reader.ts'

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

/** Changes a byte of every record that has such a part; says how many there were. Compressed records are changed anywhere. */
export function damageRecords(folder: string, part: string): number {
  let damaged = 0
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.pack'))) {
    const path = join(folder, name)
    const opened = PackReader.open(path)
    if (opened.kind !== 'pack') continue
    const bytes = readFileSync(path)
    for (const key of opened.pack.keys()) {
      const place = opened.pack.partsOf(opened.pack.find(key) ?? 0).get(part)
      if (place === undefined || place.storedBytes === 0) continue
      const at = place.offset + (place.storedBytes < place.recordBytes ? 0 : place.start)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      damaged += 1
    }
    opened.pack.close()
    writeFileSync(path, bytes)
  }
  return damaged
}
