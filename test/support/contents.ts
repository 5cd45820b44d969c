// The content of an output folder, for comparison with another one.
// Does not depend on builds.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../../src/build/output.ts'

/** Returns the hash of every file by path, without files that are kept only for functions with an older build. */
export function contentsOf(out: string): Readonly<Record<string, string>> {
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  const own = listFiles(out).filter((path) => !/^function\/.+\//.test(path) || path in files)
  return Object.fromEntries(
    own.sort().map((path) => {
      const bytes = readFileSync(join(out, path))
      return [path, createHash('sha256').update(bytes).digest('hex')]
    }),
  )
}
